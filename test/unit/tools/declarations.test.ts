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
const src = [
  { resource: 'file:///w/src', mode: 'read' },
  { resource: 'file:///w/.gitignore', mode: 'read' },
];
const table = {
  read: [true, a, [{ resource: a, mode: 'read' }]],
  list: [true, undefined, src],
  stat: [true, undefined, [{ resource: a, mode: 'read' }]],
  glob: [true, undefined, src],
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

test('a search declares its place and the ignore files above it, by the letters of its input', () => {
  const roots = [
    { name: 'w', uri: 'file:///w' },
    { name: 'in', uri: 'file:///w/a/in' },
  ];
  const [one, two] = [roots.slice(0, 1), roots].map((some) =>
    toolsOf(createMemoryFiles({}, { roots: some })),
  );
  const read = (tools: typeof one, name: string, input: Record<string, unknown>) =>
    tools
      ?.tool(name)
      .accesses?.(input)
      ?.map(({ resource }) => resource.replace('file:///w', ''));
  const below = ['/a/b/c', '/.gitignore', '/a/.gitignore', '/a/b/.gitignore'];
  expect(read(one, 'grep', { pattern: 'x', path: 'a/./b//x/../c/' })).toEqual(below);
  expect(read(one, 'glob', { pattern: 'c/*.ts', path: 'a/b' })).toEqual(below);
  expect(read(one, 'glob', { pattern: 'a/b/c/*.ts' })).toEqual(below);
  expect(read(one, 'glob', { pattern: '../*', path: 'a' }), 'a pattern that is refused').toBeDefined();
  expect(read(one, 'grep', { pattern: 'x', path: 'a/in/b' })).toContain('/a/.gitignore');
  const inner = ['/a/in/b', '/a/in/.gitignore'];
  expect(read(two, 'grep', { pattern: 'x', path: '/w/a/in/b' }), 'the innermost folder').toEqual(inner);
  expect(read(two, 'glob', { pattern: 'b/*' }), 'either folder').toEqual(['/b', '/.gitignore', ...inner]);
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
