import { Worker } from 'node:worker_threads';
import { ToolError } from '../tools/errors.ts';
import type { Matcher, Matching } from '../tools/ports.ts';
import type { GrepAnswer, GrepRequest } from './grepMessages.ts';

export interface GrepMatcherOptions {
  /** The bundled search thread, dist/grepWorker.js. */
  readonly workerPath: string;
  /** The most that one text may take, in milliseconds. Default 1,800: the answer then stands within 2 s (case 33). */
  readonly textMs?: number;
  /** The most that all texts of one search may take together. Default 20,000. */
  readonly searchMs?: number;
}

export interface GrepMatcher extends Matcher {
  /** Ends all search threads. */
  dispose(): void;
}

/** How long a thread may take to begin, which on a busy machine says nothing about the pattern. */
const startMs = 10_000;
const idleThreads = 2;

/** Matches in threads of their own, so that no pattern ever blocks this one; a slow one is ended with its thread. */
export function createGrepMatcher(options: GrepMatcherOptions): GrepMatcher {
  const { workerPath, textMs = 1800, searchMs = 20_000 } = options;
  const idle: Worker[] = [];
  const all = new Set<Worker>();

  function take(): Worker {
    const reused = idle.pop();
    if (reused !== undefined) return reused;
    const worker = new Worker(workerPath, { resourceLimits: { maxOldGenerationSizeMb: 512 } });
    all.add(worker);
    worker.once('exit', () => {
      all.delete(worker);
      const at = idle.indexOf(worker);
      if (at !== -1) idle.splice(at, 1);
    });
    worker.on('error', () => {}); // an answer that is waited for hears of it too
    return worker;
  }

  function giveBack(worker: Worker): void {
    worker.unref();
    if (all.has(worker) && idle.length < idleThreads) idle.push(worker);
    else void worker.terminate();
  }

  return {
    async start(pattern, flags, signal): Promise<Matching> {
      const worker = take();
      let usable = true;
      let spent = 0;

      async function ask(request: GrepRequest, limit: number): Promise<GrepAnswer> {
        if (!usable) throw new ToolError('timed-out', 'The search was ended.');
        const began = performance.now();
        try {
          const answered = await answerOf(worker, request, Math.min(limit, searchMs - spent), signal);
          if (answered.kind === 'refused') throw new ToolError('invalid-pattern', answered.message);
          return answered;
        } catch (error) {
          if (!(error instanceof ToolError && error.code === 'invalid-pattern')) {
            usable = false;
            void worker.terminate();
          }
          throw error;
        } finally {
          if (request.kind !== 'start') spent += performance.now() - began;
        }
      }

      const end = async () => {
        if (usable) giveBack(worker);
        usable = false;
      };
      try {
        await ask({ kind: 'start', pattern, flags }, startMs);
      } catch (error) {
        await end();
        throw error;
      }
      return {
        async lines(text, limits) {
          const answered = await ask({ kind: 'lines', text, limits }, textMs);
          return answered.kind === 'found' ? answered.found : { lines: [], hits: 0 };
        },
        async test(strings) {
          const answered = await ask({ kind: 'test', strings }, textMs);
          return answered.kind === 'tested' ? answered.matches : [];
        },
        [Symbol.asyncDispose]: end,
      };
    },
    dispose() {
      for (const worker of all) void worker.terminate();
    },
  };
}

/** Asks once and waits for the answer, the limit, the caller's abort, or the thread's end, whichever is first. */
function answerOf(
  worker: Worker,
  request: GrepRequest,
  limit: number,
  signal: AbortSignal,
): Promise<GrepAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
      finish();
    };
    const fail = (error: ToolError) => settle(() => reject(error));
    const onMessage = (answer: GrepAnswer) => settle(() => resolve(answer));
    const onError = (error: Error) => fail(new ToolError('io', `The search failed: ${error.message}`));
    const onExit = () => fail(new ToolError('io', 'The search ended too early. Try a simpler pattern.'));
    const onAbort = () => fail(new ToolError('interrupted', 'Interrupted before it was done.'));
    const timer = setTimeout(() => fail(timedOut(limit)), Math.max(0, limit));
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    signal.addEventListener('abort', onAbort, { once: true });
    worker.ref();
    if (signal.aborted) onAbort();
    else worker.postMessage(request);
  });
}

function timedOut(limit: number): ToolError {
  const seconds = (Math.max(0, limit) / 1000).toFixed(1);
  return new ToolError(
    'timed-out',
    `The search timed out after ${seconds} s. Simplify the pattern (nested repetition such as (a+)+ is slow), or search fewer files.`,
  );
}
