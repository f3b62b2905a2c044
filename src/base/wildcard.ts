/**
 * A pattern as a test of texts; the common shapes `TEXT`, `*TEXT`, `TEXT*` and `*TEXT*` are compared natively.
 *
 * @see matchWildcard
 */
export function compileWildcard(pattern: string): (text: string) => boolean {
  const [, before, plain, after] = /^(\**)([^*?]*)(\**)$/.exec(pattern) ?? [];
  if (plain === undefined) return (text) => matchWildcard(pattern, text);
  if (plain === '') return pattern === '' ? (text) => text === '' : () => true;
  if (before !== '' && after !== '') return (text) => text.includes(plain);
  if (before !== '') return (text) => text.endsWith(plain);
  return after === '' ? (text) => text === plain : (text) => text.startsWith(plain);
}

/**
 * Matches text against a rule's pattern: `*` is any run of characters, newlines and slashes included, `?` is exactly
 * one character, everything else stands for itself. Time is at most pattern × text, memory constant.
 */
export function matchWildcard(pattern: string, text: string): boolean {
  let at = 0;
  let p = 0;
  let star = -1;
  let retry = 0;
  while (at < text.length) {
    const wanted = pattern.charCodeAt(p);
    if (wanted === asterisk) {
      star = p;
      p += 1;
      retry = at;
    } else if (p < pattern.length && (wanted === question || wanted === text.charCodeAt(at))) {
      p += 1;
      at += wanted === question ? charLength(text, at) : 1;
    } else if (star >= 0) {
      retry += 1;
      at = retry;
      p = star + 1;
    } else {
      return false;
    }
  }
  while (pattern.charCodeAt(p) === asterisk) p += 1;
  return p === pattern.length;
}

const asterisk = 0x2a;
const question = 0x3f;

/** One character outside the basic plane is two code units. */
function charLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
