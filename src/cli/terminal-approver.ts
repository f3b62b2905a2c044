import { visibleText } from '../base/visible.ts';
import type { Answer, ApprovalRequest, Approver } from '../gate/approver.ts';
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
      return answerOf(await askLine(io, keysOf(request), { signal }), request.verdict.always, request.canRehearse);
    },
  };
}

/**
 * What a typed line answers: `y`, or `a` with how far it goes (`a 5` times, `a 10m` minutes, `a!` for good) and perhaps
 * another pattern behind it, `p` to try a command out. Anything else is a no.
 */
export function answerOf(line: string, always: string | undefined, canRehearse = false): Answer {
  const text = line.trim();
  if (/^y(?:es)?$/i.test(text)) return { type: 'once' };
  if (/^p(?:review)?$/i.test(text) && canRehearse) return { type: 'rehearse' };
  const [, stored, uses, minutes, pattern = always] =
    /^a(!)?(?:\s+(?:([1-9]\d{0,5})x?|([1-9]\d{0,5})m))?(?:\s+(\S.*))?$/i.exec(text) ?? [];
  if (!/^a/i.test(text) || pattern === undefined || always === undefined || !/^a(?:[!\s]|$)/i.test(text))
    return { type: 'no' };
  return {
    type: 'always',
    pattern,
    ...(uses === undefined ? {} : { uses: Number(uses) }),
    ...(minutes === undefined ? {} : { minutes: Number(minutes) }),
    ...(stored === undefined ? {} : { stored: true }),
  };
}

function describe({ tool, changes, preview, problem, rehearsed, notRehearsed }: ApprovalRequest): string {
  const again = problem === undefined ? '' : `${visibleText(problem)}\n`;
  const what =
    changes === undefined ? 'run' : rehearsed === undefined ? 'change files' : 'do what it did when tried out';
  const blind = notRehearsed === undefined ? '' : `(not a preview: ${visibleText(notRehearsed)})\n`;
  return `${again}${tool} wants to ${what}\n${visibleText(preview)}\n${blind}`;
}

function keysOf({ tool, verdict, canRehearse, rehearsed }: ApprovalRequest): string {
  const once = `y ${rehearsed === undefined ? 'allow once' : 'make it so'}${canRehearse === true ? ' | p preview' : ''}`;
  if (verdict.always === undefined) return `${once} | n deny: `;
  return `${once} | a always allow ${tool} ${visibleText(verdict.always)} | n deny (also: a 5 for five more times, a 10m for minutes, a! for good): `;
}
