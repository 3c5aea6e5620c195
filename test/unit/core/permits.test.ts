import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPermits, lendPermit, type Permits, type Rank } from '../../../src/core/dispatch/permits.ts';

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

/** A permit when it is this waiter's turn. */
function granted(permits: Permits, rank?: Rank): Promise<number> {
  return new Promise((resolve) => {
    permits.wait({
      rank,
      grant(permit) {
        resolve(permit);
        return true;
      },
    });
  });
}

test('first come, first served; nobody overtakes who waits', async () => {
  const permits = createPermits(1);
  permits.tryTake();
  const order: number[] = [];
  const waits = [1, 2, 3].map(async (who) => {
    const permit = await granted(permits);
    order.push(who);
    permits.giveBack(permit);
  });
  permits.giveBack(0);
  expect(permits.tryTake()).toBeUndefined();
  await Promise.all(waits);
  expect(order).toEqual([1, 2, 3]);
});

test('the one with more weight goes first, then the lower order', async () => {
  const permits = createPermits(1);
  permits.tryTake();
  const order: string[] = [];
  const ranks = { a: [1, 0], b: [3, 2], c: [3, 1], d: [2, 3] } as const;
  const waits = Object.entries(ranks).map(async ([who, [weight, order_]]) => {
    const permit = await granted(permits, { weight, order: order_ });
    order.push(who);
    permits.giveBack(permit);
  });
  permits.giveBack(0);
  await Promise.all(waits);
  expect(order).toEqual(['c', 'b', 'd', 'a']);
});

test('a waiter that wants no permit any more is passed over, and the permit is not lost', () => {
  const permits = createPermits(1);
  permits.tryTake();
  const asked: string[] = [];
  for (const who of ['gone', 'too']) {
    permits.wait({
      grant() {
        asked.push(who);
        return false;
      },
    });
  }
  permits.giveBack(0);
  expect(asked).toEqual(['gone', 'too']);
  expect(permits.tryTake()).toBe(0);
});

describe('a lent permit', () => {
  test('is taken first, then what else is free, and comes back to the lender', () => {
    const pool = createPermits(2);
    const own = pool.tryTake()!;
    const lent = lendPermit(own, pool);
    expect(lent.count).toBe(2);
    expect([lent.tryTake(), lent.tryTake(), lent.tryTake()]).toEqual([0, 1, undefined]);
    lent.giveBack(1);
    expect(pool.tryTake()).toBe(1);
    lent.giveBack(0);
    expect(pool.tryTake()).toBeUndefined(); // the lender still has it
    expect(() => lent.giveBack(0)).toThrow('returned exactly once');
    pool.giveBack(0);
  });

  test('goes to those that wait for it, as does any other that becomes free', async () => {
    const pool = createPermits(2);
    const lent = lendPermit(pool.tryTake()!, pool);
    const other = pool.tryTake()!;
    expect(lent.tryTake()).toBe(0);
    const first = granted(lent);
    const second = granted(lent);
    pool.giveBack(other);
    expect(await first).toBe(1);
    lent.giveBack(0);
    expect(await second).toBe(0);
    lent.giveBack(1);
    // Both asked the pool too; one of them got what it wanted elsewhere, and nothing is lost by that.
    expect(pool.tryTake()).toBe(1);
  });

  test('can be lent again by the call that has it', async () => {
    const pool = createPermits(1);
    const child = lendPermit(pool.tryTake()!, pool);
    const grandchild = lendPermit(child.tryTake()!, child);
    expect(grandchild.tryTake()).toBe(0);
    const next = granted(grandchild);
    grandchild.giveBack(0);
    expect(await next).toBe(0);
  });
});

test('a permit that is given back the moment it is granted is free again, lent or not', () => {
  const pool = createPermits(1);
  const lent = lendPermit(pool.tryTake()!, pool);
  for (const permits of [lent, pool]) {
    const permit = permits === lent ? lent.tryTake()! : 0;
    const granted: number[] = [];
    for (const who of [1, 2, 3]) {
      permits.wait({
        grant(mine) {
          granted.push(who);
          permits.giveBack(mine);
          return true;
        },
      });
    }
    permits.giveBack(permit);
    expect(granted).toEqual([1, 2, 3]);
    expect(permits.tryTake()).toBe(0);
    permits.giveBack(0);
    if (permits === lent)
      expect(pool.tryTake()).toBeUndefined(); // the lender has it still
    else expect(pool.tryTake()).toBe(0);
  }
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
          } else expect(held).toHaveLength(count);
        } else if (held.length > 0) permits.giveBack(held.splice(step % held.length, 1)[0]!);
      }
      const rest = Array.from({ length: count - held.length }, () => permits.tryTake());
      expect(new Set([...held, ...rest])).toEqual(
        new Set(Array.from({ length: count }, (_, permit) => permit)),
      );
      expect(permits.tryTake()).toBeUndefined();
    }),
  );
});
