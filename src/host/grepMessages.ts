import type { Found, MatchLimits } from '../tools/ports.ts';

/** What the search thread is asked, one question at a time, and what it answers. */
export type GrepRequest =
  | { readonly kind: 'start'; readonly pattern: string; readonly flags: string }
  | { readonly kind: 'lines'; readonly text: string; readonly limits: MatchLimits }
  | { readonly kind: 'test'; readonly strings: readonly string[] };

export type GrepAnswer =
  | { readonly kind: 'started' }
  | { readonly kind: 'found'; readonly found: Found }
  | { readonly kind: 'tested'; readonly matches: readonly boolean[] }
  | { readonly kind: 'refused'; readonly message: string };
