import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import type { ScriptedReply } from './scripted.ts';

/** Reads a script: a JSON array of replies, or one reply a line. Throws `invalid` that names the file and the reply. */
export function readScript(file: string): ScriptedReply[] {
  const text = readText(file).trim();
  if (text.startsWith('[')) {
    const replies = parse(text, `The script ${file}`) as unknown[];
    return replies.map((value, at) => check(value, at, file));
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, at) => check(parse(line, replyName(at, file)), at, file));
}

const count = z.int().min(0).optional();
const faults = ['busy', 'network', 'garbled', 'context', 'auth', 'quota', 'refused', 'rejected', 'output'] as const;

const reply = z.strictObject({
  text: z.string().optional(),
  reasoning: z.string().optional(),
  calls: z
    .array(z.strictObject({ tool: z.string(), arguments: z.unknown().optional(), id: z.string().optional() }))
    .optional(),
  usage: z
    .strictObject({ input: count, output: count, cacheRead: count, cacheWrite: count, reasoning: count })
    .optional(),
  finish: z.enum(['length', 'refused']).optional(),
  fault: z.strictObject({ kind: z.enum(faults), message: z.string().optional() }).optional(),
  delay: z.number().min(0).optional(),
});

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ToolError('invalid', `The script ${file} can't be read: ${(error as Error).message}`, { cause: error });
  }
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ToolError('invalid', `${where} is no JSON: ${(error as Error).message}`, { cause: error });
  }
}

function check(value: unknown, at: number, file: string): ScriptedReply {
  const parsed = reply.safeParse(value);
  if (parsed.success) return parsed.data as ScriptedReply;
  const [issue] = parsed.error.issues;
  const field = issue!.path.length === 0 ? '' : ` at ${issue!.path.join('.')}`;
  throw new ToolError(
    'invalid',
    `${replyName(at, file)} can't be used${field}: ${issue!.message}. A reply has text, reasoning, calls [{tool, arguments}], usage, finish, fault or delay.`,
  );
}

function replyName(at: number, file: string): string {
  return `Reply ${at + 1} of the script ${file}`;
}
