import { createInterface } from 'node:readline/promises';
import type { ApprovalRequest, Approver } from '../gate/approver.ts';
import { nobody } from '../gate/approver.ts';
import type { Io } from './program.ts';

/** Asks on the terminal when there is one; otherwise nobody can be asked. */
export function terminalApprover(io: Io): Approver {
  if (!io.stdin.isTTY || !io.stderr.isTTY) return nobody;
  return {
    present: true,
    async ask(request, signal) {
      const prompt = createInterface({ input: io.stdin, output: io.stderr });
      try {
        io.stderr.write(describe(request));
        const answer = (await prompt.question(keysOf(request), { signal })).trim().toLowerCase();
        if (answer === 'y') return { type: 'once' };
        if (answer === 'a' && request.verdict.always !== undefined) {
          return { type: 'always', pattern: request.verdict.always };
        }
        return { type: 'no' };
      } finally {
        prompt.close();
      }
    },
  };
}

function describe(request: ApprovalRequest): string {
  return `${request.tool} wants to ${request.changes === undefined ? 'run' : 'change files'}\n${visible(request.preview)}\n`;
}

function keysOf({ verdict }: ApprovalRequest): string {
  const always = verdict.always === undefined ? '' : ` | a always allow ${visible(verdict.always)}`;
  return `y allow once${always} | n deny: `;
}

/** Control characters can't move the cursor or hide text in a prompt. */
function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
