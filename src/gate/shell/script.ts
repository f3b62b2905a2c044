import type { Evaluation } from './evaluation.ts';
import type { Folders, Whereabouts } from './folder.ts';
import type { SimpleCommand } from './simple-command.ts';
import type { ShellWord } from './word.ts';

/** A file that the shell itself opens. */
export interface Redirection {
  readonly mode: 'read' | 'write' | 'both';
  readonly target: ShellWord;
  readonly folders: Folders;
}

/** What a line consists of, in the order it is written. */
export interface ShellScript {
  readonly commands: readonly SimpleCommand[];
  readonly redirections: readonly Redirection[];
  /** Why the line is not understood fully. */
  readonly doubts: readonly string[];
  /** Why the analysis was given up. */
  readonly unread: readonly string[];
  readonly changesFolder: boolean;
}

export interface ParseOptions {
  readonly shell: 'bash' | 'sh';
  readonly home: string;
  readonly whereabouts: Whereabouts;
  readonly folders: Folders;
  /** What the whole line computes, its inner texts included. */
  readonly evaluation: Evaluation;
  /** What the whole line sets its variables to; added to. */
  readonly values: Map<string, ShellWord[]>;
}
