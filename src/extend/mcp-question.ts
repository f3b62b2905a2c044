import { createHash, randomUUID } from 'node:crypto';
import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ToolError } from '../base/error.ts';
import { capText } from '../base/text.ts';
import { visibleText } from '../base/visible.ts';
import type { Change } from '../change/change.ts';
import { type Answer, type ApprovalRequest, type Approver, nobody } from '../gate/approver.ts';

/** Questions that wait for their answer, by the key that comes back with it. One answer each. */
export interface Questions {
  /** Keeps what was shown; answers with the key. */
  open(shown: string): string;
  /** True when the key belongs to exactly this; a key counts once. */
  take(key: string | undefined, shown: string): boolean;
}

const maxOpen = 256;

export function createQuestions(): Questions {
  const waiting = new Map<string, string>();
  return {
    open(shown) {
      const key = randomUUID();
      waiting.set(key, shown);
      for (const oldest of waiting.keys()) if (waiting.size > maxOpen) waiting.delete(oldest);
      return key;
    },
    take(key = '', shown) {
      const same = waiting.get(key) === shown;
      waiting.delete(key);
      return same;
    },
  };
}

/** The client's user, as far as one call is concerned. */
export interface Person {
  readonly approver: Approver;
  /** The form to send, when the call stopped at a question. */
  question(): InputRequiredResult | undefined;
}

/** A client that can show no form. */
export const noPerson: Person = { approver: nobody, question: () => undefined };

const field = 'approval';

/**
 * A question and its answer are two requests of the client. The first ends with a form; the second brings the answer, and
 * *accept* counts only when what would happen now is what the form showed. Otherwise the form is shown anew.
 */
export function askThrough(questions: Questions, context: ServerContext, call: string): Person {
  const response = inputResponse(context.mcpReq.inputResponses, field);
  let form: InputRequiredResult | undefined;
  const ask = async (request: ApprovalRequest): Promise<Answer> => {
    const shown = digestOf(call, request);
    const accepted = response.kind === 'elicit' && response.action === 'accept';
    if (response.kind === 'elicit' && !accepted) return { type: 'no' };
    if (accepted && questions.take(context.mcpReq.requestState<string>(), shown)) return { type: 'once' };
    form = formOf(request, questions.open(shown), accepted);
    throw new ToolError('denied', `${request.tool} waits for approval.`);
  };
  return { approver: { present: true, ask }, question: () => form };
}

const maxShown = 100_000;

function formOf(request: ApprovalRequest, key: string, again: boolean): InputRequiredResult {
  const { tool, subject, changes, verdict, preview } = request;
  const lines = [
    ...(again ? ['This is not what you were shown before: something changed meanwhile. Please look again.'] : []),
    `${tool} wants to ${changes === undefined ? `run ${subject}` : 'change files'} (${verdict.by}).`,
    ...(verdict.reason === undefined ? [] : [`Why you are asked: ${verdict.reason}`]),
    'Accept to let it, decline to refuse.',
    '',
    capText(preview, maxShown, 'The rest is not shown here; decline if that is not enough.'),
  ];
  const message = visibleText(lines.join('\n'));
  return inputRequired({
    inputRequests: {
      [field]: inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: {} } }),
    },
    requestState: key,
  });
}

/** Stands for all that an approval is about: the call, what was shown, and each file's bytes before and after. */
function digestOf(call: string, { preview, verdict, changes = [] }: ApprovalRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([call, preview, verdict.decision, changes.map(stateOf)]))
    .digest('hex');
}

function stateOf(change: Change): readonly unknown[] {
  const before = 'before' in change ? [change.before.kind, change.before.digest, change.before.mode] : [];
  const after = 'after' in change ? [change.after.kind, change.after.digest, change.after.mode] : [];
  return [change.type, change.path.abs, change.type === 'rename' ? change.to.abs : '', before, after];
}
