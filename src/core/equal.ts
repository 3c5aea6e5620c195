/** Whether two JSON values are the same, whatever the order of their keys. */
import { isRecord } from './record.ts';

/** Stops at the first difference. Values too deep or circular, which JSON cannot hold, count as different. */
export function equalJson(a: unknown, b: unknown): boolean {
  try {
    return equal(a, b);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function equal(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return a === b; // 0 and -0 are one number
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]))
  );
}
