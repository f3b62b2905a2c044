import { ToolError } from '../base/error.ts';
import { thousands } from '../base/text.ts';
import { type Miss, maxEditBytes } from './replace.ts';

/** The names by which a dialect's reader knows the arguments. */
export interface EditWords {
  readonly path: string;
  readonly oldName: string;
  readonly newName: string;
  /** The argument that replaces every occurrence, where the dialect has one. */
  readonly allName?: string;
  /** The tool that writes whole files. */
  readonly writeTool: string;
  /** True when several edits were sent in one call: the failing one is numbered, and that nothing was applied is said. */
  readonly batch: boolean;
}

/** `edit_file` and `multi_edit` of `shiro` and `native`. */
export function shiroWords(path: string, batch: boolean): EditWords {
  return { path, oldName: 'oldString', newName: 'newString', allName: 'replaceAll', writeTool: 'write_file', batch };
}

/** The headline in `rousseau`'s words: short, with the tool's name in front. */
export function rousseauHeadline(miss: Miss, path: string): string {
  switch (miss.reason) {
    case 'empty':
      return 'edit: old_string is required';
    case 'same':
      return 'edit: old_string and new_string are identical';
    case 'absent':
      return `edit: old_string not found in ${path}`;
    case 'ambiguous':
      return `edit: old_string is not unique in ${path}: it appears ${thousands(miss.count)} times. Add surrounding context.`;
    default:
      return `edit: ${headline(miss, { path, oldName: 'old_string', newName: 'new_string', writeTool: 'write', batch: false })}`;
  }
}

/** The headline of a refused edit: it never quotes the file, so it may be shown whatever the file holds. */
export function missHeadline(miss: Miss, words: EditWords): string {
  const text = headline(miss, words);
  return words.batch ? `edit ${miss.edit}: ${text} No edits were applied.` : text;
}

/** The error for a refused edit in `rousseau`'s words: the headline, then what would help. */
export function rousseauError(miss: Miss, path: string): ToolError {
  return new ToolError(codeOf(miss), rousseauHeadline(miss, path) + helpOf(miss));
}

/**
 * The error for a refused edit: the headline, then what would help.
 *
 * @param quotable false leaves out everything that quotes the file.
 */
export function missError(miss: Miss, words: EditWords, quotable = true): ToolError {
  return new ToolError(codeOf(miss), missHeadline(miss, words) + (quotable ? helpOf(miss) : ''));
}

function helpOf({ help, reason }: Miss): string {
  return help === '' || reason === 'unencodable' ? '' : `\n${help}`;
}

function codeOf({ reason }: Miss): 'invalid' | 'conflict' {
  return reason === 'empty' || reason === 'same' || reason === 'ends' ? 'invalid' : 'conflict';
}

function headline(miss: Miss, words: EditWords): string {
  const { path, oldName, newName, allName, writeTool } = words;
  switch (miss.reason) {
    case 'empty':
      return `${oldName} is empty. Send the text to replace, or use ${writeTool} to write the whole file.`;
    case 'same':
      return `${oldName} and ${newName} are identical, so there is nothing to change.`;
    case 'ends':
      return `${oldName} and ${newName} differ only in line ends, which an edit keeps as the file has them. To change them, write the whole file with ${writeTool}.`;
    case 'absent':
      return `${oldName} not found in ${path}.`;
    case 'ambiguous':
      return `${oldName} appears ${thousands(miss.count)} times in ${path}. Add surrounding context${allName === undefined ? '' : ` or set ${allName}`}.`;
    case 'unencodable':
      return `${newName} can't be written to ${path}. ${miss.help}`;
    case 'large':
      return `The edit would make ${path} larger than ${maxEditBytes / 1024 / 1024} MB, the limit for edited files.`;
  }
}
