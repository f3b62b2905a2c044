import type { Terminal, TerminalHandlers } from '../../src/ui/terminal/terminal.ts';
import { widthOf } from '../../src/ui/terminal/text.ts';

/** A terminal that is only a grid: it understands what our screen writes, and refuses everything else. */
export interface Emulator extends Terminal {
  /** The rows of the screen that hold something, without trailing blanks. */
  screen(): string[];
  /** The scrollback and the screen. */
  all(): string[];
  cursor(): { readonly row: number; readonly column: number };
  key(sequence: string): void;
  resize(columns: number, rows: number): void;
}

export function emulator(columns = 80, rows = 24): Emulator {
  let size = { columns, rows };
  let grid: string[] = [''];
  const scrolled: string[] = [];
  let at = { row: 0, column: 0 };
  let handlers: TerminalHandlers | undefined;

  const control: Record<string, (value: number) => void> = {
    A: (value) => (at = { ...at, row: Math.max(0, at.row - (value || 1)) }),
    B: (value) => (at = { ...at, row: Math.min(size.rows - 1, at.row + (value || 1)) }),
    C: (value) => (at = { ...at, column: Math.min(size.columns - 1, at.column + (value || 1)) }),
    H: () => (at = { row: 0, column: 0 }),
    J: (value) => {
      grid = value === 2 ? [''] : [...grid.slice(0, at.row), (grid[at.row] ?? '').slice(0, at.column)];
    },
    K: (value) => {
      if (value !== 2) throw new Error('only whole lines are cleared');
      grid[at.row] = '';
    },
    m: () => {},
    h: () => {},
    l: () => {},
  };

  function put(text: string): void {
    const line = (grid[at.row] ?? '').padEnd(at.column);
    grid[at.row] = line.slice(0, at.column) + text + line.slice(at.column + text.length);
    at = { ...at, column: at.column + text.length };
    if (widthOf(grid[at.row]!) >= size.columns) throw new Error(`a line reaches the last column: ${grid[at.row]}`);
  }

  function feed(): void {
    at = { ...at, row: at.row + 1 };
    if (at.row >= size.rows) {
      scrolled.push((grid.shift() ?? '').trimEnd());
      at = { ...at, row: size.rows - 1 };
    }
    while (grid.length <= at.row) grid.push('');
  }

  return {
    get columns() {
      return size.columns;
    },
    get rows() {
      return size.rows;
    },
    start(given) {
      handlers = given;
    },
    stop: async () => {},
    suspend: (resume) => resume(),
    write(text) {
      for (const [token, , value, letter] of text.matchAll(/\x1b\[(\??)(\d*)([A-Za-z])|\r|\n|[^\x1b\r\n]+/g)) {
        if (letter !== undefined) {
          while (grid.length <= at.row) grid.push('');
          const does = control[letter];
          if (does === undefined) throw new Error(`unknown sequence ${JSON.stringify(token)}`);
          does(Number(value));
        } else if (token === '\r') at = { ...at, column: 0 };
        else if (token === '\n') feed();
        else put(token);
      }
      while (grid.length <= at.row) grid.push('');
    },
    screen: () => trimmed(grid),
    all: () => trimmed([...scrolled, ...grid]),
    cursor: () => at,
    key: (sequence) => handlers?.onKey(sequence),
    resize(newColumns, newRows) {
      size = { columns: newColumns, rows: newRows };
      handlers?.onResize();
    },
  };
}

function trimmed(lines: readonly string[]): string[] {
  const texts = lines.map((line) => line.trimEnd());
  while (texts.at(-1) === '') texts.pop();
  return texts;
}
