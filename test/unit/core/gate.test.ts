/** The gate that batches share: who is let in when, and who is refused. */
import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/core/clock.ts';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import { createGate, type Visitor } from '../../../src/core/dispatch/gate.ts';
import type { Access, ToolResult } from '../../../src/core/model.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { calls, nap, tool } from './helpers.ts';

test('case 7: a call that is cancelled while it waits is answered at once, never runs, and holds up nobody', async () => {
  const clock = createVirtualClock();
  const gate = createGate();
  const abort = new AbortController();
  const ran: string[] = [];
  const registry = createRegistry([
    tool('Work', {
      accesses: () => [{ resource: 'file:x', mode: 'write' }],
      async run({ path }) {
        ran.push(`${path} at ${clock.now()}`);
        await nap(clock, 100);
        return '';
      },
    }),
  ]);
  const one = (id: string, more = {}) => dispatch(calls(`Work(${id})`), registry, { gate, clock, ...more });
  clock.after(20, () => abort.abort());
  const a = one('A');
  let answeredAt = -1;
  const b = one('B', { signal: abort.signal, onHardError: 'answer-all' }).then((results) => {
    answeredAt = clock.now();
    return results;
  });
  const c = one('C');
  const [, [cancelled]] = await clock.runUntil(Promise.all([a, b, c]));
  expect(cancelled).toMatchObject({ isError: true });
  expect(answeredAt).toBe(20);
  await clock.runUntil(nap(clock, 10_000));
  expect(ran).toEqual(['A at 0', 'C at 100']);
});

/** A visitor with a batch of its own unless it is given one; `write:x` or `read:x` is what it needs. */
function visitor(id: string, needs: readonly string[], more: Partial<Visitor> = {}): Visitor {
  const accesses = needs.map((need): Access => {
    const [mode, resource] = need.split(':');
    return { mode: mode as Access['mode'], resource: resource! };
  });
  return { batch: {}, parent: undefined, call: { id, name: 'It', input: {} }, accesses, ...more };
}

/** A gate, and who was let in after a wait, in order. */
function watched() {
  const gate = createGate();
  const admitted: string[] = [];
  return {
    gate,
    admitted,
    enter: (one: Visitor) => gate.enter(one, () => void admitted.push(one.call.id)).state,
  };
}

describe('who is let in', () => {
  test('readers together, a writer alone, folders over what lies in them', () => {
    const { enter } = watched();
    expect(enter(visitor('r1', ['read:a/b']))).toBe('inside');
    expect(enter(visitor('r2', ['read:a']))).toBe('inside');
    expect(enter(visitor('w1', ['write:a/b/c']))).toBe('waits');
    expect(enter(visitor('w2', ['write:a']))).toBe('waits');
    expect(enter(visitor('other', ['write:ab']))).toBe('inside');
    expect(enter(visitor('nothing', []))).toBe('inside');
    expect(enter(visitor('all', ['write:*']))).toBe('waits');
  });

  test('calls of one batch never hold each other up', () => {
    const { enter } = watched();
    const batch = {};
    expect(enter(visitor('1', ['write:a'], { batch }))).toBe('inside');
    expect(enter(visitor('2', ['write:a'], { batch }))).toBe('inside');
    expect(enter(visitor('elsewhere', ['write:b']))).toBe('inside');
    expect(enter(visitor('3', ['write:a'], { batch }))).toBe('inside');
    expect(enter(visitor('4', ['write:b', 'write:c'], { batch }))).toBe('waits');
    expect(enter(visitor('5', ['write:c'], { batch }))).toBe('inside'); // 4 waits, but is of the same batch
  });

  test('a call that leaves lets nobody in whom another call of its batch keeps out', () => {
    const { gate, enter, admitted } = watched();
    const batch = {};
    const [first, second] = [visitor('1', ['write:a'], { batch }), visitor('2', ['write:a'], { batch })];
    enter(first);
    enter(second);
    expect(enter(visitor('late', ['write:a']))).toBe('waits');
    gate.leave(first);
    expect(admitted).toEqual([]);
    expect(enter(visitor('later', ['write:a']))).toBe('waits');
    gate.leave(second);
    expect(admitted).toEqual(['late']);
  });

  test('who waits is told for whom and over what: the narrower of the two', () => {
    const { gate, enter } = watched();
    const holder = visitor('holder', ['write:dir']);
    enter(holder);
    const admission = gate.enter(visitor('late', ['read:dir/x']), () => {});
    expect(admission).toEqual({ state: 'waits', obstacle: { visitor: holder, resource: 'dir/x' } });
  });

  test('who waits behind somebody that waits is told so too', () => {
    const { gate, enter } = watched();
    const writer = visitor('writer', ['write:a']);
    enter(visitor('reader', ['read:a']));
    enter(writer);
    const admission = gate.enter(visitor('late', ['read:a']), () => {});
    expect(admission).toEqual({ state: 'waits', obstacle: { visitor: writer, resource: 'a' } });
  });

  test('all resources are taken together: who waits for one holds none of the others', () => {
    const { gate, enter, admitted } = watched();
    const holder = visitor('holder', ['write:a']);
    enter(holder);
    expect(enter(visitor('both', ['write:a', 'write:b'], { batch: {} }))).toBe('waits');
    gate.leave(holder);
    expect(admitted).toEqual(['both']);
    expect(enter(visitor('b', ['write:b']))).toBe('waits');
  });

  test('first come, first served among those that conflict; who conflicts with nobody passes', () => {
    const { gate, enter, admitted } = watched();
    const holder = visitor('holder', ['read:a']);
    const writer = visitor('writer', ['write:a']);
    enter(holder);
    expect(enter(writer)).toBe('waits');
    expect(enter(visitor('reader', ['read:a']))).toBe('waits'); // it would starve the writer
    expect(enter(visitor('elsewhere', ['write:b']))).toBe('inside');
    gate.leave(holder);
    expect(admitted).toEqual(['writer']);
    gate.leave(writer);
    expect(admitted).toEqual(['writer', 'reader']);
  });

  test('who leaves while it waits makes way for those behind it, and is never let in', () => {
    const { gate, enter, admitted } = watched();
    const writer = visitor('writer', ['write:a']);
    enter(visitor('holder', ['read:a']));
    enter(writer);
    expect(enter(visitor('reader', ['read:a']))).toBe('waits');
    gate.leave(writer);
    gate.leave(writer);
    expect(admitted).toEqual(['reader']);
  });

  test('leaving without having come changes nothing', () => {
    const { gate, enter, admitted } = watched();
    enter(visitor('holder', ['write:a']));
    enter(visitor('waiter', ['write:a']));
    gate.leave(visitor('stranger', ['write:a']));
    gate.leave(visitor('nobody', []));
    expect(admitted).toEqual([]);
  });

  test('a nested call waits for those inside, and never behind those that only wait', () => {
    const { gate, enter, admitted } = watched();
    const parent = visitor('parent', ['write:p']);
    const holder = visitor('holder', ['read:a']);
    enter(parent);
    enter(holder);
    expect(enter(visitor('writer', ['write:a']))).toBe('waits');
    expect(enter(visitor('child', ['read:a'], { parent }))).toBe('inside');
    gate.leave(holder);
    expect(admitted).toEqual([]); // the child is inside
  });
});

