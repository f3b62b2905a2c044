import {
  findNodeAtLocation,
  getNodePath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type * as z from 'zod';
import { ToolError } from '../base/error.ts';
import { suggest } from '../base/suggest.ts';

/** A parsed configuration file: its value, and where each key stands. */
export interface ConfigDocument<T> {
  readonly file: string;
  readonly value: T;
  /** The 1-based line of a key, e.g. `['permission', 'bash', 'git *']`. */
  lineOf(path: readonly (string | number)[]): number;
}

/** Parses JSON with comments and trailing commas. Every problem is a `ToolError` naming file, line and key. */
export function parseConfig<T>(file: string, text: string, schema: z.ZodType<T>): ConfigDocument<T> {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const problems: ParseError[] = [];
  const tree = parseTree(source, problems, { allowTrailingComma: true, disallowComments: false });
  const lineAt = (offset: number) => countLines(source, offset);
  const [problem] = problems;
  if (problem !== undefined) {
    throw wrong(file, lineAt(problem.offset), `not valid JSON: ${spaced(printParseErrorCode(problem.error))}`);
  }
  if (tree === undefined) throw wrong(file, 1, 'the file is empty; it must hold an object, at least {}');
  refuseDuplicateKeys(tree, (node, key) => wrong(file, lineAt(node.offset), `key "${key}" stands twice`));
  const lineOf = (path: readonly (string | number)[]) => lineAt(nearestNode(tree, path).offset);
  const parsed = schema.safeParse(toValue(tree));
  if (parsed.success) return { file, value: parsed.data, lineOf };
  const issue = parsed.error.issues[0]!;
  const path = issue.path as (string | number)[];
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    throw wrong(file, lineOf([...path, key]), unknownKey([...path, key].join('.'), key, schema, path));
  }
  throw wrong(file, lineOf(path), `key "${path.join('.')}": ${issue.message}`);
}

function wrong(file: string, line: number, problem: string): ToolError {
  return new ToolError('invalid', `${file}:${line}: ${problem}. Nothing of this file was applied.`);
}

function unknownKey(dotted: string, key: string, schema: z.ZodType, path: readonly (string | number)[]): string {
  const valid = keysAt(schema, path);
  const meant = suggest(key, valid);
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return `unknown key "${dotted}".${hint}${valid.length === 0 ? '' : ` Valid keys: ${valid.join(', ')}`}`;
}

/** The keys a strict object takes at a path; empty where the schema there is no plain object. */
function keysAt(schema: z.ZodType, path: readonly (string | number)[]): string[] {
  let at: unknown = schema;
  for (const key of path) at = (unwrap(at) as { shape?: Record<string, unknown> })?.shape?.[key];
  return Object.keys((unwrap(at) as { shape?: Record<string, unknown> })?.shape ?? {});
}

function unwrap(schema: unknown): unknown {
  let at = schema as { def?: { innerType?: unknown } } | undefined;
  while (at?.def?.innerType !== undefined) at = at.def.innerType as typeof at;
  return at;
}

function nearestNode(tree: Node, path: readonly (string | number)[]): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node !== undefined) return node.parent?.type === 'property' ? node.parent : node;
  }
  return tree;
}

function refuseDuplicateKeys(node: Node, refuse: (node: Node, key: string) => ToolError): void {
  const seen = new Set<string>();
  for (const child of node.children ?? []) {
    if (node.type === 'object') {
      const key = child.children?.[0]?.value as string;
      if (seen.has(key)) throw refuse(child, getNodePath(child.children![0]!).join('.') || key);
      seen.add(key);
    }
    refuseDuplicateKeys(child, refuse);
  }
}

/** Objects without a prototype, so that a key named `__proto__` is a key like any other. */
function toValue(node: Node): unknown {
  switch (node.type) {
    case 'object': {
      const value: Record<string, unknown> = Object.create(null);
      for (const { children } of node.children ?? []) {
        if (children?.[1] !== undefined) value[children[0]!.value as string] = toValue(children[1]);
      }
      return { ...value };
    }
    case 'array':
      return (node.children ?? []).map(toValue);
    default:
      return node.value;
  }
}

function countLines(text: string, end: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function spaced(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
}
