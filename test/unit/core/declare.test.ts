import { describe, expect, test } from 'vitest';
import { declare } from '../../../src/core/declare.ts';
import { EVERYTHING } from '../../../src/core/model.ts';
import { createRegistry, type Tool } from '../../../src/core/tools.ts';

const everything = [{ resource: EVERYTHING, mode: 'write' }];

function declared(tool: Partial<Tool>, input: unknown = { path: 'a' }) {
  return declare({ id: 't', name: 'it', input }, createRegistry([{ name: 'it', run: () => '', ...tool }]));
}

describe('accesses follow from the two flags when they are absent', () => {
  test('unsafe writes everything', () => {
    expect(declared({})).toEqual({ safe: false, accesses: everything });
  });
  test('safe with a key writes the key', () => {
    const tool: Partial<Tool> = {
      isSafeForConcurrentExecution: () => true,
      resourceKey: (input) => `file:${input.path}`,
    };
    expect(declared(tool)).toEqual({
      safe: true,
      key: 'file:a',
      accesses: [{ resource: 'file:a', mode: 'write' }],
    });
  });
  test('safe without a key touches nothing', () => {
    expect(declared({ isSafeForConcurrentExecution: () => true })).toEqual({ safe: true, accesses: [] });
  });
  test('a list that the tool gives stands, for an unsafe call too', () => {
    const accesses = [{ resource: 'file:a', mode: 'write' as const }];
    expect(declared({ accesses: () => accesses })).toEqual({ safe: false, accesses, writes: true });
  });
});

test('the key of an unsafe call is never asked for', () => {
  let asked = 0;
  declared({ resourceKey: () => `${asked++}` });
  expect(asked).toBe(0);
});

test('own case: a predicate may say safe for one input and unsafe for another of the same tool', () => {
  const tool: Partial<Tool> = { isSafeForConcurrentExecution: (input) => input.path === 'a' };
  expect([declared(tool, { path: 'a' }).safe, declared(tool, { path: 'b' }).safe]).toEqual([true, false]);
});

describe('own case: a declaration that fails means unsafe, with the reason', () => {
  const safe = { isSafeForConcurrentExecution: () => true };
  test.each<[string, Partial<Tool>, string]>([
    [
      'isSafe throws',
      {
        isSafeForConcurrentExecution: () => {
          throw new Error('no field');
        },
      },
      'isSafeForConcurrentExecution threw: no field',
    ],
    [
      'isSafe throws no error',
      {
        isSafeForConcurrentExecution: () => {
          throw 'text';
        },
      },
      'isSafeForConcurrentExecution threw: text',
    ],
    [
      'isSafe returns 1',
      { isSafeForConcurrentExecution: () => 1 as never },
      'isSafeForConcurrentExecution must return a boolean, but returned a number.',
    ],
    [
      'isSafe returns a promise',
      { isSafeForConcurrentExecution: () => Promise.reject(new Error('late')) as never },
      'isSafeForConcurrentExecution must return a boolean, but returned a promise.',
    ],
    [
      'the key throws',
      {
        ...safe,
        resourceKey: () => {
          throw new Error('no key');
        },
      },
      'resourceKey threw: no key',
    ],
    [
      'the key is empty',
      { ...safe, resourceKey: () => '' },
      'resourceKey must return a string that is not empty, or undefined, but returned "".',
    ],
    [
      'the key is null',
      { ...safe, resourceKey: () => null as never },
      'resourceKey must return a string that is not empty, or undefined, but returned null.',
    ],
    [
      'accesses are no list',
      { ...safe, accesses: () => ({}) as never },
      'accesses must return a list of { resource, mode: "read" | "write" }, but returned an object.',
    ],
    [
      'an access has another mode',
      { ...safe, accesses: () => [{ resource: 'a', mode: 'append' }] as never },
      'accesses must return a list of { resource, mode: "read" | "write" }, but returned an array.',
    ],
  ])('%s', (_name, tool, failure) => {
    expect(declared(tool)).toEqual({ safe: false, accesses: everything, failure });
  });
});

describe('a call that cannot run is unsafe and says why', () => {
  const schema = {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  };
  const safe: Partial<Tool> = { isSafeForConcurrentExecution: () => true, inputSchema: schema };

  test.each([
    ['null', null],
    ['an array', []],
    ['a number', 12],
    ['a string', 'x'],
  ])('case 13: the input is %s', (kind, input) => {
    expect(declared(safe, input).refusal).toBe(`The input must be an object, not ${kind}.`);
  });

  test.each([
    [{}, 'the input lacks "path"'],
    [{ path: 5 }, '"path" must be of type string, not number'],
    [{ path: 'a', q: 1 }, '"q" is not known here'],
  ])('the schema refuses %j', (input, part) => {
    const { safe: isSafe, refusal, failure } = declared(safe, input);
    expect(isSafe).toBe(false);
    expect(refusal).toContain(part);
    expect(failure).toBe(refusal);
  });

  test('a schema that cannot be used is no reason to crash', () => {
    const broken = declared({ inputSchema: { type: 'object', properties: { path: { pattern: '(' } } } });
    expect(broken.refusal).toContain('cannot be used');
  });

  test('the tool keeps its schema as it was', () => {
    const frozen = Object.freeze({ ...schema });
    declared({ inputSchema: frozen });
    expect(Object.getOwnPropertyNames(frozen).sort()).toEqual([
      'additionalProperties',
      'properties',
      'required',
      'type',
    ]);
  });
});

describe('case 49: unknown tools', () => {
  const registry = createRegistry(['Read', 'Glob', 'Edit'].map((name) => ({ name, run: () => '' })));
  const refusal = (name: string) => declare({ id: 't', name, input: {} }, registry).refusal;

  test('are named, with what exists and a guess', () => {
    expect(refusal('Raed')).toBe('Unknown tool "Raed". Did you mean "Read"? Known tools: Read, Glob, Edit.');
    expect(refusal('read')).toContain('Did you mean "Read"?');
    expect(refusal('frobnicate')).toBe('Unknown tool "frobnicate". Known tools: Read, Glob, Edit.');
  });
  test.each(['constructor', '__proto__', 'toString', ''])('"%s" is unknown too', (name) => {
    expect(refusal(name)).toContain(`Unknown tool "${name}"`);
  });
  test('two tools of one name, or none, are refused', () => {
    const run = () => '';
    expect(() =>
      createRegistry([
        { name: 'a', run },
        { name: 'a', run },
      ]),
    ).toThrow('Two tools are named "a"');
    expect(() => createRegistry([{ name: '', run }])).toThrow('needs a name');
  });
});
