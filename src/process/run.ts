import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { Duplex, type Readable } from 'node:stream';
import { systemCode, ToolError } from '../base/error.ts';
import { isTimeOver } from '../base/join-signals.ts';
import type { Environment } from './environment.ts';
import { markName, newMark } from './mark.ts';
import { createRecorder, type Recorder, type Recording, type StreamName } from './recorder.ts';
import type { SpoolTarget } from './spool.ts';
import { ownerName, supervisor, thisOwner } from './supervisor.ts';
import { type Masker, unmasked } from './text-filter.ts';
import { type Ended, endTree, type Tree } from './tree.ts';

export interface RunOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; make it with `childEnvironment`. */
  readonly env: Environment;
  /** Milliseconds; none: no limit. */
  readonly timeoutMs?: number;
  /** Aborting it interrupts the program. */
  readonly signal?: AbortSignal;
  /** Live output: decoded, stripped of terminal sequences, masked. The middle of very long output is skipped. */
  readonly onOutput?: (stream: StreamName, text: string) => void;
  readonly mask?: Masker;
  readonly spool?: SpoolTarget;
  /** All output goes to `onOutput`, the middle of very long output too. */
  readonly follow?: boolean;
  /** Called when all of it has ended; what it answers becomes `notes`. */
  readonly after?: () => readonly string[];
  /** Set when the program was started ahead and only waits for this input: then `file`, `args`, `cwd` and `env` are its own. */
  readonly ahead?: { readonly launched: Launched; readonly input: string };
}

/** A program that has been started, and the mark that all it starts carries. */
export interface Launched {
  readonly child: ChildProcess;
  readonly mark: string;
}

/** How a program ended. */
export type Ending =
  | { readonly type: 'exit'; readonly code: number }
  | { readonly type: 'signal'; readonly signal: string }
  | { readonly type: 'timeout'; readonly afterMs: number }
  /** `late`: by the time limit of a whole run, not by a person. */
  | { readonly type: 'interrupted'; readonly late?: true };

export interface RunResult extends Recording, Ended {
  readonly ending: Ending;
  /** The unfinished last line: the prompt, when a program that was stopped had been waiting for an answer. */
  readonly openLine: string;
  /** True when an unknown process still holds the output open. */
  readonly held: boolean;
  /** What else the reader must know. */
  readonly notes: readonly string[];
}

/** A program that is running. */
export interface Running {
  readonly pid: number;
  /** Resolves when the program and all it started have ended and the output is drained; never rejects. */
  readonly done: Promise<RunResult>;
  /** Ends it now. */
  stop(ending: Ending): void;
  /** Takes away the time limit. */
  unlimit(): void;
}

/** Time between asking a tree to end and killing it. */
const graceMs = 200;
/** How long the output may stay open after everything known has ended. */
const drainMs = 250;

/**
 * Runs a program to its end, and ends all it started. Resolves within a second of the program's exit or of its limit, whoever
 * still holds the output open. Throws `missing` when the working folder is gone, `failed` when the program can't be started.
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const running = await start(options);
  return running.done;
}

/** Starts a program; see `run`. */
export async function start(options: RunOptions): Promise<Running> {
  if (options.signal?.aborted) throw new ToolError('interrupted', 'The call was cancelled before the command started.');
  const recorder = createRecorder({ ...options, mask: options.mask ?? unmasked });
  const { child, mark } = options.ahead?.launched ?? launch(options, 'ignore');
  await started(child, options);
  const tree: Tree = { pid: child.pid!, mark };
  supervisor.watch(tree);
  const running = follow(child, tree, recorder, options);
  child.stdin?.end(options.ahead?.input);
  return running;
}

/** Starts a program of which nothing is read or awaited yet. */
export function launch(options: Pick<RunOptions, 'file' | 'args' | 'cwd' | 'env'>, stdin: 'ignore' | 'pipe'): Launched {
  const mark = newMark();
  try {
    const child = spawn(options.file, options.args, {
      cwd: options.cwd,
      env: { ...options.env, [ownerName]: thisOwner, [markName]: mark },
      detached: true,
      stdio: [stdin, 'pipe', 'pipe'],
      windowsHide: true,
      windowsVerbatimArguments: process.platform === 'win32',
    });
    // What it does not live to read is no error of ours.
    child.stdin?.on('error', () => {});
    return { child, mark };
  } catch (error) {
    throw startError(error, options);
  }
}

