import { ToolError } from '../base/error.ts';
import { checkExamples, flagRow, rowsOf } from '../gate/permission.ts';
import type { Row } from '../gate/rule.ts';
import type { ConfigDocument } from './document.ts';
import type { Config } from './schema.ts';

/** The permission rows of a file, each with the file and line it came from; a row that contradicts its examples is an error. */
export function rowsOfFile({ file, value, lineOf }: ConfigDocument<Config>, untrusted: boolean): Row[] {
  const line = (tool: string, pattern: string | undefined) =>
    lineOf(['permission', tool, ...(pattern === undefined ? [] : [pattern])]);
  const rows = rowsOf(value.permission ?? {}, { file, line, untrusted });
  const [broken] = checkExamples(rows);
  if (broken !== undefined) throw new ToolError('invalid', broken.message);
  return rows;
}

/** `--allow TOOL:PATTERN` and `--deny TOOL:PATTERN`; without a pattern the row is for every call of the tool. */
export function rowOfFlag(decision: 'allow' | 'deny', text: string): Row {
  const row = flagRow(decision, text);
  if (row !== undefined) return row;
  throw new ToolError(
    'invalid',
    `--${decision} takes TOOL:PATTERN, e.g. --${decision} 'bash:git log *'; got "${text}".`,
  );
}
