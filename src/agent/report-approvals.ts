import type { Answer, Approver } from '../gate/approver.ts';
import type { ToolState } from '../tool/state.ts';
import { report } from './current-turn.ts';

/** The same approver; what it asks and what comes of it also goes into the turn's events. */
export function reportApprovals(approver: Approver, state: ToolState): Approver {
  return {
    present: approver.present,
    async ask(request, signal) {
      const { callId, tool, subject } = request;
      report(state, { type: 'approval', callId, tool, subject, answer: 'asked' });
      const answer = await approver.ask(request, signal);
      report(state, { type: 'approval', callId, tool, subject, answer: wordFor(answer) });
      return answer;
    },
  };
}

function wordFor({ type }: Answer): 'once' | 'always' | 'no' | 'changed' | 'rehearse' {
  return type === 'replace' || type === 'hunks' ? 'changed' : type;
}