function started(child: ChildProcess, options: RunOptions): Promise<void> {
  if (child.pid !== undefined) {
    child.on('error', () => {});
    return Promise.resolve();
  }
  return new Promise((_, reject) => child.once('error', (error) => reject(startError(error, options))));
}

/** Why a program could not be started, told so that it can be set right. */
export function startError(error: unknown, options: Pick<RunOptions, 'file' | 'cwd'>): ToolError {
  const code = systemCode(error);
  if (code === 'ENOENT' && !existsSync(options.cwd)) {
    return new ToolError('missing', `The working folder ${options.cwd} no longer exists, so nothing was run.`);
  }
  if (code === 'E2BIG') return new ToolError('invalid', 'The command is too long for the system. Nothing was run.');
  if (code === 'ENOENT') return new ToolError('failed', `${options.file} is not installed. Nothing was run.`);
  return new ToolError('failed', `${options.file} could not be started: ${(error as Error).message}`, { cause: error });
}

/** Node's pipes are sockets, which can be read at both ends: an editor that looks for its user there would wait for ever. */
function endInput(...outputs: readonly (Readable | null)[]): void {
  for (const output of outputs) if (output instanceof Duplex) output.end();
}

function follow(child: ChildProcess, tree: Tree, recorder: Recorder, options: RunOptions): Running {
  endInput(child.stdout, child.stderr);
  child.stdout?.on('data', (chunk: Buffer) => recorder.push('stdout', chunk));
  child.stderr?.on('data', (chunk: Buffer) => recorder.push('stderr', chunk));
  const exited = exitOf(child);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const limits = watchLimits(options);
  const finish = async (): Promise<RunResult> => {
    await Promise.race([exited, limits.reached]);
    limits.release();
    const openLine = recorder.openLine();
    const ended = await endTree(tree, graceMs);
    const held = !(await within(closed, drainMs));
    supervisor.release(tree);
    child.stdout?.destroy();
    child.stderr?.destroy();
    const ending = limits.stopped() ?? (await exited);
    return { ...recorder.finish(), ...ended, ending, openLine, held, notes: options.after?.() ?? [] };
  };
  return { pid: tree.pid, done: finish(), stop: limits.stop, unlimit: limits.unlimit };
}

/** What may end a program from outside: the time, the signal, a call of `stop`. The first of them counts. */
function watchLimits({ timeoutMs, signal }: RunOptions) {
  let why: Ending | undefined;
  let reach: (() => void) | undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const stop = (ending: Ending) => {
    why ??= ending;
    reach?.();
  };
  const interrupt = () => {
    const late = signal !== undefined && isTimeOver(signal);
    stop({ type: 'interrupted', ...(late ? { late } : {}) });
  };
  signal?.addEventListener('abort', interrupt, { once: true });
  const limit =
    timeoutMs === undefined ? undefined : setTimeout(() => stop({ type: 'timeout', afterMs: timeoutMs }), timeoutMs);
  const unlimit = () => clearTimeout(limit);
  const release = () => {
    unlimit();
    signal?.removeEventListener('abort', interrupt);
  };
  return { reached, stopped: () => why, stop, unlimit, release };
}

function exitOf(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(signal === null ? exitCode(code ?? 1) : { type: 'signal', signal });
    });
  });
}

/** Signals that end a program against its will; a shell or sandbox around it passes them on as 128 + number. */
const fatal = ['SIGILL', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGKILL', 'SIGSEGV', 'SIGTERM', 'SIGXCPU', 'SIGXFSZ'] as const;

function exitCode(code: number): Ending {
  const signal = fatal.find((name) => constants.signals[name] + 128 === code);
  return signal === undefined ? { type: 'exit', code } : { type: 'signal', signal };
}

async function within(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const met = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return met;
}
