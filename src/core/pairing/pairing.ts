/**
 * Once the model has emitted a tool call, exactly one result with its id follows: in the next message, first in it,
 * contiguous, in call order (DESIGN section 6; https://github.com/QwenLM/qwen-code/issues/8161).
 */
import { type CallRef, type Form, formOf, type Message, type ResultRef } from './forms.ts';

export interface PairingProblem {
  readonly kind:
    | 'missing-result'
    | 'orphan-result'
    | 'duplicate-result'
    | 'duplicate-call'
    | 'wrong-order'
    | 'not-first'
    | 'not-next';
  /** Index of the message in which it shows. */
  readonly message: number;
  readonly id: string;
  /** One sentence, with the message's number as people count. */
  readonly text: string;
}

/** What is wrong with the pairing of calls and results; empty when all is well. Anthropic's and OpenAI's forms. */
export function checkPairing(messages: readonly Message[]): PairingProblem[] {
  const form = formOf(messages);
  const problems: PairingProblem[] = [];
  const say = (kind: PairingProblem['kind'], message: number, id: string, text: string) =>
    problems.push({ kind, message, id, text: `Message ${message + 1}: ${text}` });

  const elsewhere = placesOf(messages, form);
  const claimed = new Set<Message>();
  for (const [at, message] of messages.entries()) {
    const calls = form.callsOf(message);
    if (calls.length === 0) continue;
    const answers = answersAfter(messages, at, form);
    const seen = new Set<string>();
    const order: number[] = [];
    for (const [place, { id, name }] of calls.entries()) {
      if (seen.has(id)) {
        say('duplicate-call', at, id, `the id "${id}" stands twice; ids of one message must differ.`);
        continue;
      }
      seen.add(id);
      const own = answers.filter((answer) => answer.result.id === id);
      const [first, ...more] = own;
      for (const answer of own) claimed.add(answer.result.value);
      if (first) {
        order.push(answers.indexOf(first));
        if (first.result.afterOther)
          say(
            'not-first',
            first.message,
            id,
            `the result of "${id}" stands after other content; results come first.`,
          );
        for (const twice of more) say('duplicate-result', twice.message, id, `a second result for "${id}".`);
        continue;
      }
      const late = elsewhere
        .get(id)
        ?.find(({ message: where, result }) => where > at && !claimed.has(result.value));
      if (late) {
        claimed.add(late.result.value);
        say(
          'not-next',
          late.message,
          id,
          `the result of "${id}" must follow call ${place + 1} of message ${at + 1} at once.`,
        );
      } else say('missing-result', at, id, `call "${id}" (${name}) has no result.`);
    }
    if (order.some((position, index) => index > 0 && position < (order[index - 1] ?? 0))) {
      say('wrong-order', at + 1, calls[0]?.id ?? '', 'the results do not stand in the order of the calls.');
    }
  }
  for (const places of elsewhere.values()) {
    for (const { message, result } of places) {
      if (!claimed.has(result.value))
        say('orphan-result', message, result.id, `the result for "${result.id}" has no call before it.`);
    }
  }
  return problems;
}

/**
 * The conversation with its pairing mended: results moved behind their calls and into their order, a second one left
 * out, one without a call left out, a missing one made up as an error. What was well stays the same object.
 */
export function repairPairing(messages: readonly Message[]): Message[] {
  if (checkPairing(messages).length === 0) return [...messages];
  const form = formOf(messages);
  const places = placesOf(messages, form);
  const used = new Set<Message>();
  const repaired: Message[] = [];
  let skip = 0;
  for (const [at, message] of messages.entries()) {
    if (skip > 0) {
      skip--;
      continue;
    }
    const calls = form.callsOf(message);
    if (calls.length === 0) {
      const rest = form.resultsOf(message).length > 0 ? form.withoutResults(message) : message;
      if (rest) repaired.push(rest);
      continue;
    }
    const { kept, distinct } = withoutSecondIds(message, calls, form);
    const results = distinct.map((call) => {
      const result = places
        .get(call.id)
        ?.find(({ message: where, result: one }) => where > at && !used.has(one.value))?.result;
      if (result) used.add(result.value);
      return result?.value ?? form.missing(call);
    });
    const next = messages[at + 1];
    const answers = next !== undefined && form.mayAnswer(next);
    if (answers && form.together) skip = 1;
    repaired.push(
      kept,
      ...form.answer(results, answers && form.together ? form.withoutResults(next) : undefined),
    );
  }
  return repaired;
}

interface Place {
  readonly message: number;
  readonly result: ResultRef;
}

/** Every result by its id, in order. */
function placesOf(messages: readonly Message[], form: Form): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  for (const [message, one] of messages.entries()) {
    for (const result of form.resultsOf(one)) {
      const list = places.get(result.id) ?? [];
      list.push({ message, result });
      places.set(result.id, list);
    }
  }
  return places;
}

/** The results that stand where those of message `at` belong. */
function answersAfter(messages: readonly Message[], at: number, form: Form): Place[] {
  const answers: Place[] = [];
  for (let message = at + 1; message < messages.length; message++) {
    const one = messages[message];
    if (!one || !form.mayAnswer(one)) break;
    answers.push(...form.resultsOf(one).map((result) => ({ message, result })));
    if (form.together) break;
  }
  return answers;
}

/** The message and its calls with each id once: no provider takes two calls of one id, and no result could be told apart. */
function withoutSecondIds(
  message: Message,
  calls: readonly CallRef[],
  form: Form,
): { kept: Message; distinct: readonly CallRef[] } {
  const seen = new Set<string>();
  const second = new Set<number>();
  const distinct = calls.filter(({ id }, place) => {
    if (seen.has(id)) second.add(place);
    return !seen.has(id) && seen.add(id);
  });
  const kept = second.size === 0 ? message : (form.withoutCalls(message, second) ?? message);
  return { kept, distinct };
}
