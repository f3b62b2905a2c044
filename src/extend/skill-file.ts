import { parse } from 'yaml';
import { ToolError } from '../base/error.ts';

/** A skill's text: what its front matter says of it, and the instructions below. */
export interface SkillText {
  readonly name?: string;
  readonly description: string;
  readonly body: string;
}

const maxFrontMatter = 16 * 1024;
const maxDescription = 1024;
const fence = /^---[ \t]*\r?\n/;

/**
 * Reads Markdown with YAML front matter, `name` (optional) and `description`; other keys are left alone. Throws
 * `invalid`; its text follows the file's name.
 */
export function parseSkill(text: string): SkillText {
  const front = readFrontMatter(text.replace(/^\uFEFF/, ''));
  if (front === undefined) throw wrong('has no front matter: begin it with a line --- and a description');
  const { name, description } = front.fields;
  if (name !== undefined && typeof name !== 'string') throw wrong('has a name that is no text');
  if (typeof description !== 'string' || description.trim() === '') throw wrong('has no description');
  return {
    ...(name === undefined ? {} : { name }),
    description: description.trim().replace(/\s+/g, ' ').slice(0, maxDescription),
    body: front.body.trim(),
  };
}

/** The YAML between two lines `---` at the beginning, and what stands below; undefined when there is none. */
export function readFrontMatter(
  text: string,
): { readonly fields: Readonly<Record<string, unknown>>; readonly body: string } | undefined {
  const open = fence.exec(text);
  if (open === null) return undefined;
  const rest = text.slice(open[0].length);
  const close = /^---[ \t]*(?:\r?\n|$)/m.exec(rest.slice(0, maxFrontMatter));
  if (close === null) throw wrong('has a front matter that does not end with a line ---');
  return { fields: readYaml(rest.slice(0, close.index)), body: rest.slice(close.index + close[0].length) };
}

function readYaml(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    // Aliases are refused: a few lines of them can stand for gigabytes.
    value = parse(text, { maxAliasCount: 0, logLevel: 'error' });
  } catch (error) {
    throw wrong(`has a front matter that is not valid YAML: ${firstLine(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong('has no description');
  return value as Readonly<Record<string, unknown>>;
}

function firstLine(error: unknown): string {
  return (error as Error).message.split('\n')[0]!.replace(/:$/, '');
}

function wrong(problem: string): ToolError {
  return new ToolError('invalid', problem);
}
