/** Text in, text out; may hold back what the next piece decides. */
export interface TextFilter {
  push(text: string): string;
  finish(): string;
}

/** Makes a fresh filter for one stream of text. */
export type Masker = () => TextFilter;

/** Changes nothing. */
export const unmasked: Masker = () => ({ push: (text) => text, finish: () => '' });

const shown = '[masked]';
/** Shorter values would mask ordinary words. */
const minLength = 8;
const maxLength = 4096;
/** Longest run of token characters that is held back at the end of a piece. */
const maxToken = 2048;

/**
 * Shapes of tokens that are masked wherever they appear, by their issuers' documented prefixes: Anthropic, OpenAI and
 * OpenRouter keys, GitHub, GitLab, npm, Slack, Google, Hugging Face, Stripe, AWS access key ids, JSON web tokens.
 */
const tokenShapes =
  /\b(?:sk-[A-Za-z0-9_-]{20,512}|gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}|glpat-[A-Za-z0-9_-]{20,255}|npm_[A-Za-z0-9]{36}|xox[abeprs]-[A-Za-z0-9-]{10,255}|AIza[A-Za-z0-9_-]{35}|hf_[A-Za-z0-9]{30,255}|[rs]k_live_[A-Za-z0-9]{16,255}|(?:AKIA|ASIA)[A-Z0-9]{16}|eyJ[A-Za-z0-9_-]{8,1024}\.eyJ[A-Za-z0-9_-]{8,2048}\.[A-Za-z0-9_-]{8,1024})/g;
/** A cheap look whether the expensive one is worth it. */
const tokenHint = /sk-|gh[pousr]_|github_pat|glpat-|npm_|xox|AIza|hf_|k_live_|AKIA|ASIA|eyJ/;

const keyBegin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const keyEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const maxKey = 65_536;

/**
 * Masks known values (8 to 4096 characters; others are ignored), token shapes and private key blocks, across the borders of
 * pieces, in time linear in the text.
 */
export function masker(values: Iterable<string>): Masker {
  const known = knownValues(values);
  return () => chain(keyFilter(), valueFilter(known), tokenFilter());
}

function chain(...filters: readonly TextFilter[]): TextFilter {
  return {
    push: (text) => filters.reduce((rest, filter) => filter.push(rest), text),
    finish: () => filters.reduce((rest, filter) => filter.push(rest) + filter.finish(), ''),
  };
}

function tokenFilter(): TextFilter {
  let held = '';
  const clean = (text: string) => (tokenHint.test(text) ? text.replace(tokenShapes, shown) : text);
  return {
    push(text) {
      const whole = held + text;
      const cut = whole.length - tokenTail(whole);
      held = whole.slice(cut);
      return clean(whole.slice(0, cut));
    },
    finish() {
      const rest = clean(held);
      held = '';
      return rest;
    },
  };
}

/** How many characters at the end may be the beginning of a token. */
function tokenTail(text: string): number {
  let length = 0;
  while (length < text.length && isTokenCharacter(text.charCodeAt(text.length - 1 - length))) {
    length += 1;
    if (length > maxToken) return 0;
  }
  // An ordinary word or a prompt is shown at once: only a run that begins like a token is worth waiting for.
  const run = text.slice(text.length - length);
  return length > 0 && mayBegin(run) ? length : 0;
}

const prefixes = [
  'sk-',
  'sk_live_',
  'rk_live_',
  'github_pat_',
  'glpat-',
  'npm_',
  'xox',
  'AIza',
  'hf_',
  'AKIA',
  'ASIA',
  'eyJ',
].concat([...'pousr'].map((kind) => `gh${kind}_`));

function mayBegin(run: string): boolean {
  return tokenHint.test(run) || prefixes.some((prefix) => endsWithBeginningOf(run, prefix));
}

function endsWithBeginningOf(text: string, word: string): boolean {
  for (let length = Math.min(word.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(word.slice(0, length))) return true;
  }
  return false;
}

function isTokenCharacter(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95 ||
    code === 45 ||
    code === 46
  );
}

