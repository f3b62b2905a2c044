import type { FilePath, Root } from '../../workspace/path.ts';
import type { Cover, Deed } from '../deed.ts';
import type { Evaluation } from './evaluation.ts';
import type { Folders } from './folder.ts';
import type { Link } from './links.ts';
import type { SimpleCommand } from './simple-command.ts';
import type { ShellWord } from './word.ts';

/** A command of a line as the shell will start it, wrappers taken off. */
export interface PlainCommand {
  /** Base name of the program; undefined when it is no fixed text. */
  readonly name: string | undefined;
  readonly args: readonly ShellWord[];
  /** As rules see it, e.g. `git log -1`. */
  readonly text: string;
  readonly folders: Folders;
  readonly input: SimpleCommand['input'];
  /** The commands whose output it takes in. */
  readonly feeds: readonly SimpleCommand[];
  /** The wrappers it was found in, outermost first. */
  readonly within: readonly string[];
  /** The row of an outer command speaks for it: it runs on another machine, or is written down in the project. */
  readonly vouched?: 'remote' | 'script';
}

/** A shell line as rules see it. */
export interface ShellLine {
  readonly text: string;
  readonly deeds: readonly Deed[];
  readonly commands: readonly PlainCommand[];
  /** True when the line is one command with nothing around it, so that a pattern may stand for it. */
  readonly simple: boolean;
}

export interface ShellContext {
  readonly root: Root;
  /** False for a file whose reading is denied. */
  readable(path: FilePath): boolean;
  /** Default: the user's home folder. */
  readonly home?: string;
  /** What the repository of a folder holds of files whose reading is denied; undefined in no repository. */
  hidden?(folder: string): HiddenNames | 'unknown' | undefined;
}

/** Files whose reading is denied that a repository holds, as absolute paths. */
export interface HiddenNames {
  /** Tracked now. */
  readonly now: readonly string[];
  /** In any commit there is. */
  readonly ever: readonly string[];
  /** Neither tracked nor ignored: what `git add .` would take in. Undefined when git was not asked for them. */
  readonly untracked?: readonly string[];
}

/** A text that a command hands to a shell in some other way, enough to refuse by. */
export interface HandedOver {
  readonly text: string;
  readonly command: PlainCommand;
}

/** Everything known while a line is taken apart. */
export interface Line {
  readonly context: ShellContext;
  readonly home: string;
  readonly text: string;
  readonly deeds: Deed[];
  readonly commands: PlainCommand[];
  shell: 'bash' | 'sh';
  depth: number;
  within: readonly string[];
  readonly evaluation: Evaluation;
  /** What the line sets its variables to. */
  readonly values: Map<string, ShellWord[]>;
  /** Still to be looked into. */
  readonly handedOver: HandedOver[];
  /** What the line links to what. */
  readonly links: Link[];
  /** Scripts of the project that were looked into. */
  readonly scripts: Set<string>;
}

/** A statement that the line, or one command of it, is asked at least. */
export function addDoubt(line: Line, doubt: string, subject = line.text): void {
  line.deeds.push({ kind: 'execute', subject, faces: [], doubt });
}

/** The line is beyond what is analysed: nobody can say what it runs, so it is refused and not only asked. */
export function addUnread(line: Line, why: string): void {
  const doubt = `${why}. Split it, or write it to a file and run that`;
  line.deeds.push({ kind: 'execute', subject: line.text, faces: [], doubt, unread: true });
}

/** A doubt about one command. */
export function doubtCommand(line: Line, command: PlainCommand, doubt: string): void {
  addDoubt(line, doubt, command.text);
}

/** Touching files is what the command is for: the row that allows it covers them. */
export function inNature(command: PlainCommand): Cover {
  return { by: 'command', command: command.text };
}

/** The option `word` does it: a row that spells the option covers it. */
export function byWord(command: PlainCommand, word: string): Cover {
  return { by: 'word', command: command.text, word };
}

export const byLine: Cover = { by: 'line' };
