/** What an event says, in a few words. */
import { isKnownType, type WavesEvent } from '../../src/core/events.ts';
import type { AnyEvent } from '../../src/core/reduce.ts';
import { count } from '../format.ts';

/** The event as one of those that this version knows. */
export function knownEvent(event: AnyEvent | undefined): WavesEvent | undefined {
  return event !== undefined && isWavesEvent(event) ? event : undefined;
}

/** The call that an event is about; undefined for events of a wave or the whole run. */
export function eventCall(event: AnyEvent | undefined): number | undefined {
  const known = knownEvent(event);
  return known && 'call' in known ? known.call : undefined;
}

/** "call 9 running on permit 3": what happened with the last event that was taken in. */
export function describeEvent(event: AnyEvent | undefined, permit?: number): string {
  const known = knownEvent(event);
  if (!known) return event === undefined ? 'before the first event' : 'an event of a newer version';
  switch (known.type) {
    case 'batch-received':
      return known.streaming ? 'message began' : `batch of ${count(known.calls.length, 'call')} received`;
    case 'call-opened':
      return `call ${known.call + 1} began to arrive`;
    case 'argument-closed':
      return `argument ${known.name} of call ${known.call + 1} is known`;
    case 'call-closed':
      return `call ${known.call + 1} is complete`;
    case 'message-ended':
      return known.cutOff ? 'message cut off' : 'message ended';
    case 'speculation-started':
      return `call ${known.call + 1} starts early`;
    case 'speculation-confirmed':
      return `early run of call ${known.call + 1} stands`;
    case 'speculation-discarded':
      return `early run of call ${known.call + 1} discarded`;
    case 'call-declared':
      return `call ${known.call + 1} declared ${known.safe ? 'safe' : 'unsafe'}`;
    case 'decision-made':
      return `call ${known.call + 1} ${known.opened ? 'opened' : 'joined'} wave ${known.wave + 1}`;
    case 'finding-made':
      return `${known.id} found: call ${known.calls.map((call) => call + 1).join(', ')}`;
    case 'run-started':
      return 'run started';
    case 'wave-started':
      return `wave ${known.wave + 1} started`;
    case 'call-queued':
      return `call ${known.call + 1} queued`;
    case 'permit-taken':
      return `call ${known.call + 1} took permit ${known.permit + 1}`;
    case 'gate-waiting':
      return `call ${known.call + 1} waits at the gate for ${known.behind} of another batch`;
    case 'call-started':
      return `call ${known.call + 1} running${permit === undefined ? '' : ` on permit ${permit + 1}`}`;
    case 'call-progress':
      return `call ${known.call + 1} reported progress`;
    case 'access-observed':
      return `call ${known.call + 1} was seen to ${known.mode}`;
    case 'call-ended':
      return `call ${known.call + 1} ${ENDED[known.outcome]}`;
    case 'permit-returned':
      return `permit ${known.permit + 1} returned by call ${known.call + 1}`;
    case 'slot-filled':
      return `slot ${known.call + 1} filled`;
    case 'wave-ended':
      return `wave ${known.wave + 1} ended`;
    case 'cancel-requested':
      return 'cancel requested';
    case 'run-ended':
      return known.how === 'done' ? 'run ended' : 'run cancelled';
    case 'run-aborted':
      return known.how === 'cancelled' ? 'run cancelled' : 'run aborted';
  }
}

const ENDED = {
  ok: 'ended',
  soft: 'ended with a soft error',
  hard: 'ended with a hard error',
  cancelled: 'was cancelled',
  'never-started': 'never started',
} as const;

function isWavesEvent(event: AnyEvent): event is WavesEvent {
  return isKnownType(event.type);
}
