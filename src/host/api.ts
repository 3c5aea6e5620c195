import type { WavesEvent } from '../core/events.ts';
import type { HardErrorMode, StrategyName, ToolCall, ToolResult } from '../core/model.ts';
import type { AnyEvent } from '../core/reduce.ts';
import type { StreamEvent } from '../core/stream/streamEvent.ts';
import type { Tool } from '../core/tools.ts';
import type { BatchInfo } from '../protocol/messages.ts';
import { type Batches, infoOf } from './batches.ts';
import type { Subscription } from './emitter.ts';
import type { Launcher } from './launcher.ts';
import type { Panel, PanelState } from './panel.ts';
import type { Runner } from './runner.ts';
import { ApiSessions } from './sessions.ts';
import type { FilesChoice, Toolset } from './toolset.ts';

export interface RunBatchRequest {
  /**
   * All calls of one message; or the message as it streams in, so that calls start before it has ended. A stream that
   * breaks aborts the batch: nothing of it counts, and calls that may write have not run.
   */
  readonly calls: readonly ToolCall[] | AsyncIterable<StreamEvent>;
  /** What is left out here is as the user set it. */
  readonly strategy?: StrategyName;
  readonly maxConcurrency?: number;
  readonly onHardError?: HardErrorMode;
  /** Aborting it cancels the batch. */
  readonly signal?: AbortSignal;
  /**
   * Names the conversation that the batch belongs to. Its batches share what was read, and five equal calls in a row
   * with equal results are a loop, which ends the batch. Absent: what was read is shared with all such batches, and
   * loops are not looked for.
   */
  readonly session?: string;
  /** `workspace` (default): the user's files. `sample`: a new copy of the sample workspace in memory. */
  readonly files?: FilesChoice;
}

export interface RunBatchResult {
  readonly id: string;
  /** One a call, in request order; absent when the batch was aborted. */
  readonly results?: readonly ToolResult[];
  /** Why no result is handed out. */
  readonly aborted?: string;
  readonly events: readonly AnyEvent[];
}

/** What `activate()` returns to other extensions. It asks the user nothing: that is up to the extension that calls. */
export interface WavesApi {
  readonly version: 1;
  /**
   * Runs a batch on the built-in and the registered tools.
   * Several may run at a time: calls that conflict never overlap, whatever batch they are of.
   * @throws {BatchRefused} for an empty id, or one id with different inputs.
   */
  runBatch(request: RunBatchRequest): Promise<RunBatchResult>;
  /** Adds a tool until disposed. @throws {Error} when its name is taken. */
  registerTool(tool: Tool): Subscription;
  /** Calls `listener` with every event of every batch. */
  onEvent(listener: (event: WavesEvent, batchId: string) => void): Subscription;
  /** Cancels a batch, or without its id the one that began last. False when it does not run. */
  cancel(batchId?: string): boolean;
  /** The batches that are kept, oldest first. */
  batches(): readonly BatchInfo[];
  /** The log of a kept batch. */
  events(batchId: string): readonly AnyEvent[] | undefined;
  /** What the panel shows and has been sent. */
  panel(): PanelState;
}

/** Composes the API from the parts of the host. */
export function createApi(parts: {
  readonly batches: Batches;
  readonly runner: Runner;
  readonly launcher: Launcher;
  readonly panel: Panel;
  readonly toolset: Toolset;
}): WavesApi {
  const { batches, runner, launcher, panel, toolset } = parts;
  const sessions = new ApiSessions();
  return {
    version: 1,
    async runBatch({ files = 'workspace', session, ...request }) {
      const { seen, loopCheck } = sessions.get(session);
      const { batch, ...how } = await launcher.launch({
        ...request,
        files,
        ...(files === 'workspace' && { session: seen }),
        ...(loopCheck && { loopCheck }),
      });
      return { id: batch.id, ...how, events: batch.events };
    },
    registerTool: (tool) => toolset.register(tool),
    onEvent: (listener) => runner.events.on(({ batch, event }) => listener(event, batch.id)),
    cancel(batchId) {
      const batch = batchId === undefined ? undefined : batches.get(batchId);
      return (batchId === undefined || batch !== undefined) && runner.cancel(batch);
    },
    batches: () => batches.all.map(infoOf),
    events: (batchId) => batches.get(batchId)?.events,
    panel: () => panel.state,
  };
}
