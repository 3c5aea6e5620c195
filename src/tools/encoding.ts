import { ToolError } from './errors.ts';

/** A text out of bytes, with all that is needed to make the same bytes again (case 20). */
export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
  readonly bom: boolean;
}

/**
 * Reads UTF-8 and UTF-16, by their BOM or, for UTF-16 without one, by its zero bytes. Undefined when the bytes are
 * text in neither; the caller may know another encoding.
 * @throws {ToolError} `binary` when no text encoding would explain the bytes.
 */
export function decodeUnicode(bytes: Uint8Array): DecodedText | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16(bytes.subarray(2), true, true);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16(bytes.subarray(2), false, true);
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const body = bom ? bytes.subarray(3) : bytes;
  if (!bom && bytes.includes(0)) {
    const littleEndian = zerosOnlyAt(bytes, 1);
    const bigEndian = zerosOnlyAt(bytes, 0);
    if (littleEndian !== bigEndian && bytes.length % 2 === 0) return utf16(bytes, littleEndian, false);
    throw new ToolError('binary', 'This is a binary file.');
  }
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body),
      encoding: 'utf8',
      bom,
    };
  } catch {
    return undefined;
  }
}

/** Writes what `decodeUnicode` read; undefined for other encodings. @throws {ToolError} when UTF-8 cannot hold it. */
export function encodeUnicode({ text, encoding, bom }: DecodedText): Uint8Array | undefined {
  const mark = bom ? '\ufeff' : '';
  switch (encoding) {
    case 'utf8':
    case 'utf8bom':
      if (/\p{Surrogate}/u.test(text)) {
        throw new ToolError(
          'not-text',
          'The text holds half a character (a lone surrogate), which UTF-8 cannot store.',
        );
      }
      return new TextEncoder().encode(mark + text);
    case 'utf16le':
    case 'utf16be':
      return utf16Bytes(mark + text, encoding === 'utf16le');
    default:
      return undefined;
  }
}

/** Whether two byte strings are the same. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function zerosOnlyAt(bytes: Uint8Array, parity: 0 | 1): boolean {
  const end = Math.min(bytes.length, 512);
  for (let i = 1 - parity; i < end; i += 2) if (bytes[i] === 0) return false;
  return true;
}

/** Unit by unit, so that even lone surrogates come back as they were. */
function utf16(bytes: Uint8Array, littleEndian: boolean, bom: boolean): DecodedText | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  let units: number[] = [];
  for (let i = 0; i < bytes.length; i += 2) {
    units.push(view.getUint16(i, littleEndian));
    if (units.length === 8192 || i + 2 >= bytes.length) {
      parts.push(String.fromCharCode(...units));
      units = [];
    }
  }
  return { text: parts.join(''), encoding: littleEndian ? 'utf16le' : 'utf16be', bom };
}

function utf16Bytes(text: string, littleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian);
  return bytes;
}
