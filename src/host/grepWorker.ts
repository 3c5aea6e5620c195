/** The search thread: runs regular expressions that others wrote, and may be ended in the middle of one (case 33). */
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../tools/errors.ts';
import { compile, searchLines } from '../tools/regex.ts';
import type { GrepAnswer, GrepRequest } from './grepMessages.ts';

const neverMatches = /(?!)/;

function createAnswers(): (request: GrepRequest) => GrepAnswer {
  let regex = neverMatches;
  return (request) => {
    switch (request.kind) {
      case 'start':
        regex = compile(request.pattern, request.flags);
        return { kind: 'started' };
      case 'lines':
        return { kind: 'found', found: searchLines(request.text, regex, request.limits) };
      case 'test':
        return { kind: 'tested', matches: request.strings.map((one) => regex.test(one)) };
    }
  };
}

const answer = createAnswers();
parentPort?.on('message', (request: GrepRequest) => {
  try {
    parentPort?.postMessage(answer(request));
  } catch (error) {
    parentPort?.postMessage({ kind: 'refused', message: messageOf(error) } satisfies GrepAnswer);
  }
});
