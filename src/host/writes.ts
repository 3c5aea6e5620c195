import { declare } from '../core/declare.ts';
import type { ToolCall } from '../core/model.ts';
import { EVERYTHING } from '../core/model.ts';
import type { Registry } from '../core/tools.ts';

/** One call that may change something, in words: `edit src/c.ts`. */
export interface Write {
  readonly call: number;
  readonly words: string;
}

/** What the calls of a batch may write, as their tools declare it. Calls that cannot run are left out. */
export function writesOf(
  calls: readonly ToolCall[],
  registry: Registry,
  nameOf: (resource: string) => string,
): readonly Write[] {
  return calls.flatMap((call, index) => {
    const { accesses, refusal } = declare(call, registry);
    const written = refusal === undefined ? accesses.filter(({ mode }) => mode === 'write') : [];
    if (written.length === 0) return [];
    const what = written.map(({ resource }) => (resource === EVERYTHING ? anything(call) : nameOf(resource)));
    return [{ call: index, words: `${call.name} ${what.join(', ')}` }];
  });
}

/** A call that declares to write everything; its path says more, where it has one. */
function anything({ input }: ToolCall): string {
  const path =
    typeof input === 'object' && input !== null && 'file_path' in input ? input.file_path : undefined;
  return typeof path === 'string' ? path : '(may write anything)';
}
