import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

/** A program in a real pseudo-terminal: tmux is the terminal, and tells what is on its screen. */
export interface Pane {
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names: `Enter`, `Escape`, `C-c`, `BTab`, `Up`. */
  press(...keys: readonly string[]): Promise<void>;
  /** Pastes as a terminal does, between the marks of a paste where the program wants them. */
  paste(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** What is on the screen. */
  screen(): Promise<string>;
  /** The screen with its colours. */
  colours(): Promise<string>;
  /** The scrollback and the screen. */
  all(): Promise<string>;
  /** Waits until the screen shows something, or everything so far where `all` is set; resolves to it. */
  until(wanted: string | RegExp, options?: { readonly all?: boolean }): Promise<string>;
  /** Waits until the screen shows something no more. */
  gone(unwanted: string): Promise<string>;
  /** The process that runs in the pane. */
  pid(): Promise<number>;
}

export interface PaneOptions {
  /** A line for `sh`. */
  readonly command: string;
  readonly cwd: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

let count = 0;
const patience = 50_000;

/** Opens a pane that is closed when the test ends. */
export async function openPane(options: PaneOptions): Promise<Pane> {
  count += 1;
  const socket = `benchdog-test-${process.pid}-${count}`;
  const tmux = async (...args: readonly string[]) =>
    (await run('tmux', ['-L', socket, '-f', '/dev/null', ...args])).stdout;
  onTestFinished(() => close(tmux));
  const { columns = 100, rows = 30, cwd, command, env = {} } = options;
  const settings = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const size = ['-x', String(columns), '-y', String(rows)];
  await tmux('new-session', '-d', ...size, '-c', cwd, ...settings, command, ';', 'set', '-g', 'escape-time', '0');
  await tmux('set', '-g', 'remain-on-exit', 'on');
  const capture = (...more: readonly string[]) => tmux('capture-pane', '-p', ...more);
  const pane: Pane = {
    type: async (text) => void (await tmux('send-keys', '-l', text)),
    press: async (...keys) => void (await tmux('send-keys', ...keys)),
    async paste(text) {
      await tmux('set-buffer', text);
      await tmux('paste-buffer', '-p', '-r');
    },
    resize: async (width, height) => void (await tmux('resize-window', '-x', String(width), '-y', String(height))),
    screen: () => capture(),
    colours: () => capture('-e'),
    all: () => capture('-S', '-'),
    until: (wanted, { all = false } = {}) =>
      poll(
        all ? pane.all : pane.screen,
        (text) => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)),
        String(wanted),
      ),
    gone: (unwanted) => poll(pane.screen, (text) => !text.includes(unwanted), `no ${unwanted}`),
    pid: async () => Number(await tmux('display-message', '-p', '#{pane_pid}')),
  };
  return pane;
}

/** At once: a program that is only hung up on would still write while its folders are removed. */
async function close(tmux: (...args: readonly string[]) => Promise<string>): Promise<void> {
  const leader = Number(await tmux('display-message', '-p', '#{pane_pid}').catch(() => 0));
  try {
    if (leader > 1) process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended.
  }
  await tmux('kill-server').catch(() => '');
}

async function poll(read: () => Promise<string>, met: (text: string) => boolean, what: string): Promise<string> {
  const end = Date.now() + patience;
  for (;;) {
    const text = await read();
    if (met(text)) return text;
    if (Date.now() > end) throw new Error(`The terminal does not show ${what}. It shows:\n${text}`);
    await pause(30);
  }
}
