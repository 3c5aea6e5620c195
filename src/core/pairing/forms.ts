/** The two shapes in which conversations hold calls and results, behind one face. */
import { isRecord } from '../record.ts';

/** A message of a provider; what is not about calls and results is handed through untouched. */
export type Message = Readonly<Record<string, unknown>>;

export interface CallRef {
  readonly id: string;
  readonly name: string;
}

export interface ResultRef {
  readonly id: string;
  /** The result as the provider has it: a content block, or a whole message. */
  readonly value: Message;
  /** Whether something that is no result stands before it in its message. */
  readonly afterOther: boolean;
}

export interface Form {
  callsOf(message: Message): readonly CallRef[];
  resultsOf(message: Message): readonly ResultRef[];
  /** The message without its results; undefined when nothing is left. */
  withoutResults(message: Message): Message | undefined;
  /** The message without the calls at these places among its calls; undefined when nothing is left. */
  withoutCalls(message: Message, places: ReadonlySet<number>): Message | undefined;
  /** Messages that hold these results and then what is left of the message that follows the calls. */
  answer(results: readonly Message[], rest: Message | undefined): readonly Message[];
  /** Whether this message may hold the results of the calls before it. */
  mayAnswer(message: Message): boolean;
  /** Whether the results of one message of calls stand in one message (Anthropic) or one message each (OpenAI). */
  readonly together: boolean;
  /** A result for a call that has none. */
  missing(call: CallRef): Message;
}

const MISSING = 'tool result missing due to an internal error';

/** OpenAI's form when any message says so, else Anthropic's. */
export function formOf(messages: readonly Message[]): Form {
  return messages.some((message) => message.role === 'tool' || Array.isArray(message.tool_calls))
    ? openai
    : anthropic;
}

const anthropic: Form = {
  together: true,
  callsOf: (message) =>
    message.role === 'assistant'
      ? blocksOf(message)
          .filter(isToolUse)
          .map(({ id, name }) => ({ id: String(id), name: String(name) }))
      : [],
  resultsOf(message) {
    let other = false;
    return blocksOf(message).flatMap((block) => {
      if (block.type === 'tool_result')
        return [{ id: String(block.tool_use_id), value: block, afterOther: other }];
      other = true;
      return [];
    });
  },
  withoutResults(message) {
    if (!Array.isArray(message.content)) return message;
    const content = blocksOf(message).filter((block) => block.type !== 'tool_result');
    return content.length > 0 ? { ...message, content } : undefined;
  },
  withoutCalls(message, places) {
    let place = -1;
    const content = blocksOf(message).filter((block) => !(isToolUse(block) && places.has(++place)));
    return content.length > 0 ? { ...message, content } : undefined;
  },
  answer: (results, rest) => [
    { role: 'user', ...rest, content: [...results, ...(rest ? blocksOf(rest) : [])] },
  ],
  mayAnswer: (message) => message.role === 'user',
  missing: ({ id }) => ({ type: 'tool_result', tool_use_id: id, content: MISSING, is_error: true }),
};

const openai: Form = {
  together: false,
  callsOf: (message) =>
    (Array.isArray(message.tool_calls) ? message.tool_calls.filter(isRecord) : []).map((call) => {
      const { name } = isRecord(call.function) ? call.function : call;
      return { id: String(call.id), name: String(name) };
    }),
  resultsOf: (message) =>
    message.role === 'tool' ? [{ id: String(message.tool_call_id), value: message, afterOther: false }] : [],
  withoutResults: (message) => (message.role === 'tool' ? undefined : message),
  withoutCalls(message, places) {
    const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
    const left = calls.filter((_, place) => !places.has(place));
    if (left.length > 0) return { ...message, tool_calls: left };
    const { tool_calls: _calls, ...rest } = message;
    return rest.content === null || rest.content === undefined || rest.content === '' ? undefined : rest;
  },
  answer: (results, rest) => (rest ? [...results, rest] : results),
  mayAnswer: (message) => message.role === 'tool',
  // The form has no mark for errors: the text says so.
  missing: ({ id }) => ({ role: 'tool', tool_call_id: id, content: `Error: ${MISSING}` }),
};

function isToolUse(block: Message): boolean {
  return block.type === 'tool_use';
}

/** Content as blocks: text alone is one block, and what is no block is left out. */
function blocksOf({ content }: Message): readonly Message[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isRecord) : [];
}
