import * as z from 'zod';
import { defineTool, type Tool } from '../tool/tool.ts';

/** A question as it goes on screen: with options a picker, without them free text. */
export interface Question {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly detail?: string | undefined }[];
  readonly multiple: boolean;
}

/** Puts a question to the person. Resolves to what was chosen or typed; undefined when it was dismissed. */
export type Asker = (question: Question, signal: AbortSignal) => Promise<readonly string[] | undefined>;

/** `ask`: stops the turn for one question. Offer it only where somebody can answer. */
export function askTool(ask: Asker): Tool {
  return defineTool({
    name: 'ask',
    description: 'Ask the user one specific question and wait for the answer.',
    input: z.strictObject({
      question: z.string().min(1),
      options: z
        .array(z.strictObject({ label: z.string().min(1), detail: z.string().optional() }))
        .optional()
        .describe('recommendation first'),
      multiple: z.boolean().optional().describe('allow more than one'),
    }),
    readOnly: true,
    prepare: ({ question, options = [], multiple = false }, { signal }) => ({
      effects: [],
      subject: question,
      plan: async () => ({
        type: 'action',
        preview: question,
        run: async () => ({ text: answerOf(await ask({ question, options, multiple }, signal)) }),
      }),
    }),
  });
}

function answerOf(chosen: readonly string[] | undefined): string {
  const given = chosen?.filter((answer) => answer.trim() !== '') ?? [];
  return given.length === 0 ? 'the user dismissed this; use your best judgement' : given.join('\n');
}
