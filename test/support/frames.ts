import type { AgentEvent } from '../../src/agent/event.ts';
import type { Seat } from '../../src/ui/terminal/seat.ts';
import { openTerminalUi, type TerminalUi } from '../../src/ui/terminal/terminal-ui.ts';
import { themeFor } from '../../src/ui/terminal/theme.ts';
import { type Emulator, emulator } from './emulator.ts';
import { until } from './processes.ts';

export interface Stand {
  readonly terminal: Emulator;
  readonly ui: TerminalUi;
  /** What the seat was asked to do. */
  readonly asked: string[];
  /** What is on the terminal once it shows `wanted`. */
  shows(wanted: string): Promise<string>;
}

/** A whole user interface on a terminal that is only a grid; the clock stands still. */
export function standAt(columns: number, rows = 40, env: Readonly<Record<string, string>> = {}): Stand {
  const terminal = emulator(columns, rows);
  const theme = themeFor({ LANG: 'C.UTF-8', NO_COLOR: '1', ...env });
  const ui = openTerminalUi({ terminal, theme, now: () => 1_800_000_000_000 });
  const asked: string[] = [];
  ui.seat(testSeat(asked));
  return {
    terminal,
    ui,
    asked,
    async shows(wanted) {
      await until(() => terminal.all().join('\n').includes(wanted), 5000);
      return `${terminal.all().join('\n')}\n`;
    },
  };
}

function testSeat(asked: string[]): Seat {
  const note = (text: string) => () => void asked.push(text);
  return {
    submit: (text) => void asked.push(`submit ${text}`),
    abort: note('abort'),
    interrupt: () => {
      asked.push('interrupt');
      return false;
    },
    quit: note('quit'),
    loss: () => undefined,
    nextMode: note('next mode'),
    pasteImage: note('paste image'),
    status: () => ({
      model: 'anthropic/claude-sonnet-4-5',
      room: 200_000,
      dialect: 'native',
      mode: 'ask',
      sandbox: 'bubblewrap',
    }),
    beside: () => ({ jobs: [{ id: 'job-1', command: 'npm run dev' }], queue: ['and then the tests'] }),
    edit: async () => undefined,
    diffOf: () => undefined,
  };
}

/** Events of a turn in full swing. */
export const busyTurn: readonly AgentEvent[] = [
  { type: 'session', id: 's', model: 'm', resumed: false },
  { type: 'delta', of: 'reasoning', text: 'The parser loses the last line when it has no end.' },
  {
    type: 'delta',
    of: 'text',
    text: 'I found **two** places in `src/parse.ts`:\n\n1. the loop stops one line early\n2. the last line is never flushed\n\n',
  },
  {
    type: 'delta',
    of: 'text',
    text: '```ts\nfor (const line of lines) {\n  rows.push(parse(line));\n}\n```\n\nNow I mend',
  },
  {
    type: 'usage',
    step: 1,
    usage: { input: 24_000, output: 400, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    cost: 0.0123,
  },
  {
    type: 'todo',
    todos: [
      { content: 'find the fault', status: 'done' },
      { content: 'mend it', status: 'in_progress' },
      { content: 'run the tests', status: 'pending' },
    ],
  },
  { type: 'tool-start', callId: 'c1', tool: 'bash', arguments: '{"command":"npm test -- parse"}' },
  { type: 'tool-output', callId: 'c1', stream: 'stdout', text: ' RUN  v4.1.12\n ✓ parse.test.ts (12 tests)\n' },
  { type: 'tool-start', callId: 'c2', tool: 'task', arguments: '{"description":"find callers of parse"}' },
  {
    type: 'subagent',
    callId: 'c2',
    kind: 'explore',
    description: 'find callers of parse',
    state: 'working',
    text: 'grep {"pattern":"parse\\\\("}',
  },
];
