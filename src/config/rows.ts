import { ToolError } from '../base/error.ts';
import type { Row } from '../gate/rule.ts';
import type { ConfigDocument } from './document.ts';
import type { Config } from './schema.ts';

type Permission = NonNullable<Config['permission']>;
type Cell = Exclude<Permission[string], Record<string, unknown>> | { readonly decision: Row['decision'] };

/** The permission rows of a file, each with the file and line it came from. */
export function rowsOf(document: ConfigDocument<Config>, options: { readonly untrusted: boolean }): Row[] {
  const rows: Row[] = [];
  for (const [tool, entry] of Object.entries(document.value.permission ?? {})) {
    const table = isCell(entry) ? { '*': entry } : entry;
    for (const [pattern, cell] of Object.entries(table)) {
      const path = isCell(entry) ? ['permission', tool] : ['permission', tool, pattern];
      rows.push({
        tool,
        pattern,
        ...(typeof cell === 'string' ? { decision: cell } : cell),
        origin: { file: document.file, line: document.lineOf(path) },
        ...(options.untrusted ? { untrusted: true } : {}),
      } as Row);
    }
  }
  return rows;
}

/** `--allow TOOL:PATTERN` and `--deny TOOL:PATTERN`; without a pattern the row is for every call of the tool. */
export function rowOfFlag(flag: '--allow' | '--deny', text: string): Row {
  const [, tool, pattern] = /^([\w*?-]+)(?::(.+))?$/s.exec(text) ?? [];
  if (tool === undefined) {
    throw new ToolError('invalid', `${flag} takes TOOL:PATTERN, e.g. ${flag} 'bash:git log *'; got "${text}".`);
  }
  return { tool, pattern: pattern ?? '*', decision: flag === '--allow' ? 'allow' : 'deny', origin: { file: flag } };
}

/** A tool's entry is one cell when it is a decision, or an object with a `decision` that is one. */
function isCell(entry: Permission[string]): entry is Cell & Permission[string] {
  if (typeof entry === 'string') return true;
  const { decision } = entry as { decision?: unknown };
  return decision === 'allow' || decision === 'ask' || decision === 'deny';
}
