import type { ViewState } from '../../src/core/state.ts';

/** A selector that computes once per state: states never change, so what was drawn from one stays true. */
export function perState<T>(compute: (state: ViewState) => T): (state: ViewState) => T {
  const known = new WeakMap<ViewState, T>();
  return (state) => {
    const found = known.get(state);
    if (found !== undefined) return found;
    const value = compute(state);
    known.set(state, value);
    return value;
  };
}
