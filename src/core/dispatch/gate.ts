/**
 * The gate that batches share (DESIGN section 4): calls of different batches whose accesses conflict never overlap. A
 * call takes all its resources together, in order of arrival; calls of one batch never wait here for each other, that
 * is what their strategy decides.
 *
 * No deadlock: a call that holds nothing yet can close no circle. A nested call belongs to ancestors that hold
 * resources already; it waits for calls inside only, never for waiters, and where even that would close a circle (an
 * ancestor holds what it needs, or somebody who waits for an ancestor does) it is refused at once.
 *
 * Whoever is inside or waits has a permit, so the lists are as short as the batches' caps.
 */
import type { Access, ToolCall } from '../model.ts';
import { firstConflict } from '../resources.ts';

/** A call at the gate. */
export interface Visitor {
  /** Calls with the same one never hold each other up. */
  readonly batch: object;
  readonly accesses: readonly Access[];
  /** The running call that dispatched this one's batch. */
  readonly parent: Visitor | undefined;
  readonly call: ToolCall;
}

/** Somebody in the way, and over what. */
export interface Obstacle {
  readonly visitor: Visitor;
  readonly resource: string;
}

/** `waits`: `admitted` is called when the way is free. `refused`: waiting would never end. */
export type Admission =
  | { readonly state: 'inside' }
  | { readonly state: 'waits' | 'refused'; readonly obstacle: Obstacle };

export interface Gate {
  /** Lets a call in, makes it wait, or refuses it. */
  enter(visitor: Visitor, admitted: () => void): Admission;
  /** The ancestor that holds what this call needs; such a call is refused whenever it comes. */
  heldByAncestor(visitor: Visitor): Obstacle | undefined;
  /** Gives back what a call held, or takes it out of those that wait. Any number of times. */
  leave(visitor: Visitor): void;
}

/** A gate with nobody inside. Pass the same one to each `dispatch` whose calls must not collide. */
export function createGate(): Gate {
  const inside = new Map<object, Set<Visitor>>();
  /** In order of arrival. */
  const waiting = new Map<Visitor, () => void>();

  /** The calls of other batches that are inside and in the way. */
  function* insideAgainst(visitor: Visitor): Generator<Obstacle> {
    for (const [batch, visitors] of inside) {
      if (batch === visitor.batch) continue;
      for (const other of visitors) {
        const resource = sharedResource(other, visitor);
        if (resource !== undefined) yield { visitor: other, resource };
      }
    }
  }

  function firstObstacle(visitor: Visitor): Obstacle | undefined {
    for (const obstacle of insideAgainst(visitor)) return obstacle;
    if (visitor.parent) return undefined;
    for (const other of waiting.keys()) {
      if (other === visitor) break; // those behind it came later
      const resource = other.batch === visitor.batch ? undefined : sharedResource(other, visitor);
      if (resource !== undefined) return { visitor: other, resource };
    }
    return undefined;
  }

  /** Who closes a circle when this call waits: inside, and directly or through others waiting for an ancestor. */
  function circle(visitor: Visitor): Obstacle | undefined {
    for (const obstacle of insideAgainst(visitor)) {
      const seen = new Set<Visitor>();
      const open = [obstacle.visitor];
      for (let next = open.pop(); next; next = open.pop()) {
        if (isAncestor(next, visitor)) return obstacle;
        if (seen.has(next)) continue;
        seen.add(next);
        for (const other of waiting.keys()) {
          if (!isAncestor(next, other)) continue;
          for (const { visitor: blocker } of insideAgainst(other)) open.push(blocker);
        }
      }
    }
    return undefined;
  }

  function admit(visitor: Visitor): void {
    const own = inside.get(visitor.batch);
    if (own) own.add(visitor);
    else inside.set(visitor.batch, new Set([visitor]));
  }

  return {
    enter(visitor, admitted) {
      if (visitor.accesses.length === 0) return { state: 'inside' };
      const alone = waiting.size === 0 && inside.size === (inside.has(visitor.batch) ? 1 : 0);
      const obstacle = alone ? undefined : firstObstacle(visitor);
      if (!obstacle) {
        admit(visitor);
        return { state: 'inside' };
      }
      const closing = visitor.parent && circle(visitor);
      if (closing) return { state: 'refused', obstacle: closing };
      waiting.set(visitor, admitted);
      return { state: 'waits', obstacle };
    },
    heldByAncestor(visitor) {
      for (let ancestor = visitor.parent; ancestor; ancestor = ancestor.parent) {
        const resource = sharedResource(ancestor, visitor);
        if (resource !== undefined) return { visitor: ancestor, resource };
      }
      return undefined;
    },
    leave(visitor) {
      const own = inside.get(visitor.batch);
      const left = own?.delete(visitor) === true;
      if (own?.size === 0) inside.delete(visitor.batch);
      if (!waiting.delete(visitor) && !left) return;
      for (const [other, admitted] of waiting) {
        if (firstObstacle(other)) continue;
        waiting.delete(other);
        admit(other);
        admitted();
      }
    },
  };
}

/** What both need and only one may have: the narrower of the two resources. */
function sharedResource(held: Visitor, wanted: Visitor): string | undefined {
  const [theirs, ours] = firstConflict(held.accesses, wanted.accesses) ?? [];
  if (!theirs || !ours) return undefined;
  return theirs.resource.length > ours.resource.length ? theirs.resource : ours.resource;
}

function isAncestor(one: Visitor, of: Visitor): boolean {
  for (let ancestor = of.parent; ancestor; ancestor = ancestor.parent) if (ancestor === one) return true;
  return false;
}
