import { ProcessTerminal } from '@earendil-works/pi-tui';
import { type Charset, encodeFor } from './charset.ts';

/** The terminal this process runs in: keys come in, text goes out, and it is left as it was found. */
export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  /** Takes the terminal: raw keys, bracketed paste. `onKey` gets one key's sequence, or one whole paste. */
  start(handlers: TerminalHandlers): void;
  /** Gives it back. */
  stop(): Promise<void>;
  /** Gives it back, stops this process as ctrl-z does, and takes it again when the process goes on. */
  suspend(onResume: () => void): void;
  write(text: string): void;
}

export interface TerminalHandlers {
  onKey(sequence: string): void;
  onResize(): void;
  /** The process ends unasked: what is drawn over is to be taken away, at once. */
  onEnd(): void;
}

/** Milliseconds to wait for keys and replies that are still on their way, so that no shell gets them. */
const drain = { most: 200, idle: 30 };

export function processTerminal(charset: Charset): Terminal {
  const { stdout } = process;
  let terminal = new ProcessTerminal();
  let handlers: TerminalHandlers | undefined;
  // Whatever ends the process: a crash, an exit from elsewhere.
  const restore = () => {
    try {
      handlers?.onEnd();
    } catch {
      // It may have been the drawing that failed; the terminal's modes matter more.
    }
    if (handlers !== undefined) terminal.restoreOnExit('', '\x1b[?25h');
    handlers = undefined;
  };
  const take = () => {
    terminal = new ProcessTerminal();
    terminal.start(
      (sequence) => handlers?.onKey(sequence),
      () => handlers?.onResize(),
    );
  };
  return {
    get columns() {
      return stdout.columns || 80;
    },
    get rows() {
      return stdout.rows || 24;
    },
    start(given) {
      handlers = given;
      process.on('exit', restore);
      process.on('uncaughtExceptionMonitor', restore);
      take();
    },
    async stop() {
      if (handlers === undefined) return;
      await terminal.drainInput(drain.most, drain.idle);
      terminal.stop();
      handlers = undefined;
      process.off('exit', restore);
      process.off('uncaughtExceptionMonitor', restore);
    },
    suspend(onResume) {
      if (process.platform === 'win32') return;
      terminal.stop();
      // Without the keyboard nothing else may be there that keeps the process going.
      const alive = setInterval(() => {}, 1000);
      process.once('SIGCONT', () => {
        clearInterval(alive);
        take();
        onResume();
      });
      // The whole group, so that a shell or npm in between stops too.
      process.kill(0, 'SIGTSTP');
    },
    write: (text) => void stdout.write(encodeFor(charset, text)),
  };
}
