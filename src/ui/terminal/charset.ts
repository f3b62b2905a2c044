/** What a terminal can show: everything, one byte a character, or only ASCII. */
export type Charset = 'utf-8' | 'latin-1' | 'ascii';

type Environment = Readonly<Record<string, string | undefined>>;

/** By the locale, as every other program does. Where none is set, and on Windows, terminals take UTF-8. */
export function charsetOf(env: Environment, platform: NodeJS.Platform = process.platform): Charset {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  if (!locale || platform === 'win32') return 'utf-8';
  if (/utf-?8/i.test(locale)) return 'utf-8';
  return /8859-?15?\b|@euro/i.test(locale) ? 'latin-1' : 'ascii';
}

/** The bytes of `text` for a terminal of this charset; what it can't show becomes a question mark. */
export function encodeFor(charset: Charset, text: string): string | Buffer {
  if (charset === 'utf-8') return text;
  const most = charset === 'latin-1' ? /[^\u0000-\u00ff]+/gu : /[^\u0000-\u007f]+/gu;
  const spelled = text.replace(/[\u2500-\u257f\u2026\u2013\u2014\u2018-\u201e\u2022\u2190-\u2193]/g, spell);
  return Buffer.from(
    spelled.replace(most, (run) => '?'.repeat([...run].length)),
    'latin1',
  );
}

const spellings: Readonly<Record<string, string>> = {
  '…': '.',
  '–': '-',
  '—': '-',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '•': '*',
  '→': '>',
  '↑': '^',
  '↓': 'v',
  '─': '-',
  '━': '-',
  '│': '|',
  '┃': '|',
};

/** One ASCII character for one, so that columns stay: corners of tables are plus signs. */
function spell(character: string): string {
  return spellings[character] ?? '+';
}
