/** What holds of every world, whatever happened in it. */
import { expect } from 'vitest';
import { BatchAborted } from '../../../src/core/errors.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import type { Access } from '../../../src/core/model.ts';
import { reduceAll } from '../../../src/core/reduce.ts';
import { firstConflict } from '../../../src/core/resources.ts';
import { rowsOf } from '../../../src/core/table.ts';
import { ofType, permitsOf } from './helpers.ts';
import { type Outcome, type PlannedBatch, recordingsOf, type World } from './world.ts';

/** Every batch of a world: each call has one end and, where results are handed out, one answer, in order. */
export function checkBatches(world: World): void {
  for (const [batch, events] of recordingsOf(world)) {
    checkRecording(events);
    checkOutcome(batch, world.planned.get(batch)!, world.outcomes.get(batch)!, events);
  }
}

function checkRecording(events: readonly WavesEvent[]): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  const calls = ofType(events, 'batch-received')[0]!.calls.map((_, index) => index);
  const ends = ofType(events, 'call-ended');
  expect(ends.map(({ call }) => call).sort((a, b) => a - b)).toEqual(calls);
  const started = ofType(events, 'call-started').map(({ call }) => call);
  expect(new Set(started).size).toBe(started.length);
  for (const { call, outcome } of ends) if (outcome === 'never-started') expect(started).not.toContain(call);

  const stop = ofType(events, 'cancel-requested');
  expect(stop.length).toBeLessThanOrEqual(1);
  for (const { seq } of ofType(events, 'call-started')) {
    if (stop[0]) expect(seq).toBeLessThan(stop[0].seq);
  }

  expect(permitsOf(events).heldAtEnd).toBe(0);
  const state = reduceAll(events);
  expect(['done', 'cancelled', 'aborted']).toContain(state.phase);
  expect(state.unknown).toBe(0);
  expect(state.holders.every((holder) => holder === undefined)).toBe(true);
  expect(events.at(-1)!.type).toMatch(/^run-(ended|aborted)$/);
  for (const { status } of rowsOf(state.calls)) {
    expect(['ok', 'soft', 'hard', 'cancelled', 'never-started']).toContain(status);
  }
}

/** How the content of each end begins. */
const TEXTS = {
  ok: /^answer of /,
  soft: /^(answer of |a soft error$|Unknown tool|timed out after \d+ ms\.$|not run: it ".*", which dispatched this call, holds |not run: it ".*" of another batch holds |blocked|no way$)/,
  hard: /^(a hard error$|the hook says no more$|loop detected: )/,
  cancelled:
    /^(interrupted by user: the batch was cancelled|interrupted: .*[^.]|timed out after \d+ ms, the limit of the whole batch)(\.$|; it )/,
  'never-started':
    /^not run: (the batch was cancelled|the batch timed out after \d+ ms|call #\d+ ended the batch) before this call started( \(.*\))?\.$/,
};

function checkOutcome(
  batch: string,
  { calls, onHardError }: PlannedBatch,
  { results, error }: Outcome,
  events: readonly WavesEvent[],
): void {
  const stopped = ofType(events, 'cancel-requested').length > 0;
  if (onHardError === 'abort' && stopped) {
    expect(error).toBeInstanceOf(BatchAborted);
    expect(events.at(-1)!.type).toBe('run-aborted');
    return;
  }
  expect(error).toBeUndefined();
  expect(results!.map(({ toolCallId }) => toolCallId)).toEqual(calls.map((_, call) => `${batch}/${call}`));
  const filled = ofType(events, 'slot-filled').map(({ call }) => call);
  expect(filled.sort((a, b) => a - b)).toEqual(calls.map((_, call) => call));
  for (const { call, outcome } of ofType(events, 'call-ended')) {
    const { content, isError, durationMs } = results![call]!;
    expect(content).toMatch(TEXTS[outcome]);
    expect(isError).toBe(outcome !== 'ok');
    if (outcome === 'never-started') expect(durationMs).toBe(0);
  }
}

/**
 * A permit has one holder, or a chain of calls each of which lent it to the next; it comes back once, in reverse order,
 * and all are back in the end. Nested recordings number permits as their pool does.
 */
export function checkPermits({ moments }: World): void {
  const caps = new Map<string, number>();
  const chains = new Map<string, string[]>();
  for (const { batch, event } of moments) {
    const pool = batch.split('/')[0]!;
    if (event?.type === 'batch-received') {
      if (batch === pool) caps.set(pool, event.permits);
      expect(event.permits).toBe(caps.get(pool));
    }
    if (event?.type !== 'permit-taken' && event?.type !== 'permit-returned') continue;
    const { call, permit, type } = event;
    expect(permit).toBeLessThan(caps.get(pool)!);
    const chain = chains.get(`${pool} ${permit}`) ?? [];
    chains.set(`${pool} ${permit}`, chain);
    const holder = `${batch}/${call}`;
    if (type === 'permit-returned') expect(chain.pop()).toBe(holder);
    else {
      const lender = chain.at(-1);
      if (lender !== undefined) expect(holder.startsWith(`${lender}.`)).toBe(true);
      chain.push(holder);
    }
  }
  expect([...chains.values()].flat()).toEqual([]);
}

/**
 * Calls of different batches that conflict never overlap: as the events tell it or, with `tools`, as the tools
 * themselves see it, which holds where none outlives its call.
 */
export function checkOverlaps(world: World, tools: boolean): void {
  const running = new Map<string, { readonly batch: string; readonly accesses: readonly Access[] }>();
  const declared = new Map<string, readonly Access[]>();
  for (const { batch, event, tool } of world.moments) {
    if (event?.type === 'call-declared') declared.set(`${batch}/${event.call}`, event.accesses);
    const begins = tools ? tool?.does === 'begin' : event?.type === 'call-started';
    const ends = tools ? tool?.does === 'end' : event?.type === 'call-ended';
    if (!begins && !ends) continue;
    const call = tools ? tool!.call : (event as { call: number }).call;
    const path = `${batch}/${call}`;
    if (ends) {
      running.delete(path);
      continue;
    }
    const accesses = declared.get(path)!;
    for (const [other, one] of running) {
      if (one.batch === batch) continue;
      const clash = firstConflict(one.accesses, accesses);
      if (clash) expect([path, other, clash]).toEqual([path, other, undefined]);
    }
    running.set(path, { batch, accesses });
  }
}

/** No tool begins once its batch, or a batch above it, has been stopped. */
export function checkNothingStartsLate({ moments }: World): void {
  const stopped: string[] = [];
  for (const { batch, event, tool } of moments) {
    if (event?.type === 'cancel-requested') stopped.push(batch);
    if (tool?.does !== 'begin') continue;
    const late = stopped.find((one) => batch === one || batch.startsWith(`${one}/`));
    expect([batch, tool.call, late]).toEqual([batch, tool.call, undefined]);
  }
}

/** Nobody is left at the gate: a write on everything is let in at once. */
export async function checkGateIsEmpty(world: World): Promise<void> {
  const everything = { resource: '*', mode: 'write' as const };
  const last = { ms: 0, ends: 'ok' as const, safe: false, accesses: [everything], batches: [] };
  await world.clock.runUntil(
    world.run('last', { calls: [last], strategy: 'sequential', onHardError: 'abort' }),
  );
  const events = recordingsOf(world).get('last')!;
  expect(ofType(events, 'gate-waiting')).toEqual([]);
  expect(ofType(events, 'call-ended')[0]!.outcome).toBe('ok');
}
