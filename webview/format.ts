/** How numbers and times are worded, everywhere in the panel. */

/** A span of time: "<1 ms", "4.6 ms", "290 ms", "1.370 s", "2 min 05 s". */
export function duration(ms: number): string {
  if (ms < 1) return '<1 ms';
  if (ms < 10) return `${trimmed(ms)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_999.5) return `${(ms / 1000).toFixed(3)} s`;
  return minutes(ms);
}

/**
 * A moment of a run that lasts `total` milliseconds, in one unit for the whole run: "4.6 ms" in a short one,
 * "0.290 s" in one of seconds, "2 min 05 s" in a long one.
 */
export function moment(ms: number, total: number): string {
  if (total < 100) return `${ms.toFixed(1)} ms`;
  if (total < 60_000) return `${(ms / 1000).toFixed(3)} s`;
  return minutes(ms);
}

/** "1 call", "6 calls". */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}

/** 5000 as "5,000". */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** 1st, 2nd, 3rd, 11th. */
export function ordinal(n: number): string {
  const tens = n % 100;
  const suffix = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${grouped(n)}${suffix}`;
}

/** The first `length` characters of a text, with an ellipsis where it was longer. Never half a surrogate pair. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function trimmed(ms: number): string {
  return ms.toFixed(1).replace(/\.0$/, '');
}

function minutes(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}
