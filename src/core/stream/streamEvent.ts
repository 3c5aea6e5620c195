/** One stream of tool calls, whoever the provider is (DESIGN section 5): what adapters make, and the dispatcher takes. */

import { isRecord } from '../record.ts';

/** Calls are told apart by `index`: any number, the same for all events of one call. */
export type StreamEvent =
  /** The model has begun a call. */
  | { readonly type: 'call-opened'; readonly index: number; readonly id: string; readonly name: string }
  /** The next piece of its input, JSON text cut anywhere. */
  | { readonly type: 'input-fragment'; readonly index: number; readonly text: string }
  /** Its input is complete. */
  | { readonly type: 'call-closed'; readonly index: number }
  /** No more calls come. `cutOff`: the model did not end the message itself, so the last call may lack its end. */
  | { readonly type: 'message-ended'; readonly stopReason?: string; readonly cutOff?: true }
  /** The connection is lost, or what came makes no sense: nothing of the message counts. */
  | { readonly type: 'stream-broken'; readonly reason: string };

/** Whether a value is one of these, whoever sent it. */
export function isStreamEvent(value: unknown): value is StreamEvent {
  if (!isRecord(value)) return false;
  const { type, index, id, name, text, stopReason, cutOff, reason } = value;
  switch (type) {
    case 'call-opened':
      return typeof index === 'number' && typeof id === 'string' && typeof name === 'string';
    case 'input-fragment':
      return typeof index === 'number' && typeof text === 'string';
    case 'call-closed':
      return typeof index === 'number';
    case 'message-ended':
      return isOptional(stopReason, 'string') && isOptional(cutOff, 'boolean');
    case 'stream-broken':
      return typeof reason === 'string';
    default:
      return false;
  }
}

const isOptional = (value: unknown, type: string) => value === undefined || typeof value === type;
