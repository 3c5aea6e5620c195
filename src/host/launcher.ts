import type { Session } from '../tools/session.ts';
import type { Panel } from './panel.ts';
import type { Calls, Runner, RunOutcome, RunRequest } from './runner.ts';
import type { Settings } from './settings.ts';
import type { FilesChoice, Toolset } from './toolset.ts';

export interface LaunchRequest
  extends Partial<Pick<RunRequest, 'strategy' | 'maxConcurrency' | 'onHardError' | 'signal' | 'loopCheck'>> {
  readonly calls: Calls;
  readonly files: FilesChoice;
  /** What the asker has seen of the files; absent: nothing yet. */
  readonly session?: Session;
  readonly notes?: readonly string[];
  /** The user asked for a picture. Absent: the setting `waves.openOnBatch` decides. */
  readonly showPanel?: boolean;
}

export interface LaunchParts {
  readonly runner: Runner;
  readonly panel: Panel;
  readonly toolset: Toolset;
  readonly log: { debug(message: string): void };
  readSettings(): Settings;
}

/** Runs batches with the user's settings and tools, and opens the panel where that is wanted. */
export class Launcher {
  readonly #parts: LaunchParts;
  #launched = 0;

  constructor(parts: LaunchParts) {
    this.#parts = parts;
  }

  /**
   * @throws {BatchRefused} for a batch whose ids make it unusable.
   */
  async launch(request: LaunchRequest): Promise<RunOutcome> {
    const { runner, panel, toolset, log } = this.#parts;
    const settings = this.#parts.readSettings();
    const { registry, notes, keyOf } = await toolset.prepare(
      request.files,
      settings.profile,
      request.session,
    );
    const maxConcurrency = request.maxConcurrency ?? (settings.maxConcurrency || undefined);
    const opens =
      request.showPanel ??
      (settings.openOnBatch === 'always' ||
        (settings.openOnBatch === 'firstInSession' && this.#launched === 0));
    const outcome = await runner.run({
      calls: request.calls,
      registry,
      strategy: request.strategy ?? settings.strategy,
      ...(maxConcurrency !== undefined && { maxConcurrency }),
      onHardError: request.onHardError ?? settings.onHardError,
      ...(request.signal && { signal: request.signal }),
      ...(request.loopCheck && { loopCheck: request.loopCheck }),
      resolve: keyOf,
      notes: [...notes, ...(request.notes ?? [])],
      started: (batch) => {
        this.#launched++;
        if (opens) panel.show(batch);
      },
    });
    for (const [index, { name, isError, durationMs, content }] of (outcome.results ?? []).entries()) {
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      log.debug(
        `#${index + 1} ${name} ${isError ? 'soft error' : 'ok'}, ${durationMs} ms: ${text.slice(0, 500)}`,
      );
    }
    return outcome;
  }
}
