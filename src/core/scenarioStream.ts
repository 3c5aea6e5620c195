/** A scenario whose calls say when they arrive, as the stream that a model would have sent. */
import type { Scenario } from './scenario.ts';
import type { StreamEvent } from './stream/streamEvent.ts';

export interface TimedEvent {
  /** Milliseconds since the message began. */
  readonly at: number;
  readonly event: StreamEvent;
}

/** Whether the scenario is one message that is streamed, not a batch that is there at once. */
export function isStreamed({ calls }: Scenario): boolean {
  return calls.some(({ arrivesMs }) => arrivesMs !== undefined);
}

/** When the message has ended: with its last call. */
export function messageEndMs({ calls }: Scenario): number {
  return calls.reduce((latest, { arrivesMs = 0 }) => Math.max(latest, arrivesMs), 0);
}

/**
 * One call after the other, each from the arrival of the one before to its own. Its input comes argument by argument,
 * at an even pace in characters, so that long arguments take long.
 */
export function scenarioStream(scenario: Scenario): readonly TimedEvent[] {
  const events: TimedEvent[] = [];
  let opensAt = 0;
  for (const [index, { tool, input = {}, arrivesMs = opensAt }] of scenario.calls.entries()) {
    const add = (at: number, event: StreamEvent) => events.push({ at, event });
    add(opensAt, { type: 'call-opened', index, id: `call-${index + 1}`, name: tool });
    const pieces = piecesOf(input);
    const length = pieces.join('').length;
    let sent = 0;
    for (const text of pieces) {
      sent += text.length;
      const at = opensAt + ((arrivesMs - opensAt) * sent) / length;
      add(Math.round(at * 1000) / 1000, { type: 'input-fragment', index, text });
    }
    add(arrivesMs, { type: 'call-closed', index });
    opensAt = arrivesMs;
  }
  events.push({ at: opensAt, event: { type: 'message-ended', stopReason: 'tool_use' } });
  return events;
}

/** The input's text, cut behind each argument. */
function piecesOf(input: Readonly<Record<string, unknown>>): string[] {
  const named = Object.entries(input).filter(([, value]) => value !== undefined);
  const pieces = named.map(
    ([name, value], at) => `${at === 0 ? '{' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return pieces.length === 0 ? ['{}'] : [...pieces, '}'];
}
