import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import type { JsonSchema } from '../base/schema.ts';

/** What a final answer has to be: JSON that a schema accepts. */
export interface OutputCheck {
  readonly schema: JsonSchema;
  /** The answer as bare JSON text, or what is wrong with it, for the model to mend. */
  judge(answer: string): { readonly json: string } | { readonly problem: string };
}

/**
 * Makes the check for `--output-schema`. One Markdown fence around the JSON is forgiven and taken off.
 * Throws `ToolError` (`invalid`) for a schema that can't be checked.
 */
export function outputCheck(schema: JsonSchema): OutputCheck {
  const validator = readSchema(schema);
  return {
    schema,
    judge(answer) {
      const json = withoutFence(answer.trim());
      const parsed = parse(json);
      if (parsed === undefined) return { problem: complaint('it is not JSON alone') };
      const result = validator.safeParse(parsed.value);
      if (result.success) return { json };
      const [issue] = result.error.issues;
      const place = issue!.path.length === 0 ? '' : `at ${issue!.path.join('.')}: `;
      return { problem: complaint(`${place}${issue!.message}`) };
    },
  };
}

function complaint(reason: string): string {
  return `The final answer must be JSON that follows the output schema, and nothing else; ${reason}. Give the whole answer again.`;
}

function readSchema(schema: JsonSchema): z.ZodType {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    throw new ToolError('invalid', `The output schema can't be used: ${(error as Error).message}`, { cause: error });
  }
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function withoutFence(text: string): string {
  const inside = /^```(?:json)?\n([\s\S]*)\n```$/.exec(text)?.[1];
  return inside === undefined || inside.includes('```') ? text : inside;
}
