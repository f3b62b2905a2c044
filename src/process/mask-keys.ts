import { maskText, type TextFilter } from './text-filter.ts';

const keyBegin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const keyEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const maxKey = 65_536;

/** Swallows private keys, from the line that begins one to the line that ends it. */
export function keyFilter(): TextFilter {
  let swallowed: number | undefined;
  let held = '';
  const push = (text: string, last: boolean): string => {
    let rest = held + text;
    held = '';
    let out = '';
    for (;;) {
      const mark = (swallowed === undefined ? keyBegin : keyEnd).exec(rest);
      if (mark === null) break;
      if (swallowed === undefined) out += rest.slice(0, mark.index) + maskText;
      swallowed = swallowed === undefined ? 0 : undefined;
      rest = rest.slice(mark.index + mark[0].length);
    }
    const keep = last ? 0 : mayGrow(rest);
    held = rest.slice(rest.length - keep);
    if (swallowed === undefined) return out + rest.slice(0, rest.length - keep);
    swallowed += rest.length - keep;
    if (swallowed > maxKey) swallowed = undefined;
    return out;
  };
  return { push: (text) => push(text, false), finish: () => push('', true) };
}

const maxMark = 80;

/** How many characters at the end may be the beginning of a line that begins or ends a key. */
function mayGrow(text: string): number {
  const tail = text.slice(-maxMark);
  const at = tail.search(/-----(?:B|E|$)|-{1,5}$/);
  return at < 0 || tail.indexOf('\n', at) >= 0 ? 0 : tail.length - at;
}
