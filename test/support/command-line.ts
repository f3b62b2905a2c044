import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../src/cli/main.ts';
import type { Io } from '../../src/cli/program.ts';
import { tempFolder } from './folders.ts';

/** What a command line printed and how it ended. */
export interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Place {
  readonly root: string;
  readonly home: string;
  /** The command line of this workspace and home; `--root` is put in. */
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  /** The same as a process of its own. */
  start(args: readonly string[], options?: { readonly env?: NodeJS.ProcessEnv }): ChildProcess;
}

export interface RunOptions {
  readonly stdin?: string;
  /** Output goes to a terminal. */
  readonly terminal?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

const project = resolve(import.meta.dirname, '../..');

/** A workspace and a home of its own. `config` is the user's file. */
export function place(root: string, config?: string): Place {
  const home = tempFolder(config === undefined ? {} : { 'config.json': config });
  const at = (args: readonly string[]) => [...args.slice(0, 1), '--root', root, ...args.slice(1)];
  const env = { ...withoutOurs(process.env), BENCHDOG_HOME: home };
  return {
    root,
    home,
    run: (args, options = {}) => runHere(at(args), { ...options, env: { ...env, ...options.env } }),
    start: (args, options = {}) =>
      spawn(process.execPath, ['--import', 'tsx', join(project, 'src/cli.ts'), ...at(args)], {
        cwd: project,
        env: { ...env, ...options.env },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
  };
}

/** A command line inside this process: the whole program but the process around it. */
export async function runHere(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(options.stdin ?? '');
  if (options.terminal) for (const stream of [stdout, stderr]) Object.assign(stream, { isTTY: true });
  const printed = [text(stdout), text(stderr)] as const;
  const signal = options.signal ?? new AbortController().signal;
  const io = { stdin, stdout, stderr, env: options.env ?? process.env, signal } as unknown as Io;
  const exit = await runCommandLine(['node', 'benchdog', ...args], io);
  stdout.end();
  stderr.end();
  return { exit, stdout: await printed[0], stderr: await printed[1] };
}

/** The output and the end of a started command. */
export async function ended(child: ChildProcess): Promise<Ended> {
  const code = new Promise<number>((done) => child.once('close', (exit) => done(exit ?? -1)));
  const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  return { exit: await code, stdout, stderr };
}

/** Nothing of whoever runs the tests. */
function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^BENCHDOG_|_API_KEY$|_BASE_URL$|^OLLAMA_HOST$/.test(name)),
  );
}
