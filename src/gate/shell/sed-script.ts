/** What a sed script does beyond printing: files it reads or writes, or why that can't be told. */
export interface SedEffects {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly doubt?: string;
}

/** Reads a sed script (GNU and POSIX). A command that runs programs, or one that is not understood, is a doubt. */
export function readSedScript(script: string): SedEffects {
  const scan: Scan = { text: script, at: 0, reads: [], writes: [] };
  let doubt: string | undefined;
  while (doubt === undefined) {
    take(scan, /[\s;{}]*/y);
    if (scan.at >= script.length) break;
    doubt = skipAddresses(scan) ? readCommand(scan) : notUnderstood;
  }
  const { reads, writes } = scan;
  return doubt === undefined ? { reads, writes } : { reads, writes, doubt };
}

interface Scan {
  readonly text: string;
  at: number;
  readonly reads: string[];
  readonly writes: string[];
}

const notUnderstood = 'its sed script is not understood';
const runsProgram = 'its sed script runs a program';

function take(scan: Scan, pattern: RegExp): string {
  pattern.lastIndex = scan.at;
  const found = pattern.exec(scan.text)?.[0] ?? '';
  scan.at += found.length;
  return found;
}

/** `3`, `$`, `/re/I`, `\cREc`, `1~2`, `addr,+3`, each with blanks and `!` behind it. */
function skipAddresses(scan: Scan): boolean {
  for (let part = 0; part < 2; part += 1) {
    if (scan.text[scan.at] === '/' || scan.text[scan.at] === '\\') {
      if (scan.text[scan.at] === '\\') scan.at += 1;
      if (!skipRegex(scan, delimiterOf(scan))) return false;
      take(scan, /[IM]*/y);
    } else {
      take(scan, /\d+(?:~\d+)?|\$|[+~]\d+/y);
    }
    if (take(scan, /[ \t]*,[ \t]*/y) === '') break;
  }
  take(scan, /[\s!]*/y);
  return true;
}

function delimiterOf(scan: Scan): string {
  const delimiter = scan.text[scan.at] ?? '\n';
  scan.at += 1;
  return delimiter;
}

/** Moves behind the next unescaped delimiter. Where a bracket expression might hide one, sed versions differ: false. */
function skipRegex(scan: Scan, delimiter: string): boolean {
  if (delimiter === '\n' || delimiter === '\\') return false;
  const from = scan.at;
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at];
    scan.at += char === '\\' ? 2 : 1;
    if (char === delimiter) return !/\[[^\]]*$/.test(scan.text.slice(from, scan.at - 1).replace(/\\[\s\S]/g, ''));
  }
  return false;
}

/** Reads one command; a text is the reason to doubt the script. */
function readCommand(scan: Scan): string | undefined {
  const command = scan.text[scan.at] ?? '';
  scan.at += 1;
  if (command === 'e') return runsProgram;
  if (command === 's' || command === 'y') return readSubstitution(scan, command);
  if ('aic'.includes(command)) take(scan, /(?:[^\n\\]|\\[\s\S])*/y);
  else if (command === '#') take(scan, /[^\n]*/y);
  else if (':btT'.includes(command)) take(scan, /[^\n;]*/y);
  else if ('rR'.includes(command)) scan.reads.push(take(scan, /[^\n]*/y).trim());
  else if ('wW'.includes(command)) scan.writes.push(take(scan, /[^\n]*/y).trim());
  else if ('pPdDnNgGhHxlqQzF={}'.includes(command)) take(scan, /[ \t]*\d*/y);
  else return notUnderstood;
  return undefined;
}

function readSubstitution(scan: Scan, command: string): string | undefined {
  const delimiter = delimiterOf(scan);
  if (!skipRegex(scan, delimiter) || !skipRegex(scan, delimiter)) return notUnderstood;
  if (command === 'y') return undefined;
  take(scan, /[gpiIMm0-9]*/y);
  if (scan.text[scan.at] === 'e') return runsProgram;
  if (scan.text[scan.at] !== 'w') return ends(scan) ? undefined : notUnderstood;
  scan.at += 1;
  scan.writes.push(take(scan, /[^\n]*/y).trim());
  return undefined;
}

function ends(scan: Scan): boolean {
  return scan.at >= scan.text.length || /[\s;}#]/.test(scan.text[scan.at]!);
}
