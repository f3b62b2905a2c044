import { createRequire } from 'node:module';

/** A guess at the encoding of bytes that are not valid UTF-8. */
export interface Guess {
  readonly name: string;
  readonly certain: boolean;
}

const sampleBytes = 64 * 1024;

/** The lines that hold bytes above 0x7F, up to 64 KB of them: plain ASCII says nothing about the encoding. */
export function sampleOf(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  for (let at = nextHigh(bytes, 0); at < bytes.length && size < sampleBytes; ) {
    const start = Math.max(bytes.lastIndexOf(0x0a, at) + 1, at - 256);
    const newline = bytes.indexOf(0x0a, at);
    const end = Math.min(newline < 0 ? bytes.length : newline + 1, at + sampleBytes - size);
    parts.push(bytes.subarray(start, end));
    size += end - start;
    at = nextHigh(bytes, end);
  }
  return Buffer.concat(parts);
}

/** UTF-8 with damage, one of the East Asian double-byte encodings, or a single-byte one; `Windows-1252` when nothing speaks up. */
export function guessLegacy(sample: Buffer): Guess {
  if (sample.includes(0)) return { name: 'Windows-1252', certain: false };
  const { valid, broken } = countSequences(sample);
  if (valid > broken) return { name: 'UTF-8', certain: valid >= 10 * broken };
  return { name: guessDoubleByte(sample) ?? guessSingleByte(sample), certain: false };
}

/** Multi-byte UTF-8 sequences that are whole, and bytes that belong to none. */
function countSequences(bytes: Buffer): { valid: number; broken: number } {
  let valid = 0;
  let broken = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at]!;
    if (lead < 0x80) continue;
    const more =
      lead >= 0xf0 && lead < 0xf5 ? 3 : lead >= 0xe0 && lead < 0xf0 ? 2 : lead >= 0xc2 && lead < 0xe0 ? 1 : 0;
    let seen = 0;
    while (seen < more && (bytes[at + seen + 1]! & 0xc0) === 0x80) seen += 1;
    if (more > 0 && seen === more) valid += 1;
    else broken += 1;
    at += seen;
  }
  return { valid, broken };
}

/** Lead bytes of the characters that everyday text consists of; the rarer half of each table is left out. */
const doubleByte: readonly { readonly name: string; readonly common: (lead: number, trail: number) => boolean }[] = [
  { name: 'Shift_JIS', common: (lead) => (lead >= 0x81 && lead <= 0x83) || (lead >= 0x88 && lead <= 0x97) },
  {
    name: 'EUC-JP',
    common: (lead) => lead === 0xa4 || lead === 0xa5 || lead === 0xa1 || (lead >= 0xb0 && lead <= 0xcf),
  },
  { name: 'EUC-KR', common: (lead, trail) => trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xc8) || lead === 0xa1) },
  {
    name: 'GB18030',
    common: (lead, trail) => trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || lead === 0xa1 || lead === 0xa3),
  },
  { name: 'Big5', common: (lead) => (lead >= 0xa4 && lead <= 0xc6) || lead === 0xa1 },
];

function guessDoubleByte(sample: Buffer): string | undefined {
  const [best] = detector().analyse(sample);
  const named = doubleByte.find(({ name }) => name === best?.name);
  if (named !== undefined && best!.confidence >= 75 && decodes(sample, named.name)) return named.name;
  // The statistics drown in ASCII code with a few comments, so the shares of everyday characters are weighed as well.
  const scored = doubleByte
    .filter(({ name }) => name !== 'EUC-JP' || hasKana(sample))
    .map(({ name, common }) => ({ name, share: commonShare(sample, common) }));
  const top = scored.reduce((a, b) => (b.share > a.share ? b : a));
  return top.share >= 0.9 && decodes(sample, top.name) ? top.name : undefined;
}

/** The share of the high bytes that stand in everyday two-byte characters. */
function commonShare(sample: Buffer, common: (lead: number, trail: number) => boolean): number {
  let good = 0;
  let all = 0;
  for (let at = 0; at < sample.length; at += 1) {
    const lead = sample[at]!;
    if (lead < 0x80) continue;
    const trail = sample[at + 1] ?? 0;
    all += 1;
    if (trail < 0x40) continue;
    // A high byte alone between ASCII letters is an accent in a Western word, whatever table it also fits.
    if (common(lead, trail) && !isAccent(sample, at)) good += 1;
    at += 1;
  }
  return all === 0 ? 0 : good / all;
}

/** Japanese without kana is rarer than Korean and Chinese, whose bytes look the same. */
function hasKana(sample: Buffer): boolean {
  return commonShare(sample, (lead) => lead === 0xa4 || lead === 0xa5) > 0.1;
}

function isAccent(sample: Buffer, at: number): boolean {
  return isLetter(sample[at + 1]) && (isLetter(sample[at - 1]) || isLetter(sample[at + 2]));
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}

function decodes(sample: Buffer, name: string): boolean {
  try {
    new TextDecoder(name, { fatal: true }).decode(trimTail(sample));
    return true;
  } catch {
    return false;
  }
}

/** A sample is cut at 64 KB, perhaps within a character: judge it up to its last line end. */
function trimTail(sample: Buffer): Buffer {
  return sample.length < sampleBytes ? sample : sample.subarray(0, sample.lastIndexOf(0x0a) + 1);
}

function guessSingleByte(sample: Buffer): string {
  const matches = detector()
    .analyse(sample)
    .filter(({ name, confidence }) => /^(windows|ISO-8859|KOI8)/.test(name) && confidence >= 25);
  const best = matches[0];
  // Windows-1252 is ISO-8859-1 with its unused bytes used; being by far the most common, it wins close calls.
  const western = matches.find(({ name }) => name === 'ISO-8859-1' || name === 'windows-1252');
  if (best === undefined || (western !== undefined && western.confidence >= 0.75 * best.confidence))
    return 'Windows-1252';
  return best.name.replace(/^w/, 'W');
}

function nextHigh(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at]! < 0x80) at += 1;
  return at;
}

let loaded: typeof import('chardet') | undefined;

/** Loaded only for bytes that are not UTF-8: most runs never need it. */
function detector(): typeof import('chardet') {
  loaded ??= createRequire(import.meta.url)('chardet') as typeof import('chardet');
  return loaded;
}
