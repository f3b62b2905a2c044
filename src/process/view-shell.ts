import { ToolError } from '../base/error.ts';
import type { Environment } from './environment.ts';
import { launch, type RunOptions } from './run.ts';

/**
 * A shell in namespaces of its own that mounts a view and then waits to be told what to run in it. To make namespaces, to
 * start programs and to mount takes longer than most commands: so this can be done while nobody waits.
 */
export interface ViewShell {
  /** As options for `run`; to be called once. */
  told(words: readonly string[], cwd: string): Pick<RunOptions, 'file' | 'args' | 'ahead'>;
  /** Whether it still waits. */
  waits(): boolean;
  /** Lets this process end while it waits, or not. */
  hold(needed: boolean): void;
  end(): void;
}

/** @param namespaces the words in front of the shell; @param text what it does before it waits. */
export function startViewShell(namespaces: readonly string[], text: string, env: Environment): ViewShell {
  const [file = '/bin/sh', ...args] = [...namespaces, '/bin/sh', '-s'];
  const launched = launch({ file, args, cwd: '/', env }, 'pipe');
  const { child } = launched;
  child.on('error', () => {});
  child.stdin!.write(text);
  const waits = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    told: (words, cwd) => {
      if (words.some((word) => Buffer.byteLength(word) >= maxWordBytes)) {
        throw new ToolError('invalid', 'The command is too long for the system. Nothing was run.');
      }
      // The time of `begun` divides what was there from what was changed meanwhile.
      const input = `: > begun && cd ${quoted(cwd)} && exec ${words.map(quoted).join(' ')} </dev/null\nexit 1\n`;
      return { file, args, ahead: { launched, input } };
    },
    waits,
    hold: (needed) => {
      for (const one of [child, child.stdin, child.stdout, child.stderr]) setHeld(one, needed);
    },
    end: () => {
      if (waits()) child.kill('SIGKILL');
    },
  };
}

/** MAX_ARG_STRLEN of Linux. */
const maxWordBytes = 128 * 1024;

/** Streams of a child are sockets, which can be let go of like the child itself. */
function setHeld(one: unknown, needed: boolean): void {
  const { ref, unref } = one as { ref?(): void; unref?(): void };
  (needed ? ref : unref)?.call(one);
}

/** One word of any POSIX shell, whatever `text` holds. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
