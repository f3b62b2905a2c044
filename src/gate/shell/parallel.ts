import type { Inner, Wrapped } from './inner.ts';
import { type OptionTable, readArguments } from './options.ts';
import { plainText, type ShellWord } from './word.ts';

const options: OptionTable = { stops: true, values: '-j -a -I -n -N --jobs --arg-file' };

/** GNU parallel: a command text with inputs behind `:::`, or inputs that are commands themselves. */
export function unwrapParallel(args: readonly ShellWord[]): Wrapped {
  const at = args.findIndex((word) => /^:::{1,2}\+?$/.test(plainText(word) ?? ''));
  const read = readArguments(at < 0 ? args : args.slice(0, at), options);
  const inputs = at < 0 ? [] : args.slice(at + 1).map((word) => plainText(word) ?? word.raw);
  const own = read.operands.map((word) => plainText(word) ?? word.raw).join(' ');
  if (own === '')
    return { inner: [{ type: 'opaque', why: 'its inputs are commands', may: inputs }], transparent: false };
  const fixed = read.operands.every((word) => word.kind === 'plain');
  const texts = inputs.length === 0 ? [own] : inputs.map((input) => filled(own, input));
  const known = fixed && at >= 0 && plainText(args[at]) === ':::';
  return {
    inner: known ? texts.map(asText) : [{ type: 'opaque', why: 'what it runs is not written out', may: texts }],
    transparent: false,
  };
}

function filled(command: string, input: string): string {
  return /\{[./#]*\}/.test(command) ? command.replaceAll(/\{[./#]*\}/g, () => input) : `${command} ${input}`;
}

function asText(text: string): Inner {
  return { type: 'text', text };
}
