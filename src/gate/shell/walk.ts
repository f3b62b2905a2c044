import type { Evaluation } from './evaluation.ts';
import type { Folders, Whereabouts } from './folder.ts';
import type { Listing } from './listing.ts';
import type { ParseOptions, Redirection } from './script.ts';
import type { SimpleCommand } from './simple-command.ts';
import type { ShellWord } from './word.ts';

/** What is known, and was found, at a place of a script while it is walked through. */
export interface Walk {
  readonly shell: 'bash' | 'sh';
  readonly home: string;
  readonly whereabouts: Whereabouts;
  readonly evaluation: Evaluation;
  readonly values: Map<string, ShellWord[]>;
  /** Variables of the loops around that have one of these values for certain. */
  readonly loops: Map<string, readonly ShellWord[]>;
  /** The whole script. */
  readonly text: string;
  /** The script that is read: the whole, or one inside backticks. */
  source: string;
  folders: Folders;
  readonly commands: SimpleCommand[];
  readonly redirections: Redirection[];
  readonly doubts: Set<string>;
  readonly unread: Set<string>;
  nested: number;
  /** Commands whose output feeds the command being read. */
  feeding: readonly SimpleCommand[] | undefined;
  /** What the input of the command that comes next lists. */
  listing: Listing | undefined;
  definesFunctions: boolean;
  changesFolder: boolean;
}

export function startWalk(text: string, options: ParseOptions): Walk {
  return {
    shell: options.shell,
    home: options.home,
    whereabouts: options.whereabouts,
    evaluation: options.evaluation,
    values: options.values,
    loops: new Map(),
    text,
    source: text,
    folders: options.folders,
    commands: [],
    redirections: [],
    doubts: new Set(),
    unread: new Set(),
    nested: 0,
    feeding: undefined,
    listing: undefined,
    definesFunctions: false,
    changesFolder: false,
  };
}
