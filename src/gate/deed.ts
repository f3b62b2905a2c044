import type { Effect } from '../tool/tool.ts';
import type { FilePath } from '../workspace/path.ts';
import type { Face } from './rule.ts';

/** One effect in the form that rules judge. A call is a list of deeds; the strictest answer over all of them wins. */
export interface Deed {
  readonly kind: Effect['kind'];
  /** The path, command or host, as it is shown. */
  readonly subject: string;
  /** Every name the thing goes by; each is judged, and the strictest answer wins. */
  readonly faces: readonly Face[];
  /** Why it is asked at least, whatever an *allow* row says. */
  readonly doubt?: string;
  /** The doubt is that nobody could read what it is: it is refused. */
  readonly unread?: true;
  /** For a deed of a shell line: which *allow* row may stand for it. */
  readonly cover?: Cover;
  /** The command with a hole (`*`, or `oneWord`) for what is known only when it runs. */
  readonly open?: string;
  /** Commands that a program nobody knows may run, as its arguments read like them. */
  readonly hints?: () => readonly string[];
  /**
   * A command that does nothing by itself: nobody need allow it. A `wrapper` (`timeout`) stands aside for the command
   * inside, which is judged; something `neutral` (`cd`, `true`) only moves about in the shell.
   */
  readonly passive?: 'wrapper' | 'neutral';
}

/**
 * Which *allow* row of the shell's table covers a file a command line touches.
 *
 * - `command`: the row that allows the command, because touching files is what the command is for (`touch`, `mv`)
 * - `word`: that row only when its pattern spells the option that does it (`sed -i`, `sort -o`)
 * - `line`: only a row for everything, or for exactly this line (redirects)
 * - `vouched`: any row that allows the command it is part of, as it happens elsewhere or is written down in the project
 */
export type Cover =
  | { readonly by: 'command'; readonly command: string }
  | { readonly by: 'word'; readonly command: string; readonly word: string }
  | { readonly by: 'line' }
  | { readonly by: 'vouched' };

/** The deed of touching a path that the jail let through. */
export function pathDeed(kind: 'read' | 'write' | 'delete', path: FilePath): Deed {
  return { kind, subject: shownName(path), faces: pathFaces(path) };
}

/** Rules are tried on the real and on the given name; without links these are one. */
export function pathFaces(path: FilePath): readonly Face[] {
  const prefix = path.mount === undefined ? '' : `${path.mount}/`;
  const real = nameFace(prefix + path.rel, path.abs);
  return path.given === path.rel ? [real] : [real, nameFace(prefix + path.given)];
}

export function nameFace(name: string, abs?: string): Face {
  return { safe: abs === undefined ? [name] : [name, abs], loose: [name.slice(name.lastIndexOf('/') + 1)] };
}

function shownName(path: FilePath): string {
  return path.mount === undefined ? path.given : `${path.mount}/${path.given}`;
}

/** A foreign tool is judged by its arguments: as JSON, and by each text in them. */
export function foreignDeed(tool: string, args: unknown): Deed {
  const json = JSON.stringify(args) ?? '';
  return {
    kind: 'execute',
    subject: `${tool} ${json}`,
    faces: [{ safe: [json], loose: [`${tool} ${json}`, ...texts(args)] }],
  };
}

const maxTexts = 1000;

function texts(value: unknown): string[] {
  const found: string[] = [];
  const pending: unknown[] = [value];
  while (pending.length > 0 && found.length < maxTexts) {
    const next = pending.pop();
    if (typeof next === 'string') found.push(next);
    else if (typeof next === 'object' && next !== null) pending.push(...Object.values(next));
  }
  return found;
}
