/** Waiting on a clock, until a signal says otherwise. */
import { whenAborted } from './abort.ts';
import type { Clock } from './clock.ts';

/** Resolves after so many milliseconds; rejects with the reason of the first signal that aborts. Leaves nothing behind. */
export function sleep(clock: Clock, ms: number, ...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = signals.find((signal) => signal.aborted);
    if (aborted) return reject(aborted.reason);
    const forgets: (() => void)[] = [];
    const forget = () => {
      for (const one of forgets) one();
    };
    forgets.push(
      clock.after(ms, () => {
        forget();
        resolve();
      }),
    );
    for (const signal of signals) {
      forgets.push(
        whenAborted(signal, () => {
          forget();
          reject(signal.reason);
        }),
      );
    }
  });
}
