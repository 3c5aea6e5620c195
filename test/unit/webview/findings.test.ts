import { describe, expect, test } from 'vitest';
import { reduceAll } from '../../../src/core/reduce.ts';
import type { Scenario } from '../../../src/core/scenario.ts';
import { simulate } from '../../../src/core/simulate.ts';
import { errorsOf, nextOf, warnedOf } from '../../../webview/find.ts';
import { findingLines, findingsOfCall, warningCount } from '../../../webview/select/findings.ts';
import { headline } from '../../../webview/select/headline.ts';
import { namesOf } from '../../../webview/select/resources.ts';
import { whyOf, whyText } from '../../../webview/select/why.ts';

const ROOT = 'file:///home/me/my%20project';

async function stateOf(...calls: [tool: string, path: string][]) {
  const scenario: Scenario = {
    tools: {
      Read: { safe: true, key: `${ROOT}/{path}`, ms: 10 },
      Look: { safe: true, accesses: [{ resource: `${ROOT}/{path}`, mode: 'read' }], ms: 10 },
      Search: { safe: true, accesses: [{ resource: ROOT, mode: 'read' }], ms: 30 },
      Edit: { accesses: [{ resource: `${ROOT}/{path}`, mode: 'write' }], ms: 10 },
    },
    calls: calls.map(([tool, path]) => ({ tool, input: { path } })),
  };
  return reduceAll((await simulate(scenario, { strategy: 'first-fit' })).events);
}

describe('resources are named below the folder that all share', () => {
  test('in labels and in sentences, with the root by its own name', async () => {
    const state = await stateOf(['Read', 'src/a.ts'], ['Search', ''], ['Read', 'src/a.ts']);
    const names = namesOf(state);
    expect(names.label(`${ROOT}/src/a.ts`)).toBe('src/a.ts');
    expect(names.label(ROOT)).toBe('my project');
    expect(names.label('*')).toBe('everything');
    expect(names.label('file:///home/me/my%20project-evil/x')).toBe('/home/me/my%20project-evil/x');
    const why = whyOf(state, 2, 0, state)!;
    expect(why.candidates[0]!.reason).toBe('Wave 1 holds key src/a.ts: #1 has it.');
    expect(whyText(why)).toContain('Declared: safe, key src/a.ts');
  });

  test('one file alone keeps its name, and what is no file stays as it is', async () => {
    expect(namesOf(await stateOf(['Read', 'src/a.ts'])).label(`${ROOT}/src/a.ts`)).toBe('a.ts');
    expect(namesOf(reduceAll([])).label('file:a')).toBe('a');
    expect(namesOf(reduceAll([])).sentence('holds key db:users')).toBe('holds key db:users');
  });
});

describe('warnings', () => {
  test('name the resource, the calls and one thing to do, and lead to the later call', async () => {
    const state = await stateOf(
      ['Look', 'src/a.ts'],
      ['Edit', 'src/a.ts'],
      ['Look', 'src/a.ts'],
      ['Search', ''],
    );
    expect(findingLines(state).map(({ id, call, text }) => [id, call, text])).toEqual([
      [
        'W1',
        2,
        '#3 Look is planned before #2 Edit, which was asked for first and writes what it reads: src/a.ts.',
      ],
      [
        'W1',
        3,
        '#4 Search is planned before #2 Edit, which was asked for first and writes what it reads: my project.',
      ],
    ]);
    expect(findingsOfCall(state, 1)).toHaveLength(2);
    expect(warningCount(state)).toBe('2 warnings');
    expect([...warnedOf(state)]).toEqual([2, 3]);
    expect(nextOf(warnedOf(state), 2, 1)).toBe(3);
    expect(errorsOf(state)).toEqual([]);
    expect(whyOf(state, 2, 0, state)!.findings).toHaveLength(1);
  });

  test('the speed-up stands beside them once the batch is done', async () => {
    const state = await stateOf(['Look', 'a'], ['Search', ''], ['Edit', 'b']);
    expect(headline(state, 'live', 0).speedUp).toBe('1.25×');
    expect(headline(reduceAll([]), 'live', 0).speedUp).toBe('');
  });
});
