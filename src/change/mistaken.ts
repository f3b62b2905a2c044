/** A way in which text gets wrong on its way here, and what it was before. */
interface Mistake {
  readonly words: string;
  undo(text: string): string;
}

const mistakes: readonly Mistake[] = [
  {
    words: 'The text sent has line numbers in front of its lines, which the file has not. Send it without them.',
    undo: (text) => (isNumbered(text) ? text.replace(lineNumber, '') : text),
  },
  {
    words: 'The text sent is escaped once too often: the file has it without the extra backslashes. Send it unescaped.',
    undo: (text) => text.replace(/\\([\\"'nrt])/g, (_, char: string) => escapes[char] ?? char),
  },
];

const lineNumber = /^[ \t]*\d+(?:[:|→\t]) ?/gm;

function isNumbered(text: string): boolean {
  return text.split('\n').every((line, at) => (at > 0 && line === '') || line.search(lineNumber) === 0);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Says how the text was spoilt when the file has what it must have been; both with `\n` line ends. */
export function mistakenHelp(file: string, sent: string): string {
  for (const { words, undo } of mistakes) {
    const meant = undo(sent);
    if (meant !== sent && meant.trim() !== '' && file.includes(meant)) return words;
  }
  return '';
}
