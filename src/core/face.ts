/** The core as a library (DESIGN section 11): what `dist/core.mjs` offers. Inside the project, import the files. */
export { parseBatch } from './batch.ts';
export { toMermaid } from './diagram/mermaid.ts';
export { dispatch } from './dispatch/dispatch.ts';
export { dispatchStream } from './dispatch/dispatchStream.ts';
export { createGate, type Gate } from './dispatch/gate.ts';
export type { HookContext, Hooks } from './dispatch/hooks.ts';
export { createLoopCheck, type LoopCheck } from './dispatch/loops.ts';
export type { DispatchOptions, NestedOptions } from './dispatch/options.ts';
export {
  createStreamingDispatch,
  type StreamingDispatch,
  type StreamingOptions,
} from './dispatch/streaming.ts';
export { BatchAborted, BatchRefused, HardError } from './errors.ts';
export type { Rejection, WavesEvent } from './events.ts';
export type { Finding } from './findings/finding.ts';
export { findings } from './findings/findings.ts';
export type { Access, Declaration, StrategyName, ToolCall, ToolResult } from './model.ts';
export { checkPairing, type PairingProblem, repairPairing } from './pairing/pairing.ts';
export type { Decision, Plan } from './plan/decision.ts';
export { plan } from './plan/plan.ts';
export { parseRecording, type Recording, writeRecording } from './recording.ts';
export { reduce } from './reduce.ts';
export { parseScenario, type Scenario } from './scenario.ts';
export { type Simulation, simulate } from './simulate.ts';
export { initialState, type ViewState } from './state.ts';
export { fromAnthropicStream } from './stream/anthropic.ts';
export { fromOpenAiStream } from './stream/openAi.ts';
export {
  parseStreamRecording,
  type ReplayOptions,
  replayStream,
  type StreamRecording,
} from './stream/replay.ts';
export type { StreamEvent } from './stream/streamEvent.ts';
export { fromVsCodeStream } from './stream/vscodeParts.ts';
export { createRegistry, type Registry, type Tool, type ToolContext, type ToolOutput } from './tools.ts';
