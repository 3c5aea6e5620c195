/** Runs made by hand for the drawings' tests: the events that a run of these calls would record. */
import type { WavesEvent } from '../../../src/core/events.ts';
import type { Outcome } from '../../../src/core/model.ts';

export interface MadeCall {
  readonly name: string;
  readonly input?: unknown;
  readonly ms: number;
  readonly safe?: boolean;
  readonly key?: string;
  readonly outcome?: Outcome;
  /** Ends without ever holding a permit. */
  readonly refused?: boolean;
}

export interface MadeRun {
  readonly calls: readonly MadeCall[];
  readonly waves: readonly (readonly number[])[];
  readonly permits: number;
}

type Body = WavesEvent extends infer E ? (E extends WavesEvent ? Omit<E, 'seq' | 't'> : never) : never;

/** The events of the whole run, with times as a virtual clock would give them. */
export function madeRun({ calls, waves, permits }: MadeRun): WavesEvent[] {
  const events: WavesEvent[] = [];
  let t = 0;
  const emit = (body: Body) => events.push({ ...body, seq: events.length, t } as WavesEvent);
  emit({
    type: 'batch-received',
    strategy: 'first-fit',
    permits,
    onHardError: 'abort',
    calls: calls.map((call, index) => ({ id: `call_${index}`, name: call.name, input: call.input ?? {} })),
  });
  const waveOf = new Map(waves.flatMap((members, wave) => members.map((call) => [call, wave] as const)));
  const opened = new Set<number>();
  for (const [index, call] of calls.entries()) {
    const safe = call.safe ?? true;
    emit({
      type: 'call-declared',
      call: index,
      safe,
      accesses: [],
      ...(call.key !== undefined && { key: call.key }),
    });
    const wave = waveOf.get(index) ?? 0;
    const rejected =
      call.key !== undefined && wave > 0
        ? [{ wave: 0, rule: 'R2' as const, reason: `Wave 1 holds key ${call.key}: #1 has it.` }]
        : [];
    emit({
      type: 'decision-made',
      call: index,
      wave,
      opened: !opened.has(wave),
      closed: !safe,
      rule: safe ? (opened.has(wave) ? 'R1' : 'R5') : 'R4',
      reason: safe ? 'Keyless: joins the earliest open wave.' : 'Unsafe: runs alone.',
      rejected,
      waitsFor: [],
    });
    opened.add(wave);
  }
  emit({ type: 'run-started', waves: waves.length });
  let completion = 0;
  for (const [wave, members] of waves.entries()) {
    emit({ type: 'wave-started', wave });
    for (const call of members) emit({ type: 'call-queued', call, wave });
    const queue = [...members];
    const free = Array.from({ length: permits }, (_, permit) => permit);
    const running: { call: number; permit: number; until: number }[] = [];
    const settle = (call: number, outcome: Outcome) => {
      emit({
        type: 'call-ended',
        call,
        outcome,
        completion: ++completion,
        ...(outcome !== 'ok' && { error: outcome }),
      });
    };
    while (queue.length > 0 || running.length > 0) {
      while (free.length > 0 && queue.length > 0) {
        const call = queue.shift()!;
        if (calls[call]!.refused) {
          settle(call, 'soft');
          emit({ type: 'slot-filled', call, isError: true });
          continue;
        }
        const permit = free.shift()!;
        emit({ type: 'permit-taken', call, permit });
        emit({ type: 'call-started', call });
        running.push({ call, permit, until: t + calls[call]!.ms });
      }
      const next = running.sort((a, b) => a.until - b.until || a.call - b.call).shift();
      if (!next) continue;
      t = next.until;
      const outcome = calls[next.call]!.outcome ?? 'ok';
      settle(next.call, outcome);
      emit({ type: 'permit-returned', call: next.call, permit: next.permit });
      emit({ type: 'slot-filled', call: next.call, isError: outcome !== 'ok' });
      free.push(next.permit);
      free.sort((a, b) => a - b);
    }
    emit({ type: 'wave-ended', wave });
  }
  emit({
    type: 'run-ended',
    how: 'done',
    softErrors: calls.filter((call) => call.outcome === 'soft').length,
  });
  return events;
}

/** PANEL section 1: nine calls, three permits, first-fit. */
export const NINE: MadeRun = {
  calls: [
    { name: 'read_file', input: { path: 'src/a.ts' }, ms: 120 },
    { name: 'grep', input: { pattern: 'TODO', path: 'src' }, ms: 300 },
    { name: 'edit_file', input: { path: 'src/a.ts' }, ms: 200, key: 'a' },
    { name: 'edit_file', input: { path: 'src/b.ts' }, ms: 180, key: 'b' },
    { name: 'edit_file', input: { path: 'src/a.ts' }, ms: 150, key: 'a' },
    { name: 'run_tests', ms: 900, safe: false },
    { name: 'read_file', input: { path: 'src/a.ts' }, ms: 80 },
    { name: 'edit_file', input: { path: 'src/b.ts' }, ms: 120, key: 'b' },
    { name: 'list_dir', input: { path: 'docs' }, ms: 40 },
  ],
  waves: [[0, 1, 2, 3, 6, 8], [4, 7], [5]],
  permits: 3,
};

/** A run of many calls in waves of `size`, with durations and outcomes that look random and never change. */
export function manyCalls(count: number, size: number, permits: number): MadeRun {
  const outcomes: Outcome[] = ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'soft', 'ok', 'cancelled', 'ok', 'hard'];
  const calls = Array.from(
    { length: count },
    (_, index): MadeCall => ({
      name: ['read', 'grep', 'edit', 'list'][index % 4]!,
      input: { path: `src/part${index % 17}/file${index}.ts` },
      ms: ((index * 7919) % 97) / 8,
      safe: index % 23 !== 0,
      outcome: outcomes[(index * 31) % outcomes.length]!,
    }),
  );
  const waves = Array.from({ length: Math.ceil(count / size) }, (_, wave) =>
    Array.from({ length: Math.min(size, count - wave * size) }, (_, at) => wave * size + at),
  );
  return { calls, waves, permits };
}
