import type { JsonSchema } from '../base/schema.ts';
import type { OfferedTool } from '../gate/gateway.ts';
import type { ToolSpec } from '../model/model.ts';
import type { Agent } from './agent.ts';

/** The tools as the model is told of them now: those that are of use, in as few bytes as say it. */
export function toolsNow({ gate, idle }: Agent): OfferedTool[] {
  return gate.definitions().filter(({ name }) => !idle?.(name));
}

export function asSpec({ name, description, input }: OfferedTool): ToolSpec {
  const short = shortened.get(input) ?? (shorten(input) as JsonSchema);
  shortened.set(input, short);
  return { name, description, input: short };
}

/** A tool's schema is the same object at every step. */
const shortened = new WeakMap<JsonSchema, JsonSchema>();

/**
 * The gate refuses, field by field, what a schema does not name, and what is empty or negative; that each schema says so
 * as well costs bytes alone.
 */
function shorten(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(shorten);
  if (node === null || typeof node !== 'object') return node;
  const type = 'type' in node ? node.type : undefined;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !goesWithoutSaying(type, key, value))
      .map(([key, value]) => [key, shorten(value)]),
  );
}

function goesWithoutSaying(type: unknown, key: string, value: unknown): boolean {
  if (type === 'object') return key === 'additionalProperties' && value === false;
  if (type === 'string') return key === 'minLength' && value === 1;
  return type === 'integer' && key === 'minimum' && (value === 0 || value === 1);
}
