/** JSON text that is equal for equal values, whatever the order of their keys. */

/** @throws {TypeError} for values that JSON cannot hold, circular ones say. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) => (isPlain(inner) ? sorted(inner) : inner)) ?? 'undefined'
  );
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy without a prototype, so that a key named `__proto__` stays a key. */
function sorted(value: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value).sort()) copy[key] = value[key];
  return copy;
}
