import { compileWildcard } from '../base/wildcard.ts';
import { otherPattern } from './shell/synonyms.ts';
import type { Decision } from './verdict.ts';

/** Where a row stands, so that every answer can name it. `line` counts from 1. */
export interface RowOrigin {
  readonly file: string;
  readonly line?: number;
}

/** One row of a permission table: calls of `tool` whose subject matches `pattern` get `decision`. */
export interface Row {
  /** A tool's name; `*` and `?` are wildcards, as in `mcp__github__*`. */
  readonly tool: string;
  readonly pattern: string;
  readonly decision: Decision;
  /** Told to the model when the row refuses. */
  readonly reason?: string;
  readonly examples?: RowExamples;
  readonly origin?: RowOrigin;
  /** From a project nobody has trusted yet: it may only make things stricter. */
  readonly untrusted?: boolean;
}

/** Subjects a row must match and must not match; checked when the file loads. */
export interface RowExamples {
  readonly match?: readonly string[];
  readonly not?: readonly string[];
}

/**
 * What a row is matched against: the spellings of one thing. An *allow* must match one of the safe spellings; *ask*
 * and *deny* may also match a looser one (the base name of a path, the unquoted words of a command).
 */
export interface Face {
  readonly safe: readonly string[];
  readonly loose: readonly string[];
}

/** The row that decides for a face: the last one that matches. */
export function lastMatch(rows: readonly Row[], face: Face, fold: boolean): Row | undefined {
  for (let at = rows.length - 1; at >= 0; at -= 1) if (rowMatches(rows[at]!, face, fold)) return rows[at];
  return undefined;
}

export function rowMatches(row: Row, face: Face, fold = false): boolean {
  return matchesFace(row, face, fold, row.decision !== 'allow');
}

/** Does the row's pattern match one of the face's spellings, the loose ones included if `loosely`? */
export function matchesFace(row: Row, face: Face, fold: boolean, loosely: boolean): boolean {
  if (row.pattern === '*') return true;
  const tests = compiled(row, fold);
  return matchesAny(tests, face.safe, fold) || (loosely && matchesAny(tests, face.loose, fold));
}

type Test = (text: string) => boolean;

function matchesAny(tests: readonly Test[], texts: readonly string[], fold: boolean): boolean {
  for (const text of texts) {
    const given = fold ? text.toLowerCase() : text;
    for (const test of tests) if (test(given)) return true;
  }
  return false;
}

/** A pattern that ends in ` *` matches without any further word too: `git log *` matches `git log`. */
function testOf(pattern: string): Test {
  const test = compileWildcard(pattern);
  return pattern.endsWith(' *') ? (text) => test(text) || test(`${text} `) : test;
}

const exactTests = new WeakMap<Row, readonly Test[]>();
const foldedTests = new WeakMap<Row, readonly Test[]>();

function compiled(row: Row, fold: boolean): readonly Test[] {
  const cache = fold ? foldedTests : exactTests;
  let tests = cache.get(row);
  if (tests === undefined) {
    tests = spellings(row).map((pattern) => testOf(fold ? pattern.toLowerCase() : pattern));
    cache.set(row, tests);
  }
  return tests;
}

/**
 * `**` followed by a slash at the start means any folder, the root included; a leading `./` means nothing. A row that
 * refuses a command refuses it by its other names, too.
 */
function spellings({ pattern, decision }: Row): readonly string[] {
  const other = decision === 'allow' ? undefined : otherPattern(pattern);
  if (other !== undefined) return [pattern, other];
  if (pattern.startsWith('**/')) return [pattern, pattern.slice(3)];
  return pattern.startsWith('./') ? [pattern, pattern.slice(2)] : [pattern];
}

/** True when a row's pattern says nothing about the subject: it sets what holds for the rest. */
export function isCatchAll(row: Row): boolean {
  return row.pattern === '*' || /^\*+$/.test(row.pattern);
}

/** How a row is named in answers, e.g. `permission.bash["git *"] (.benchdog/config.json:4)`. */
export function nameRow(row: Row): string {
  const name = `permission.${row.tool}[${JSON.stringify(row.pattern)}]`;
  if (row.origin === undefined) return name;
  const { file, line } = row.origin;
  return `${name} (${line === undefined ? file : `${file}:${line}`})`;
}
