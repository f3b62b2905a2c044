import { plainText, type ShellWord, startOf } from './word.ts';

const most = 12;

/** Options whose values are prose. */
const prose =
  /^-(?:m|b|t|n|-(?:message|title|body|notes?|description|subject|comment|label|name|query|filter|search))$/;

/**
 * The texts among a program's arguments that could be commands it runs: every argument of several words, and what stands
 * from each argument on.
 */
export function tailsOf(args: readonly ShellWord[]): readonly string[] {
  const tails: string[] = [];
  args.slice(0, most).forEach((word, at) => {
    if (startOf(word).startsWith('-') && !startOf(word).includes('=')) return;
    if (at > 0 && prose.test(plainText(args[at - 1]) ?? '')) return;
    const value = (plainText(word) ?? word.raw).replace(/^-*[\w-]*=/, '').replace(/^!/, '');
    if (/\s/.test(value)) tails.push(withoutFolder(value.trim()));
    else tails.push([withoutFolder(value), ...args.slice(at + 1).map((next) => plainText(next) ?? next.raw)].join(' '));
  });
  return tails;
}

function withoutFolder(text: string): string {
  return text.replace(/^\S*\/(?=[^\s/])/, '');
}
