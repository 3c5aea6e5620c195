import { type DecodedText, decodeUnicode, encodeUnicode, sameBytes } from './encoding.ts';
import { ToolError } from './errors.ts';
import type { Codec } from './ports.ts';

/**
 * Text out of a file's bytes, refused unless it would come back as the same bytes (case 20).
 * @param path how to name the file to a person
 */
export async function decodeText(
  bytes: Uint8Array,
  encoding: string,
  codec: Codec,
  path: string,
): Promise<DecodedText> {
  const unicode = encoding.startsWith('utf') || hasBom(bytes) ? decodeNamed(bytes, path) : undefined;
  if (unicode !== undefined) return unicode;
  if (encoding.startsWith('utf')) throw notText(path, 'UTF-8');
  let text: string;
  try {
    text = await codec.decode(bytes, encoding);
  } catch {
    throw binary(path);
  }
  const back = await codec.encode(text, encoding);
  if (!sameBytes(bytes, back)) throw notText(path, encoding);
  return { text, encoding, bom: false };
}

/** The bytes of a text. @throws {ToolError} when the encoding cannot hold it. */
export async function encodeText(decoded: DecodedText, codec: Codec, path: string): Promise<Uint8Array> {
  const unicode = encodeUnicode(decoded);
  if (unicode !== undefined) return unicode;
  const bytes = await codec.encode(decoded.text, decoded.encoding);
  if ((await codec.decode(bytes, decoded.encoding)) === decoded.text) return bytes;
  throw new ToolError(
    'not-text',
    `${path} is stored as ${decoded.encoding}, which cannot hold all characters of the new text. Use plainer ones.`,
  );
}

/** How a new file is stored. */
export function newFileFormat(encoding: string): Omit<DecodedText, 'text'> {
  if (encoding === 'utf8bom') return { encoding: 'utf8', bom: true };
  return { encoding, bom: encoding === 'utf16le' || encoding === 'utf16be' };
}

function hasBom(bytes: Uint8Array): boolean {
  const [a, b, c] = bytes;
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || (a === 0xef && b === 0xbb && c === 0xbf);
}

function decodeNamed(bytes: Uint8Array, path: string): DecodedText | undefined {
  try {
    return decodeUnicode(bytes);
  } catch (error) {
    if (error instanceof ToolError && error.code === 'binary') throw binary(path);
    throw error;
  }
}

function binary(path: string): ToolError {
  return new ToolError('binary', `${path} is a binary file; only text can be read and edited.`);
}

function notText(path: string, encoding: string): ToolError {
  return new ToolError(
    'not-text',
    `${path} is not valid ${encoding}, so it cannot be read or edited without damage. ` +
      'Ask the user to save it as UTF-8, or to set "files.encoding" for it.',
  );
}
