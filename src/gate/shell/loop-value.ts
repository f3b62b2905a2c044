import type { Folders } from './folder.ts';
import { expandGlob } from './glob.ts';
import type { ShellWord } from './word.ts';

/**
 * Is a loop the only place of a script that can set its variable? Every other mention of the name must be `$NAME`, and
 * nothing may set variables whose names can't be seen.
 */
export function isSetOnce(script: string, name: string): boolean {
  const text = script.replaceAll(/['"\\]/g, '');
  if (setsUnseen.test(text)) return false;
  let bare = 0;
  for (const { index } of text.matchAll(/[A-Za-z_]\w*/g))
    if (text.startsWith(name, index) && !/\w/.test(text[index + name.length] ?? '') && isBare(text, index, name))
      bare += 1;
  return bare === 1;
}

const setsUnseen = new RegExp(
  [
    /\b(?:eval|source|read|mapfile|readarray|getopts|declare|typeset|local|readonly|export|unset|let|trap|alias|enable)\b/,
    /\b(?:coproc|bind|builtin|command)\b|printf\s+[-$`]|\(\(|\$\[|`/,
    // `. file`, where a command begins.
    /(?:^|[\n;&|({!]|\b(?:do|then|else|elif|if|while|until|time)\s)\s*\.\s/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** No `$name`, `${name}`, option or piece of a path. */
function isBare(text: string, at: number, name: string): boolean {
  const [before, after] = [text.slice(Math.max(0, at - 2), at), text[at + name.length] ?? ''];
  if (before.endsWith('$') || (before === '${' && after === '}')) return false;
  return !/(?:\s-|--|[./])$/.test(before) && !/[./]/.test(after);
}

/** The values of a loop's variable, when each is a name that an unquoted `$NAME` leaves whole; undefined when not sure. */
export function loopValues(words: readonly ShellWord[], folders: Folders): readonly ShellWord[] | undefined {
  return words.length > 0 && words.every((word) => staysWhole(word, folders)) ? words : undefined;
}

function staysWhole(word: ShellWord, folders: Folders): boolean {
  if (word.kind === 'plain') return isOneName(word.value);
  if (word.kind === 'open') return word.below !== undefined || word.all !== undefined;
  const found = folders?.map((folder) => expandGlob(word, folder));
  return found?.every((names) => names?.every((name) => isOneName(name) || name === word.raw)) ?? false;
}

function isOneName(text: string): boolean {
  return text !== '' && !/[\s*?[\]\\]/.test(text);
}
