/** A bracket expression such as `[a-z]`, `[!0-9]` or `[[:alpha:]_]`. */
export interface Bracket {
  /** Offset just behind the closing `]`. */
  readonly end: number;
  readonly takes: (code: number) => boolean;
}

/**
 * Reads the bracket expression that opens at `pattern[start]`, as git's wildmatch reads it: `!` or `^` negates, a `]`
 * in first place is literal, `\` escapes, `[:class:]` names an ASCII class. Undefined when it never closes or names an
 * unknown class; git lets such a pattern match nothing.
 */
export function readBracket(pattern: string, start: number, fold = false): Bracket | undefined {
  const negated = pattern[start + 1] === '!' || pattern[start + 1] === '^';
  const tests: CodeTest[] = [];
  let at = start + (negated ? 2 : 1);
  let previous: number | undefined;
  for (let first = true; first || pattern[at] !== ']'; first = false) {
    const item = readItem(pattern, at, previous);
    if (item === undefined) return undefined;
    tests.push(item.takes);
    previous = item.previous;
    at = item.end;
  }
  const hit = (code: number) => tests.some((test) => test(code));
  const folded = fold ? (code: number) => hit(lower(code)) || hit(upper(code)) : hit;
  return { end: at + 1, takes: negated ? (code) => !folded(code) : folded };
}

type CodeTest = (code: number) => boolean;

/** One member; `previous` is what a `-` behind it would range from. */
interface Item {
  readonly end: number;
  readonly takes: CodeTest;
  readonly previous: number | undefined;
}

function readItem(pattern: string, at: number, previous: number | undefined): Item | undefined {
  if (pattern[at] === '-' && previous !== undefined && at + 1 < pattern.length && pattern[at + 1] !== ']') {
    const to = readCharacter(pattern, at + 1);
    return to && { end: to.end, takes: (code) => code >= previous && code <= to.code, previous: undefined };
  }
  if (pattern.startsWith('[:', at)) {
    const close = pattern.indexOf(']', at + 2);
    if (close < 0) return undefined;
    if (close > at + 2 && pattern[close - 1] === ':') {
      const takes = classes.get(pattern.slice(at + 2, close - 1));
      return takes && { end: close + 1, takes, previous: undefined };
    }
    return { end: at + 1, takes: (code) => code === 0x5b, previous: 0x5b };
  }
  const literal = readCharacter(pattern, at);
  return literal && { end: literal.end, takes: (code) => code === literal.code, previous: literal.code };
}

function readCharacter(pattern: string, at: number): { code: number; end: number } | undefined {
  const from = pattern[at] === '\\' ? at + 1 : at;
  const code = pattern.codePointAt(from);
  return code === undefined ? undefined : { code, end: from + (code > 0xffff ? 2 : 1) };
}

const between = (from: string, to: string): CodeTest => {
  const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)];
  return (code) => code >= low && code <= high;
};
const isDigit = between('0', '9');
const isLower = between('a', 'z');
const isUpper = between('A', 'Z');
const isAlpha: CodeTest = (code) => isLower(code) || isUpper(code);
const isAlnum: CodeTest = (code) => isAlpha(code) || isDigit(code);
const isGraph = between('!', '~');

const classes = new Map<string, CodeTest>([
  ['alnum', isAlnum],
  ['alpha', isAlpha],
  ['blank', (code) => code === 0x20 || code === 0x09],
  ['cntrl', (code) => code < 0x20 || code === 0x7f],
  ['digit', isDigit],
  ['graph', isGraph],
  ['lower', isLower],
  ['print', between(' ', '~')],
  ['punct', (code) => isGraph(code) && !isAlnum(code)],
  ['space', (code) => code === 0x20 || (code >= 0x09 && code <= 0x0d)],
  ['upper', isUpper],
  ['xdigit', (code) => isDigit(code) || ((code | 0x20) - 0x61 < 6 && (code | 0x20) >= 0x61)],
]);

const lower = (code: number) => (isUpper(code) ? code + 32 : code);
const upper = (code: number) => (isLower(code) ? code - 32 : code);
