import type { JsonSchema } from '../base/schema.ts';

/** What a final answer has to be: JSON that a schema accepts. */
export interface OutputCheck {
  readonly schema: JsonSchema;
  /** What is wrong with the answer, or undefined when it fits. */
  problem(answer: string): string | undefined;
}
