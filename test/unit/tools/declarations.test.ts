import { expect, test } from 'vitest';
import { createMemoryFiles } from '../../../src/tools/memoryFiles.ts';
import { toolsOf } from './workspaces.ts';

const inputs: Record<string, Record<string, unknown>> = {
  read: { file_path: './a.ts' },
  list: { path: 'src/' },
  stat: { path: 'a.ts' },
  glob: { pattern: '*', path: 'src' },
  grep: { pattern: 'x' },
  edit: { file_path: 'a.ts', old_string: 'a', new_string: 'b' },
  write: { file_path: '/w/a.ts', content: '' },
};
const a = 'file:///w/a.ts';
const table = {
  read: [true, a, [{ resource: a, mode: 'read' }]],
  list: [true, undefined, [{ resource: 'file:///w/src', mode: 'read' }]],
  stat: [true, undefined, [{ resource: a, mode: 'read' }]],
  glob: [true, undefined, [{ resource: 'file:///w/src', mode: 'read' }]],
  grep: [true, undefined, [{ resource: 'file:///w', mode: 'read' }]],
};

test.each([
  ['published', false],
  ['fine-grained', true],
] as const)('the declarations of the design, profile %s', (profile, editsSafe) => {
  const { tools } = toolsOf(createMemoryFiles(), { profile });
  const rows = tools.map((tool) => {
    const input = inputs[tool.name]!;
    return [
      tool.name,
      [tool.isSafeForConcurrentExecution?.(input), tool.resourceKey?.(input), tool.accesses?.(input)],
    ];
  });
  const written = [editsSafe, a, [{ resource: a, mode: 'write' }]];
  expect(Object.fromEntries(rows)).toEqual({ ...table, edit: written, write: written });
});

test('every tool has a strict schema and a description of itself and of each argument', () => {
  for (const tool of toolsOf(createMemoryFiles()).tools) {
    const schema = tool.inputSchema as {
      additionalProperties: boolean;
      properties: Record<string, { description: string }>;
    };
    expect(schema.additionalProperties, tool.name).toBe(false);
    expect(tool.description?.length, tool.name).toBeGreaterThan(40);
    for (const property of Object.values(schema.properties)) expect(property.description).toMatch(/\.$/);
  }
});

test('what the tools report lies within what they declared', async () => {
  const files = createMemoryFiles({ 'a.ts': 'a', 'src/b.ts': 'x' });
  for (const [name, input] of Object.entries(inputs)) {
    const tools = toolsOf(files);
    await tools.run(name, input);
    const declared = tools.tool(name).accesses?.(input) ?? [];
    expect(tools.accesses, name).toEqual(declared);
  }
});
