import { visibleText } from '../base/visible.ts';
import type { ApprovalRequest, Approver } from '../gate/approver.ts';
import { nobody } from '../gate/approver.ts';
import type { Io } from './program.ts';
import { askLine } from './question.ts';

/** Asks on the terminal when there is one; otherwise nobody can be asked. */
export function terminalApprover(io: Io): Approver {
  if (!io.stdin.isTTY || !io.stderr.isTTY) return nobody;
  return {
    present: true,
    async ask(request, signal) {
      // What was told before the question is to be read before it.
      await new Promise((resolve) => setImmediate(resolve));
      io.stderr.write(describe(request));
      const answer = (await askLine(io, keysOf(request), { signal })).trim().toLowerCase();
      if (answer === 'y') return { type: 'once' };
      if (answer === 'a' && request.verdict.always !== undefined) {
        return { type: 'always', pattern: request.verdict.always };
      }
      return { type: 'no' };
    },
  };
}

function describe(request: ApprovalRequest): string {
  return `${request.tool} wants to ${request.changes === undefined ? 'run' : 'change files'}\n${visibleText(request.preview)}\n`;
}

function keysOf({ verdict }: ApprovalRequest): string {
  const always = verdict.always === undefined ? '' : ` | a always allow ${visibleText(verdict.always)}`;
  return `y allow once${always} | n deny: `;
}
