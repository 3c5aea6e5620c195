/**
 * Listening to an abort signal, one listener for all that ask: a caller's signal may serve thousands of batches, and
 * runtimes warn from eleven listeners on (https://github.com/QwenLM/qwen-code/pull/4366).
 */

/** Who asked, by signal; gone with the signal, or when the last has stopped asking. */
const asked = new WeakMap<AbortSignal, { readonly tell: Set<() => void>; readonly listener: () => void }>();

/** Calls `tell` once when the signal aborts, in order of asking, until the returned function is called. */
export function whenAborted(signal: AbortSignal, tell: () => void): () => void {
  const own = () => tell(); // one place for each that asks, even with the same function
  const known = asked.get(signal) ?? listen(signal);
  known.tell.add(own);
  return () => {
    known.tell.delete(own);
    if (known.tell.size > 0) return;
    signal.removeEventListener('abort', known.listener);
    if (asked.get(signal) === known) asked.delete(signal);
  };
}

function listen(signal: AbortSignal) {
  const tell = new Set<() => void>();
  const listener = () => {
    asked.delete(signal);
    for (const one of tell) one();
  };
  const known = { tell, listener };
  asked.set(signal, known);
  signal.addEventListener('abort', listener, { once: true });
  return known;
}
