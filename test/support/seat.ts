import { builtProgram } from './built-program.ts';
import { tempFolder } from './folders.ts';
import type { SeenRequest, ServerReply } from './model-server.ts';
import { modelServer } from './models.ts';
import { openPane, type Pane } from './pane.ts';

export interface SeatOptions {
  readonly replies: readonly ServerReply[] | ((request: SeenRequest, index: number) => ServerReply);
  readonly files?: Record<string, string | Buffer>;
  readonly config?: object;
  readonly columns?: number;
  readonly rows?: number;
  readonly args?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Instead of those that name the model. */
  readonly flags?: string;
  readonly root?: string;
  readonly home?: string;
  /** Runs the program under a shell, so that something is left when it ends or is suspended. */
  readonly shell?: boolean;
}

export interface Seat {
  readonly pane: Pane;
  readonly root: string;
  readonly home: string;
  readonly requests: readonly SeenRequest[];
}

/** The built program in a terminal of its own, in a workspace of its own, with a model that gives fixed replies. */
export async function takeSeat(options: SeatOptions): Promise<Seat> {
  const program = await builtProgram();
  const server = await modelServer(options.replies);
  const root = options.root ?? tempFolder(options.files);
  const home = options.home ?? tempFolder({ 'config.json': JSON.stringify(options.config ?? {}) });
  const flags = options.flags ?? `--model openai-compatible/test --base-url ${server.url} ${options.args ?? ''}`;
  // These two tmux gives to whatever it starts as it likes.
  const own = (['TERM', 'PATH'] as const).flatMap((name) => {
    const value = options.env?.[name];
    return value === undefined ? [] : [`${name}='${value}' `];
  });
  const line = `${own.join('')}${process.execPath} ${program} ${flags}`;
  const pane = await openPane({
    command: options.shell === true ? "PS1='shell$ ' bash --norc --noprofile -i" : line,
    cwd: root,
    ...(options.columns === undefined ? {} : { columns: options.columns }),
    ...(options.rows === undefined ? {} : { rows: options.rows }),
    env: { ...cleanEnvironment, BENCHDOG_HOME: home, ...options.env },
  });
  if (options.shell === true) {
    await pane.until('shell$');
    await pane.type(line);
    await pane.press('Enter');
  }
  return { pane, root, home, requests: server.requests };
}

/** Nothing of whoever runs the tests. */
const cleanEnvironment = {
  LANG: 'C.UTF-8',
  LC_ALL: '',
  NO_COLOR: '',
  COLORFGBG: '',
  EDITOR: 'true',
  VISUAL: '',
  BENCHDOG_MODEL: '',
  BENCHDOG_BASE_URL: '',
  HOME: process.env.HOME ?? '/tmp',
};
