// Input while it streams: each chunk read as it comes, against parsing what there is again with each chunk, and against
// the Anthropic SDK's own stream. Prints ratios; asserts nothing. `node test/bench/streamedInput.mjs`
import { MessageStream } from '@anthropic-ai/sdk/lib/MessageStream';
import { parse as parsePartial } from 'partial-json';
import { loadCore, printTable, race, times } from './measure.mjs';

const core = await loadCore('stream/closedArguments.ts', 'stream/inputText.ts');
const SIZES = [10_000, 100_000, 1_000_000, 4_000_000];
const LARGEST_OF_OTHERS = 1_000_000;
const CHUNK = 20;
/** Parsing again with each chunk is quadratic: beyond these sizes only a part is run, and the rest reckoned. */
const PARTIAL_WHOLE = 10_000;
const SDK_WHOLE = 100_000;
const SDK_PREFIX = 200_000;
const SAMPLES = 60;

const LINE = '  const name = await read("src/größe.ts"); // "quoted", C:\\temp, 😀\n';

function inputOf(size) {
  const content = LINE.repeat(Math.ceil(size / JSON.stringify(LINE).length));
  return JSON.stringify({ file_path: 'src/app.ts', content });
}

function chunksOf(text) {
  const chunks = [];
  for (let at = 0; at < text.length; at += CHUNK) chunks.push(text.slice(at, at + CHUNK));
  return chunks;
}

/** All that is done with an input: arguments as they close, the whole at the end. */
function ours(chunks) {
  const closed = core.createClosedArguments();
  const input = core.createInputText();
  for (const chunk of chunks) {
    closed.add(chunk);
    input.add(chunk);
  }
  const { inputError } = input.close();
  if (inputError !== undefined || closed.known.size !== 2) throw new Error('The input was not read.');
}

/** The longest that one step keeps everything else waiting. */
function longestStalls(chunks) {
  const longest = { add: 0, close: 0, 'close, cut off': 0 };
  const timed = (name, run) => {
    const start = performance.now();
    run();
    longest[name] = Math.max(longest[name], performance.now() - start);
  };
  const closed = core.createClosedArguments();
  const [whole, cut] = [core.createInputText(), core.createInputText()];
  for (const [index, chunk] of chunks.entries()) {
    timed('add', () => {
      closed.add(chunk);
      whole.add(chunk);
    });
    if (index < chunks.length - 1) cut.add(chunk);
  }
  timed('close', () => whole.close());
  timed('close, cut off', () => cut.close());
  return longest;
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** Milliseconds to parse all that has come with each chunk, from evenly spaced chunks where there are too many. */
function partialJson(text) {
  const count = Math.ceil(text.length / CHUNK);
  const step = text.length < PARTIAL_WHOLE * 2 ? 1 : count / SAMPLES;
  let ms = 0;
  for (let at = step / 2; at < count; at += step) {
    const prefix = text.slice(0, Math.ceil(at) * CHUNK);
    const start = performance.now();
    parsePartial(prefix);
    ms += (performance.now() - start) * step;
  }
  return ms;
}

/** Milliseconds that the SDK's stream takes with the events of one tool call, as it passes them between processes. */
async function sdk(chunks, listens) {
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: {} };
  const block = { type: 'tool_use', id: 't', name: 'write', input: {} };
  const events = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    ...chunks.map((partial_json) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ];
  const lines = events.map((event) => new TextEncoder().encode(`${JSON.stringify(event)}\n`));
  const start = performance.now();
  const stream = MessageStream.fromReadableStream(ReadableStream.from(lines));
  let heard = 0;
  if (listens) stream.on('inputJson', () => heard++);
  const { content } = await stream.finalMessage();
  const ms = performance.now() - start;
  if (Object.keys(content[0].input).length === 0) throw new Error('The SDK has read nothing.');
  if (listens && heard !== chunks.length) throw new Error('The SDK did not tell of each chunk.');
  return ms;
}

/** With a listener, from a beginning where the whole would take minutes: its time grows with the square. */
async function sdkListening(chunks, size) {
  if (size <= SDK_WHOLE) return sdk(chunks, true);
  const beginning = chunksOf(inputOf(SDK_PREFIX));
  return (await sdk(beginning, true)) * (chunks.length / beginning.length) ** 2;
}

const results = {};
for (const size of SIZES) {
  const text = inputOf(size);
  const chunks = chunksOf(text);
  const rounds = size > 1_000_000 ? 7 : 15;
  const least = await race({ floor: () => JSON.parse(text), ours: () => ours(chunks) }, { rounds });
  const stalls = Array.from({ length: 5 }, () => longestStalls(chunks));
  for (const name of Object.keys(stalls[0])) least[name] = median(stalls.map((stall) => stall[name]));
  if (size <= LARGEST_OF_OTHERS) {
    await sdk(chunks, false);
    least.sdk = Math.min(await sdk(chunks, false), await sdk(chunks, false), await sdk(chunks, false));
    least.listening = await sdkListening(chunks, size);
    least.partial = partialJson(text);
  }
  results[size] = least;
}

const ms = (value) => (value === undefined ? '–' : value.toFixed(value < 10 ? 2 : 0));
const sizeName = (size) => (size < 1_000_000 ? `${size / 1_000} KB` : `${size / 1_000_000} MB`);
const growth = (name, from, to) =>
  Math.log(results[to][name] / results[from][name]) / Math.log(inputOf(to).length / inputOf(from).length);

printTable(
  ['ms, in brackets over ours', ...SIZES.map(sizeName)],
  [
    ['`JSON.parse` once, at the end', 'floor'],
    ['ours', 'ours'],
    ['the SDK’s stream, nobody listening', 'sdk'],
    ['the SDK’s stream, `inputJson` listened to', 'listening'],
    ['`partial-json` with each chunk', 'partial'],
  ].map(([label, name]) => [
    label,
    ...SIZES.map((size) => {
      const least = results[size];
      if (least[name] === undefined) return '–';
      const sampled =
        (name === 'partial' && size > PARTIAL_WHOLE) || (name === 'listening' && size > SDK_WHOLE);
      return `${ms(least[name])} (${times(least[name] / least.ours)})${sampled ? ' sampled' : ''}`;
    }),
  ]),
);

const steps = SIZES.slice(1).map((size, index) => [SIZES[index], size]);
printTable(
  [
    'exponent of growth',
    ...steps.map(([from, to]) => `${sizeName(from)} to ${sizeName(to)}`),
    'over all sizes',
  ],
  ['floor', 'ours'].map((name) => [
    name === 'floor' ? '`JSON.parse`' : 'ours',
    ...[...steps, [SIZES[0], SIZES.at(-1)]].map(([from, to]) => growth(name, from, to).toFixed(2)),
  ]),
);

printTable(
  ['longest stall, ms', ...SIZES.map(sizeName)],
  ['add', 'close', 'close, cut off'].map((name) => [name, ...SIZES.map((size) => ms(results[size][name]))]),
);
