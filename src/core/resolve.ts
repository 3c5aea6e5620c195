/**
 * The resolving step (DESIGN section 2): after tools have declared resources as they were spelled, and before planning,
 * each resource gets the one key that it has however it is spelled. This is the only I/O before a run.
 */
import { type Declared, unsafe } from './declare.ts';
import { messageOf } from './errors.ts';
import { EVERYTHING } from './model.ts';

/**
 * The declarations with every resource and key resolved. A call that names one which cannot be resolved is unsafe, and
 * says why.
 * @param resolve asked once for each different resource
 */
export async function resolveKeys(
  declarations: readonly Declared[],
  resolve: (resource: string) => Promise<string> | string,
): Promise<readonly Declared[]> {
  const asked = new Map<string, Promise<string | Error>>();
  for (const resource of declarations.flatMap(resourcesOf)) {
    if (resource !== EVERYTHING && !asked.has(resource)) asked.set(resource, ask(resource, resolve));
  }
  const found = new Map<string, string | Error>();
  for (const [resource, answer] of asked) found.set(resource, await answer);
  return declarations.map((declared) => resolved(declared, found));
}

function resolved(declared: Declared, found: ReadonlyMap<string, string | Error>): Declared {
  const { key, accesses } = declared;
  for (const resource of resourcesOf(declared)) {
    const answer = found.get(resource);
    if (answer instanceof Error) return unsafe(`${resource} cannot be resolved: ${answer.message}`);
  }
  const of = (resource: string) => String(found.get(resource) ?? resource);
  return {
    ...declared,
    ...(key !== undefined && { key: of(key) }),
    accesses: accesses.map(({ resource, mode }) => ({ resource: of(resource), mode })),
  };
}

function resourcesOf({ key, accesses, refusal }: Declared): string[] {
  if (refusal !== undefined) return []; // it will not run
  const resources = accesses.map(({ resource }) => resource);
  return key === undefined ? resources : [key, ...resources];
}

async function ask(
  resource: string,
  resolve: (resource: string) => Promise<string> | string,
): Promise<string | Error> {
  try {
    const key: unknown = await resolve(resource);
    return typeof key === 'string' && key !== '' ? key : new Error('the answer is no key.');
  } catch (error) {
    return new Error(messageOf(error));
  }
}
