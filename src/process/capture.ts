import { type ChildProcess, spawn } from 'node:child_process';
import { asToolError, systemCode, ToolError } from '../base/error.ts';
import type { Environment } from './environment.ts';

export interface CaptureOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly signal?: AbortSignal;
  /** Default 30,000. */
  readonly timeoutMs?: number;
  /** Bytes of standard output that are kept; the rest is read and counted. Default 16 MB. */
  readonly maxBytes?: number;
  /** Standard input; default none. */
  readonly input?: string;
}

export interface Capture {
  readonly code: number;
  /** Standard output up to `maxBytes`. */
  readonly stdout: Buffer;
  /** Bytes of standard output in all. */
  readonly total: number;
  /** The first 8 KB of standard error. */
  readonly stderr: string;
}

const maxStderr = 8192;

/**
 * Runs a short, trusted program (git, ripgrep) for its output. Throws `failed` when it can't be started, `timeout` and
 * `interrupted` when it had to be killed.
 */
export async function capture(options: CaptureOptions): Promise<Capture> {
  const { maxBytes = 16 * 1024 * 1024, signal, input } = options;
  if (signal?.aborted) throw cancelled();
  const child = spawn(options.file, options.args, {
    cwd: options.cwd,
    env: options.env,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const stdout = keeper(maxBytes);
  const stderr = keeper(maxStderr);
  child.stdout!.on('data', stdout.push);
  child.stderr!.on('data', stderr.push);
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  const code = await ended(child, options);
  return { code, stdout: stdout.bytes(), total: stdout.total(), stderr: stderr.bytes().toString() };
}

/** The exit code, once all output is there. */
function ended(child: ChildProcess, options: CaptureOptions): Promise<number> {
  const { timeoutMs = 30_000, signal } = options;
  return new Promise((resolve, reject) => {
    const stop = (error: ToolError) => {
      child.kill('SIGKILL');
      settle(() => reject(error));
    };
    const cancel = () => stop(cancelled());
    const late = () =>
      stop(new ToolError('timeout', `${name(options.file)} did not finish within ${timeoutMs / 1000} s.`));
    const limit = setTimeout(late, timeoutMs);
    const settle = (how: () => void) => {
      clearTimeout(limit);
      signal?.removeEventListener('abort', cancel);
      how();
    };
    signal?.addEventListener('abort', cancel, { once: true });
    child.once('error', (error) => settle(() => reject(startError(error, options))));
    child.once('close', (code) => settle(() => resolve(code ?? 1)));
  });
}

function cancelled(): ToolError {
  return new ToolError('interrupted', 'The call was cancelled.');
}

function startError(error: unknown, options: CaptureOptions): ToolError {
  if (systemCode(error) !== 'ENOENT') return asToolError(error);
  return new ToolError(
    'failed',
    `${name(options.file)} could not be started in ${options.cwd}: it or the folder is gone.`,
  );
}

function name(file: string): string {
  return file.split(/[\\/]/).at(-1)!;
}

function keeper(limit: number) {
  const chunks: Buffer[] = [];
  let kept = 0;
  let total = 0;
  return {
    push(chunk: Buffer) {
      total += chunk.length;
      if (kept >= limit) return;
      chunks.push(chunk.subarray(0, limit - kept));
      kept += chunks.at(-1)!.length;
    },
    bytes: () => Buffer.concat(chunks),
    total: () => total,
  };
}
