import { plainText, type ShellWord, startOf } from './word.ts';

const most = 8;

/**
 * The arguments without the options that stand before the first or the second operand (`npm --silent publish`, `gh pr -R x
 * merge`), in every way there is of it: whether an option takes the next word as its value is not known here.
 */
export function withoutLeadingOptions(args: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  if (!isOption(args[0]) && !isOption(args[1])) return [];
  const ways = isOption(args[0]) ? tails(args) : [args];
  const more = ways.flatMap(([first, ...rest]) =>
    isOption(rest[0]) ? tails(rest).map((tail) => [first!, ...tail]) : [],
  );
  return [...ways.filter((way) => way !== args), ...more].slice(0, most);
}

function tails(args: readonly ShellWord[]): (readonly ShellWord[])[] {
  const found: (readonly ShellWord[])[] = [];
  for (let at = 1; at < args.length && found.length < most; at += 1) {
    if (isOption(args[at])) continue;
    found.push(args.slice(at));
    if (!isOption(args[at - 1]) || plainText(args[at - 1])?.includes('=')) break;
  }
  return found;
}

function isOption(word: ShellWord | undefined): boolean {
  return word !== undefined && startOf(word).startsWith('-');
}
