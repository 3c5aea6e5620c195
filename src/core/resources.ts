/**
 * Hierarchical resources (DESIGN section 2): one lies under another by path segment, never by string prefix, and two
 * accesses conflict when one resource is the other or lies over it, and at least one is a write.
 */
import { type Access, EVERYTHING } from './model.ts';

/**
 * The segments from the top to the resource itself; none for `EVERYTHING`, which lies over all. Empty segments between
 * slashes count only in front (`file:///w` has an empty host), so a doubled or trailing slash makes no other resource.
 */
export function segmentsOf(resource: string): readonly string[] {
  if (resource === EVERYTHING) return [];
  const scheme = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(resource)?.[0];
  const rest = scheme === undefined ? resource : resource.slice(scheme.length);
  const segments = rest.split('/').filter((segment) => segment !== '');
  if (scheme !== undefined) return [scheme, ...segments];
  return rest.startsWith('/') ? ['/', ...segments] : segments;
}

/** Whether `resource` is `other` or lies over it. */
export function covers(resource: string, other: string): boolean {
  if (resource === other) return true;
  const over = segmentsOf(resource);
  const under = segmentsOf(other);
  return over.length <= under.length && over.every((segment, index) => segment === under[index]);
}

/** Whether two accesses may not overlap. */
export function conflict(a: Access, b: Access): boolean {
  if (a.mode === 'read' && b.mode === 'read') return false;
  return covers(a.resource, b.resource) || covers(b.resource, a.resource);
}

/** The first pair of conflicting accesses of two calls, if any. */
export function firstConflict(
  a: readonly Access[],
  b: readonly Access[],
): readonly [Access, Access] | undefined {
  for (const one of a) for (const other of b) if (conflict(one, other)) return [one, other];
  return undefined;
}
