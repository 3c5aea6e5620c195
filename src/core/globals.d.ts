// The few globals that Node, browsers and web workers share: all that the core may use beside the language itself.
declare class AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare function setTimeout(run: () => void, ms?: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare const performance: { now(): number };
declare const console: { error(...what: unknown[]): void };
interface MessagePort {
  addEventListener(type: 'message', listener: () => void): void;
  start(): void;
  postMessage(message: unknown): void;
  close(): void;
}
declare class MessageChannel {
  readonly port1: MessagePort;
  readonly port2: MessagePort;
}

declare function queueMicrotask(run: () => void): void;
