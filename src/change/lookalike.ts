/** Characters that readers and models take for an ASCII one, by the ASCII one. */
const lookalikes: Readonly<Record<string, string>> = {
  '"': '\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02',
  "'": '\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\uff07',
  '`': '\u02cb\uff40',
  '-': '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d\u00ad',
  '.': '\u2024\uff0e',
  ',': '\uff0c\u201a',
  ':': '\ua789\u2236\uff1a',
  ';': '\u037e\uff1b',
  '/': '\u2044\u2215',
  '*': '\u2217\u00d7',
  '~': '\u223c\u02dc',
  a: '\u0430',
  c: '\u0441',
  e: '\u0435',
  i: '\u0456',
  j: '\u0458',
  o: '\u043e\u03bf',
  p: '\u0440',
  s: '\u0455',
  x: '\u0445',
  y: '\u0443',
  A: '\u0410\u0391',
  B: '\u0412\u0392',
  C: '\u0421',
  E: '\u0415\u0395',
  H: '\u041d\u0397',
  I: '\u0406\u0399',
  K: '\u041a\u039a',
  M: '\u041c\u039c',
  N: '\u039d',
  O: '\u041e\u039f',
  P: '\u0420\u03a1',
  S: '\u0405',
  T: '\u0422\u03a4',
  X: '\u0425\u03a7',
  Y: '\u04ae\u03a5',
  Z: '\u0396',
};

const plain = new Map(Object.entries(lookalikes).flatMap(([to, from]) => [...from].map((char) => [char, to] as const)));

/** Characters that take no room on the screen. */
const invisible = /[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]/g;

/**
 * What a line looks like: look-alikes as ASCII, invisible characters gone, compatibility forms composed, any run of
 * white space as one blank. For finding near misses only; nothing is ever replaced by this.
 */
export function fold(line: string): string {
  if (!/[^!-~ ]| {2}|^ | $/.test(line)) return line;
  const ascii = /^[\0-\x7f]*$/.test(line) ? line : foldCharacters(line);
  return ascii.replace(/\s+/g, ' ').trim();
}

function foldCharacters(line: string): string {
  let folded = '';
  for (const char of line.replace(invisible, '').normalize('NFKC')) folded += plain.get(char) ?? char;
  return folded;
}
