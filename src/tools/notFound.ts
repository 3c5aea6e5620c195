import { ToolError } from './errors.ts';
import { displayPath } from './paths.ts';
import type { Files } from './ports.ts';
import { baseName, joinUri, parentUri } from './uri.ts';

/**
 * Says that a file is missing, and which names in its folder are close, or where the path stops being right. Only the
 * words of this error depend on the folder, so listing it is no declared access: that would make every read wait for
 * every write in the folder of its file.
 */
export async function notFound(uri: string, files: Files): Promise<ToolError> {
  const path = displayPath(uri, files.roots);
  const names = await namesIn(parentUri(uri), files);
  if (names === undefined) {
    return new ToolError(
      'not-found',
      `${path} does not exist, nor does its folder. Use glob to find the file.`,
    );
  }
  const wanted = baseName(uri).toLowerCase();
  const stem = wanted.replace(/\.[^.]*$/, '');
  const close = names.filter((name) => {
    const lower = name.toLowerCase();
    return lower === wanted || (stem !== '' && lower.startsWith(stem)) || wanted.startsWith(`${lower}.`);
  });
  const shown = close.slice(0, 3).map((name) => displayPath(joinUri(parentUri(uri), name), files.roots));
  const hint = shown.length > 0 ? `Did you mean ${shown.join(' or ')}?` : 'Use glob to find the file.';
  return new ToolError('not-found', `${path} does not exist. ${hint}`);
}

async function namesIn(folder: string, files: Files): Promise<readonly string[] | undefined> {
  try {
    return (await files.list(folder)).map((entry) => entry.name);
  } catch {
    return undefined;
  }
}
