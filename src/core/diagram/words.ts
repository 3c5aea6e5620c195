/** How the diagrams name calls, waves and times. */
import type { CallRow, WaveRow } from '../state.ts';
import { literal, literalTail } from './escape.ts';
import { callTarget } from './target.ts';

const NAME = 40;
const TARGET = 60;
const KEY = 36;

/** `#35;1`: a call's number, escaped. */
export function number(call: number): string {
  return `#35;${call + 1}`;
}

/** `#35;3 edit_file src/a.ts`, escaped. */
export function callTitle(row: Pick<CallRow, 'index' | 'name' | 'input' | 'speculation'>): string {
  const name = literal(row.name, NAME) || '(no name)';
  const target = literal(callTarget(row.input ?? row.speculation?.input), TARGET);
  return `${number(row.index)} ${name}${target === '' ? '' : ` ${target}`}`;
}

/** `key src/a.ts`, escaped, and of a long one the end. */
export function keyWords(key: string): string {
  return `key ${literalTail(key, KEY)}`;
}

/** `Wave 1 · 6 calls`, `Wave 3 · unsafe, alone`. */
export function waveTitle(wave: WaveRow): string {
  return `Wave ${wave.index + 1} · ${wave.closed ? 'unsafe, alone' : callCount(wave.calls.size)}`;
}

/** `1 call`, `6 calls`. */
export function callCount(n: number): string {
  return `${n} ${n === 1 ? 'call' : 'calls'}`;
}

/** A span of time: `<1 ms` is written with an entity. */
export function span(ms: number): string {
  if (ms < 1) return '#lt;1 ms';
  if (ms < 10) return `${ms.toFixed(1).replace(/\.0$/, '')} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_999.5) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** A moment of the run: `0 ms`, `3.2 ms`, `1.37 s`. */
export function moment(ms: number): string {
  return ms === 0 ? '0 ms' : ms < 1 ? `${ms.toFixed(1)} ms` : span(ms);
}
