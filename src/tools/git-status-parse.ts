/** Where HEAD is and what differs from it, as `git status --porcelain=v2 --branch -z` tells. git-status(1). */
export interface Status {
  /** The branch's name; undefined when HEAD is detached. */
  readonly branch?: string;
  /** The commit HEAD names; undefined when there is none yet. */
  readonly commit?: string;
  readonly files: readonly StatusFile[];
}

export interface StatusFile {
  /** Relative to the repository's top. */
  readonly name: string;
  /** State in the index and in the work tree: `.` same, else M A D R C T, U for a conflict, `?` untracked. */
  readonly staged: string;
  readonly worktree: string;
  readonly from?: string;
  readonly conflict?: boolean;
}

export function parseStatus(text: string): Status {
  const fields = text.split('\0');
  const files: StatusFile[] = [];
  let status: { branch?: string; commit?: string } = {};
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at]!;
    const [staged, worktree] = [field[2] ?? '.', field[3] ?? '.'];
    if (field.startsWith('# branch.')) status = { ...status, ...branchOf(field) };
    else if (field.startsWith('? ')) files.push({ name: field.slice(2), staged: '?', worktree: '?' });
    else if (field.startsWith('1 ')) files.push({ name: behind(field, 8), staged, worktree });
    else if (field.startsWith('u ')) files.push({ name: behind(field, 10), staged, worktree, conflict: true });
    else if (field.startsWith('2 ')) {
      at += 1;
      files.push({ name: behind(field, 9), staged, worktree, from: fields[at]! });
    }
  }
  return { ...status, files };
}

function branchOf(field: string): { branch?: string; commit?: string } {
  const [, key, value] = /^# branch\.(\w+) (.*)$/s.exec(field) ?? [];
  if (key === 'oid' && value !== '(initial)') return { commit: value! };
  return key === 'head' && value !== '(detached)' ? { branch: value! } : {};
}

/** The text behind `count` blanks: names hold blanks themselves. */
function behind(field: string, count: number): string {
  let at = 0;
  for (let blanks = 0; blanks < count; blanks += 1) at = field.indexOf(' ', at) + 1;
  return field.slice(at);
}
