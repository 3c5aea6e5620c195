/** JSON text that is equal for equal values, whatever the order of their keys. */
import { isRecord } from './record.ts';

/** @throws {TypeError} for values that JSON cannot hold, circular ones say. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) => (isRecord(inner) ? sorted(inner) : inner)) ?? 'undefined'
  );
}

/** A copy without a prototype, so that a key named `__proto__` stays a key. */
function sorted(value: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value).sort()) copy[key] = value[key];
  return copy;
}
