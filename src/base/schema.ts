import * as z from 'zod';
import { ToolError } from './error.ts';
import { isTooDeep } from './json-depth.ts';

/** A JSON Schema (draft 2020-12) as sent to a model provider. */
export type JsonSchema = { readonly [key: string]: unknown };

/** The schema as the model sees it: every byte is paid for on each request, so what says nothing is left out. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, { io: 'input' });
  return slim(json) as JsonSchema;
}

/**
 * Parses a model's arguments strictly: an unknown, missing, null or wrong-typed field, trailing text and cut-off JSON
 * are all errors of code `invalid` that name the field and show the right shape.
 *
 * @param raw JSON text as the model sent it, or a value already parsed. Empty text means `{}`.
 */
export function parseArguments<T>(tool: string, schema: z.ZodType<T>, raw: unknown): T {
  const value = typeof raw === 'string' ? parseJson(tool, schema, raw) : raw;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refuse(tool, schema, describeIssue(parsed.error.issues[0], value, schema));
}

function parseJson(tool: string, schema: z.ZodType, text: string): unknown {
  if (text.trim() === '') return {};
  if (isTooDeep(text)) throw refuse(tool, schema, 'the JSON is nested too deep');
  try {
    return JSON.parse(text);
  } catch {
    throw refuse(tool, schema, describeBadJson(text));
  }
}

function refuse(tool: string, schema: z.ZodType, problem: string): ToolError {
  return new ToolError('invalid', `invalid ${tool} arguments: ${problem}. Expected: ${shapeOf(toJsonSchema(schema))}`);
}

/** Says whether JSON text is cut off, followed by more, or broken inside. */
function describeBadJson(text: string): string {
  const end = endOfFirstValue(text);
  if (end === undefined) return 'the JSON is cut off before its end; send the whole object again';
  const first = text.slice(0, end);
  try {
    JSON.parse(first);
  } catch (error) {
    return `not valid JSON (${(error as Error).message})`;
  }
  const rest = text.slice(end).trim();
  return rest.startsWith('{') || rest.startsWith('[')
    ? 'multiple json values; send exactly one object'
    : `text after the JSON object: ${JSON.stringify(rest.slice(0, 40))}`;
}

/** The offset just behind the first object or array, or undefined when it never ends. */
function endOfFirstValue(text: string): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth <= 0) return at + 1;
    }
  }
  return depth > 0 || inString ? undefined : text.length;
}

function describeIssue(issue: z.core.$ZodIssue | undefined, value: unknown, schema: z.ZodType): string {
  if (issue === undefined) return 'the arguments do not fit';
  const field = fieldName(issue.path);
  const found = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
  switch (issue.code) {
    case 'unrecognized_keys':
      return `json: unknown field ${issue.keys.map((key) => JSON.stringify(fieldName([...issue.path, key]))).join(', ')}`;
    case 'invalid_type':
      if (issue.path.length === 0) return `expected an object, got ${typeName(found)}`;
      if (found === undefined) return `field "${field}" is required (${issue.expected})`;
      return `field "${field}" must be ${article(issue.expected)}, got ${typeName(found)}${unquoteHint(found, issue.expected)}`;
    case 'invalid_value':
      return `field "${field}" must be one of ${issue.values.map((one) => JSON.stringify(one)).join(', ')}, got ${preview(found)}`;
    case 'too_small':
      return `field "${field}" must ${boundText(found, 'at least', Number(issue.minimum))}${meaning(schema, issue.path)}`;
    case 'too_big':
      return `field "${field}" must ${boundText(found, 'at most', Number(issue.maximum))}${meaning(schema, issue.path)}`;
    case 'invalid_union':
      return `field "${field}" must be ${shapeOf(schemaAt(schema, issue.path))}, got ${typeName(found)}`;
    default:
      return `field "${field}": ${issue.message}`;
  }
}

function boundText(found: unknown, how: string, bound: number): string {
  if (typeof found === 'number') return `be ${how} ${bound}, got ${found}`;
  const [size, noun] = Array.isArray(found) ? [found.length, 'item'] : [String(found).length, 'character'];
  return `have ${how} ${bound} ${noun}${bound === 1 ? '' : 's'}, got ${size}`;
}

/** What the number counts, in the words the model was given: a bound without its unit says little. */
function meaning(schema: z.ZodType, path: readonly PropertyKey[]): string {
  const { description, type } = schemaAt(schema, path);
  return type === 'integer' && description !== undefined ? ` (${String(description)})` : '';
}

function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): JsonSchema {
  return path.reduce<JsonSchema>((at, key) => {
    const inner = typeof key === 'number' ? at.items : (at.properties as JsonSchema | undefined)?.[String(key)];
    return (inner ?? {}) as JsonSchema;
  }, toJsonSchema(schema));
}

function unquoteHint(found: unknown, expected: string): string {
  return typeof found === 'string' && expected !== 'string' ? '; send the value itself, not text that holds it' : '';
}

function fieldName(path: readonly PropertyKey[]): string {
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`)).join('');
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (value === undefined) return 'nothing';
  return typeof value === 'object' ? 'an object' : `${article(typeof value)} ${preview(value)}`;
}

function article(noun: string): string {
  const name = noun === 'int' ? 'integer' : noun;
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

function preview(value: unknown): string {
  // JSON has no infinity, but a number with a large exponent is read as one.
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** A schema as one line a reader can copy: `{"path": string, "limit"?: integer}`. */
function shapeOf(schema: JsonSchema): string {
  const type = schema.type as string | undefined;
  if (type === 'object') {
    const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
    const required = new Set((schema.required ?? []) as string[]);
    const fields = Object.entries(properties).map(
      ([name, field]) => `"${name}"${required.has(name) ? '' : '?'}: ${shapeOf(field)}`,
    );
    return `{${fields.join(', ')}}`;
  }
  if (type === 'array') return `[${shapeOf((schema.items ?? {}) as JsonSchema)}, …]`;
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one) => shapeOf(one as JsonSchema)).join(' | ');
  return schema.const === undefined ? (type ?? 'any') : JSON.stringify(schema.const);
}

/** Drops `$schema` and the bounds that only say "a safe integer". */
function slim(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(slim);
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(
        ([key, value]) => key !== '$schema' && value !== Number.MAX_SAFE_INTEGER && value !== Number.MIN_SAFE_INTEGER,
      )
      .map(([key, value]) => [key, slim(value)]),
  );
}
