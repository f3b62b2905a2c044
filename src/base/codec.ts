import { createRequire } from 'node:module';
import { detectEncoding, type Encoding } from './encoding.ts';
import { ToolError } from './error.ts';

/** A character that an encoding can't hold, or whose bytes would only be guessed. */
export interface Unencodable {
  readonly char: string;
  readonly why: 'missing' | 'guessed' | 'broken';
}

/** The text of a file or a part of it, without the byte-order mark. Bytes that stand for nothing become U+FFFD. */
export function decode(bytes: Buffer, encoding: Encoding = detectEncoding(bytes)): string {
  return decodeRaw(withoutBom(bytes, encoding), encoding.name);
}

function withoutBom(bytes: Buffer, { bom }: Encoding): Buffer {
  const has = bom.length > 0 && bytes.subarray(0, bom.length).equals(bom);
  return has ? bytes.subarray(bom.length) : bytes;
}

/**
 * The bytes of new text in a file's encoding, without a byte-order mark.
 *
 * Throws `conflict` naming the character when the encoding has no bytes for it, or when the encoding is only guessed
 * and the character is not ASCII. `known` names characters whose bytes are proved because the file was matched with them.
 */
export function encode(text: string, encoding: Encoding, known = ''): Buffer {
  const encoded = tryEncode(text, encoding, known);
  if (Buffer.isBuffer(encoded)) return encoded;
  throw new ToolError('conflict', unencodableText(encoded, encoding));
}

/** As `encode`, with the refusal as a value. */
export function tryEncode(text: string, encoding: Encoding, known = ''): Buffer | Unencodable {
  const surrogate = /\p{Surrogate}/u.exec(text);
  if (surrogate !== null) return { char: surrogate[0], why: 'broken' };
  const bytes = encodeRaw(text, encoding.name);
  if (isUnicode(encoding.name)) return encoding.certain ? bytes : (unproved(text, known) ?? bytes);
  if (!/[^\0-\x7f]/.test(text)) return bytes;
  return missing(text, encoding.name) ?? unproved(text, known) ?? bytes;
}

/** Text to look for, as bytes; undefined when no file in this encoding can hold it. */
export function encodeForSearch(text: string, { name }: Encoding): Buffer | undefined {
  if (/\p{Surrogate}/u.test(text)) return undefined;
  if (!isUnicode(name) && missing(text, name) !== undefined) return undefined;
  return encodeRaw(text, name);
}

/** The refusal as a sentence: which character, why, and what to do instead. */
export function unencodableText({ char, why }: Unencodable, { name }: Encoding): string {
  const named = nameCharacter(char);
  switch (why) {
    case 'missing':
      return `The file is ${name}, which has no ${named}. Use only characters that ${name} has, or convert the file to UTF-8 first.`;
    case 'guessed':
      return `The file's encoding is only guessed (${name}), so the bytes of ${named} are not certain. Use ASCII for new text, or convert the file to UTF-8 first.`;
    case 'broken':
      return `The new text has ${named}, half of a surrogate pair, which no file can hold. Send whole characters.`;
  }
}

/** `"→" (U+2192)`; what can't be seen is shown by its number alone. */
export function nameCharacter(char: string): string {
  const code = `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  return /[\p{C}\p{Z}\p{M}]/u.test(char) ? code : `"${char}" (${code})`;
}

function isUnicode(name: string): boolean {
  return name.startsWith('UTF-') || name === 'GB18030';
}

function missing(text: string, name: string): Unencodable | undefined {
  for (const char of new Set(text)) {
    if (char > '\x7f' && decodeRaw(encodeRaw(char, name), name) !== char) return { char, why: 'missing' };
  }
  return undefined;
}

function unproved(text: string, known: string): Unencodable | undefined {
  const proved = new Set(known);
  for (const char of text) if (char > '\x7f' && !proved.has(char)) return { char, why: 'guessed' };
  return undefined;
}

function decodeRaw(bytes: Buffer, name: string): string {
  switch (name) {
    case 'UTF-8':
      return bytes.toString('utf8');
    case 'UTF-16LE':
      return bytes.toString('utf16le') + strayByte(bytes);
    case 'UTF-16BE':
      return swapped(bytes).toString('utf16le') + strayByte(bytes);
    default:
      return converter().decode(bytes, name, { stripBOM: false });
  }
}

/** What stands for half a code unit at the end. */
function strayByte(bytes: Buffer): string {
  return bytes.length % 2 === 0 ? '' : '\ufffd';
}

function encodeRaw(text: string, name: string): Buffer {
  switch (name) {
    case 'UTF-8':
      return Buffer.from(text, 'utf8');
    case 'UTF-16LE':
      return Buffer.from(text, 'utf16le');
    case 'UTF-16BE':
      return swapped(Buffer.from(text, 'utf16le'));
    default:
      return converter().encode(text, name);
  }
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}

let loaded: typeof import('iconv-lite') | undefined;

/** Loaded only for files outside UTF-8 and UTF-16. */
function converter(): typeof import('iconv-lite') {
  loaded ??= createRequire(import.meta.url)('iconv-lite') as typeof import('iconv-lite');
  return loaded;
}
