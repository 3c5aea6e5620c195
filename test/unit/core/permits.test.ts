import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPermits } from '../../../src/core/dispatch/permits.ts';

test('the lowest free permit is given', () => {
  const permits = createPermits(3);
  expect([permits.tryTake(), permits.tryTake(), permits.tryTake(), permits.tryTake()]).toEqual([
    0,
    1,
    2,
    undefined,
  ]);
  permits.giveBack(1);
  permits.giveBack(0);
  expect([permits.tryTake(), permits.tryTake()]).toEqual([0, 1]);
});

test('a permit is returned exactly once', () => {
  const permits = createPermits(1);
  permits.tryTake();
  permits.giveBack(0);
  expect(() => permits.giveBack(0)).toThrow('returned exactly once');
});

test('first come, first served; nobody overtakes who waits', async () => {
  const permits = createPermits(1);
  permits.tryTake();
  const order: number[] = [];
  const waits = [1, 2, 3].map(async (who) => {
    const permit = await permits.take();
    order.push(who);
    if (permit !== undefined) permits.giveBack(permit);
  });
  permits.giveBack(0);
  expect(permits.tryTake()).toBeUndefined();
  await Promise.all(waits);
  expect(order).toEqual([1, 2, 3]);
});

test('stopping lets every waiter go with nothing, and every later one', async () => {
  const permits = createPermits(1);
  permits.tryTake();
  const waits = [permits.take(), permits.take()];
  permits.stop();
  expect(await Promise.all([...waits, permits.take()])).toEqual([undefined, undefined, undefined]);
  permits.giveBack(0);
  expect(permits.free).toBe(1);
});

test('held and free always add up, whatever the order of taking and giving back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(fc.nat(9), { maxLength: 200 }), (count, steps) => {
      const permits = createPermits(count);
      const held: number[] = [];
      for (const step of steps) {
        if (step < 6) {
          const permit = permits.tryTake();
          if (permit !== undefined) {
            expect(held).not.toContain(permit);
            held.push(permit);
          }
        } else if (held.length > 0) permits.giveBack(held.splice(step % held.length, 1)[0]!);
        expect(permits.free + held.length).toBe(count);
      }
    }),
  );
});