/** Values by a hash of their first two characters; `starts` answers "none begins like this" with one look. */
interface KnownValues {
  readonly starts: Uint8Array;
  readonly byStart: ReadonlyMap<number, readonly string[]>;
  readonly all: readonly string[];
  readonly longest: number;
}

function knownValues(values: Iterable<string>): KnownValues {
  const starts = new Uint8Array(65_536);
  const byStart = new Map<number, string[]>();
  let longest = 0;
  for (const value of new Set(values)) {
    if (value.length < minLength || value.length > maxLength) continue;
    const start = startOf(value, 0);
    starts[start] = 1;
    byStart.set(
      start,
      [...(byStart.get(start) ?? []), value].sort((a, b) => b.length - a.length),
    );
    longest = Math.max(longest, value.length);
  }
  return { starts, byStart, all: [...byStart.values()].flat(), longest };
}

function startOf(text: string, at: number): number {
  return ((text.charCodeAt(at) * 31) ^ (text.charCodeAt(at + 1) << 7)) & 0xffff;
}

function valueFilter(known: KnownValues): TextFilter {
  if (known.longest === 0) return unmasked();
  let held = '';
  return {
    push(text) {
      const { done, rest } = maskValues(known, held + text, false);
      held = rest;
      return done;
    },
    finish() {
      const { done } = maskValues(known, held, true);
      held = '';
      return done;
    },
  };
}

/** Masks every known value in `text`; unless it is the `last` piece, an end that may become one is the rest. */
function maskValues(known: KnownValues, text: string, last: boolean): { done: string; rest: string } {
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  while (at < text.length) {
    at = nextStart(known.starts, text, at);
    const candidates = at < text.length - 1 ? known.byStart.get(startOf(text, at))! : known.all;
    const left = text.length - at;
    if (
      !last &&
      left < known.longest &&
      candidates.some((one) => one.length > left && one.startsWith(text.slice(at)))
    ) {
      return { done: parts.join('') + text.slice(from, at), rest: text.slice(at) };
    }
    const value = candidates.find((candidate) => text.startsWith(candidate, at));
    if (value !== undefined) {
      parts.push(text.slice(from, at), shown);
      from = at + value.length;
    }
    at += value?.length ?? 1;
  }
  return { done: parts.length === 0 ? text : parts.join('') + text.slice(from), rest: '' };
}

/** The next place where a value may begin; the last character is one, since its second is not known. */
function nextStart(starts: Uint8Array, text: string, from: number): number {
  const last = text.length - 1;
  let code = text.charCodeAt(from);
  for (let at = from; at < last; at += 1) {
    const next = text.charCodeAt(at + 1);
    if (starts[((code * 31) ^ (next << 7)) & 0xffff] === 1) return at;
    code = next;
  }
  return last;
}

/** Swallows the text between the lines that begin and end a private key. */
function keyFilter(): TextFilter {
  let inside = 0;
  let held = '';
  const push = (text: string, last: boolean): string => {
    let rest = held + text;
    held = '';
    let out = '';
    for (;;) {
      if (inside > 0) {
        const end = keyEnd.exec(rest);
        if (end === null) {
          inside += rest.length;
          if (inside > maxKey) inside = 0;
          held = last ? '' : rest.slice(-100);
          return out;
        }
        rest = rest.slice(end.index + end[0].length);
        inside = 0;
      }
      if (!rest.includes('-----BEGIN ')) {
        const cut = last ? rest.length : rest.length - dashes(rest);
        held = rest.slice(cut);
        return out + rest.slice(0, cut);
      }
      const begin = keyBegin.exec(rest);
      if (begin === null) {
        const at = rest.lastIndexOf('-----BEGIN ');
        const cut = last || rest.length - at > 80 ? rest.length : at;
        held = rest.slice(cut);
        return out + rest.slice(0, cut);
      }
      out += `${rest.slice(0, begin.index)}${shown}`;
      rest = rest.slice(begin.index + begin[0].length);
      inside = 1;
    }
  };
  return { push: (text) => push(text, false), finish: () => push('', true) };
}

/** How many characters at the end may grow into a key's first line. */
function dashes(text: string): number {
  const word = '-----BEGIN ';
  for (let length = Math.min(word.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(word.slice(0, length))) return length;
  }
  return 0;
}
