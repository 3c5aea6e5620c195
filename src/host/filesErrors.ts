import { messageOf, ToolError, type ToolErrorCode } from '../tools/errors.ts';

/** What Node's and VS Code's error codes mean, in words for the model. */
const sentences: Readonly<Record<string, readonly [ToolErrorCode, string]>> = {
  ENOENT: ['not-found', 'does not exist.'],
  ENOTDIR: ['not-found', 'does not exist: something in its path is a file, not a folder.'],
  EACCES: ['denied', 'may not be accessed: permission denied.'],
  EPERM: ['denied', 'may not be accessed: permission denied.'],
  EROFS: ['denied', 'is on a read-only file system.'],
  EISDIR: ['not-a-file', 'is a folder.'],
  ELOOP: ['io', 'is a link that leads back to itself, or became one just now.'],
  ENXIO: ['not-a-file', 'is a device, pipe or socket, not a file.'],
  EEXIST: ['exists', 'exists already.'],
  ENAMETOOLONG: ['bad-path', 'has a name that is too long.'],
  ENOSPC: ['io', 'could not be written: the disk is full.'],
  EDQUOT: ['io', 'could not be written: the disk quota is used up.'],
  EBUSY: ['io', 'is in use by another program. Try again later.'],
  FileNotFound: ['not-found', 'does not exist.'],
  FileExists: ['exists', 'exists already.'],
  FileNotADirectory: ['not-a-folder', 'is not a folder.'],
  FileIsADirectory: ['not-a-file', 'is a folder.'],
  NoPermissions: ['denied', 'may not be accessed: permission denied.'],
  Unavailable: ['io', 'is not available now: its file system does not answer.'],
};

/** The code of a caught error, "" where there is none. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** A file system's error as a soft error (STYLE: a code and a sentence, never a stack). */
export function fileError(error: unknown, path: string): ToolError {
  if (error instanceof ToolError) return error;
  const [code, sentence] = sentences[codeOf(error)] ?? ['io', `could not be used: ${messageOf(error)}`];
  return new ToolError(code, `${path} ${sentence}`, { cause: error });
}

export function tooLarge(path: string, size: number, limit: number): ToolError {
  return new ToolError(
    'too-large',
    `${path} is too large: ${(size / 1e6).toFixed(1)} MB, and the limit is ${(limit / 1e6).toFixed(1)} MB. Use grep to look into it.`,
  );
}
