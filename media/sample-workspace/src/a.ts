import { greet } from './b.ts';

/** Says hello to everyone who is on board. */
export function welcome(names: readonly string[]): string {
  // TODO: sort the names, so that the output is the same every time
  return names.map(greet).join('\n');
}
