/** One line of a unified diff, with the numbers it has in the old and the new file. */
export type DiffRow =
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'hunk'; readonly text: string }
  | { readonly kind: 'same'; readonly text: string; readonly before: number; readonly after: number }
  | { readonly kind: 'removed'; readonly text: string; readonly before: number }
  | { readonly kind: 'added'; readonly text: string; readonly after: number };

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Takes a unified diff apart. Inside a hunk the counts of its header decide, so a removed line `-- a` is no file name. */
export function diffRows(diff: string): DiffRow[] {
  const rows: DiffRow[] = [];
  const at = { before: 0, after: 0, left: 0, right: 0 };
  const lines = diff.endsWith('\n') ? diff.slice(0, -1).split('\n') : diff.split('\n');
  for (const line of lines) {
    const row = at.left > 0 || at.right > 0 ? insideRow(line, at) : outsideRow(line, at);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

interface Position {
  /** Next line numbers. */
  before: number;
  after: number;
  /** Lines of the hunk still to come on each side. */
  left: number;
  right: number;
}

function insideRow(line: string, at: Position): DiffRow {
  const text = line.slice(1);
  switch (line[0]) {
    case '+':
      at.right -= 1;
      at.after += 1;
      return { kind: 'added', text, after: at.after - 1 };
    case '-':
      at.left -= 1;
      at.before += 1;
      return { kind: 'removed', text, before: at.before - 1 };
    case '\\':
      return { kind: 'note', text: line };
    default:
      at.left -= 1;
      at.right -= 1;
      at.before += 1;
      at.after += 1;
      return { kind: 'same', text, before: at.before - 1, after: at.after - 1 };
  }
}

function outsideRow(line: string, at: Position): DiffRow | undefined {
  const hunk = header.exec(line);
  if (hunk !== null) {
    at.before = Number(hunk[1]);
    at.left = Number(hunk[2] ?? 1);
    at.after = Number(hunk[3]);
    at.right = Number(hunk[4] ?? 1);
    return { kind: 'hunk', text: line };
  }
  if (line.startsWith('diff --git ')) return { kind: 'file', text: line.slice('diff --git '.length) };
  // The names stand in the line above.
  if (line.startsWith('--- ') || line.startsWith('+++ ')) return undefined;
  return line === '' ? undefined : { kind: 'note', text: line };
}