describe('what would wait for ever is refused', () => {
  test('what an ancestor holds is known, whoever of them it is', () => {
    const { gate } = watched();
    const top = visitor('top', ['write:dir']);
    const parent = visitor('parent', ['read:p'], { parent: top });
    expect(gate.heldByAncestor(visitor('child', ['read:dir/x'], { parent }))).toEqual({
      visitor: top,
      resource: 'dir/x',
    });
    expect(gate.heldByAncestor(visitor('child', ['write:p'], { parent }))?.visitor).toBe(parent);
    expect(gate.heldByAncestor(visitor('child', ['read:p'], { parent }))).toBeUndefined();
    expect(gate.heldByAncestor(visitor('orphan', ['write:dir']))).toBeUndefined();
  });

  test.each([2, 3, 5])(
    'of %d parents whose children each want what the next one holds, one is refused',
    (n) => {
      const { gate, enter, admitted } = watched();
      const parents = Array.from({ length: n }, (_, at) => visitor(`p${at}`, [`write:${at}`]));
      for (const parent of parents) enter(parent);
      const children = parents.map((parent, at) => visitor(`c${at}`, [`write:${(at + 1) % n}`], { parent }));
      const states = children.map(enter);
      expect(states).toEqual([...new Array<string>(n - 1).fill('waits'), 'refused']);
      // The refused one's parent ends; then, one after the other, all the rest.
      for (let at = n - 1; at >= 0; at--) {
        gate.leave(children[at]!);
        gate.leave(parents[at]!);
        if (at > 0) expect(admitted.at(-1)).toBe(`c${at - 1}`);
      }
      expect(enter(visitor('all', ['write:*']))).toBe('inside');
    },
  );

  test('a circle through a child further down, and through what a child holds', () => {
    const { enter } = watched();
    const one = visitor('one', ['write:1']);
    const oneChild = visitor('one.child', ['write:1c'], { parent: one });
    const two = visitor('two', ['write:2']);
    for (const inside of [one, oneChild, two]) expect(enter(inside)).toBe('inside');
    expect(enter(visitor('two.child', ['write:1c'], { parent: two }))).toBe('waits');
    expect(enter(visitor('one.sibling', ['write:2'], { parent: one }))).toBe('waits'); // `one.child` can end
    expect(enter(visitor('one.grandchild', ['write:2'], { parent: oneChild }))).toBe('refused');
  });

  test('two running batches: just one child is refused, at once and with a reason, and both batches end', async () => {
    const clock = createVirtualClock();
    const gate = createGate();
    const registry = createRegistry([
      tool('Child', { accesses: ({ path }) => [{ resource: String(path), mode: 'write' }] }),
      tool('Parent', {
        accesses: ({ path }) => [{ resource: String(path), mode: 'write' }],
        async run({ path }, { dispatch }) {
          await nap(clock, 10);
          const [answer] = await dispatch(calls(`Child(${path === 'A' ? 'B' : 'A'})`));
          return String(answer!.content);
        },
      }),
    ]);
    const both = ['A', 'B'].map((path) => dispatch(calls(`Parent(${path})`), registry, { gate, clock }));
    const [[first], [second]] = (await clock.runUntil(Promise.all(both))) as [ToolResult[], ToolResult[]];
    expect(clock.now()).toBe(10);
    expect(first!.content).toBe('Child B');
    expect(second!.content).toContain('not run: Parent "t1" of another batch holds A');
  });
});
