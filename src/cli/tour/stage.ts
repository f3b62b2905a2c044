import type { AgentEvent } from '../../agent/event.ts';
import { visibleText } from '../../base/visible.ts';
import type { ApprovalRequest, Approver } from '../../gate/approver.ts';
import type { Io } from '../program.ts';
import { terminalApprover } from '../terminal-approver.ts';

/** Where the tour's questions are asked. */
export interface Stage {
  /** Asks at a terminal. Without one it shows what would be asked, says yes by itself, and says that it does. */
  readonly approver: Approver;
  /** The same events; a question waits until all that came before it was printed. */
  follow(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent>;
  /** Did a person say no? The script goes on from there. */
  declined(): boolean;
  /** A person pressed ctrl-c at a question. */
  readonly stopped: AbortSignal;
}

export function tourStage(io: Io): Stage {
  const terminal = terminalApprover(io);
  const printed = createSignals();
  const stop = new AbortController();
  let declined = false;
  return {
    stopped: stop.signal,
    declined: () => declined,
    approver: {
      present: true,
      async ask(request, signal) {
        await printed.wait(request.callId);
        if (!terminal.present) return answerAlone(io, request);
        try {
          const answer = await terminal.ask(request, signal);
          declined ||= answer.type === 'no';
          return answer;
        } catch (error) {
          stop.abort();
          throw error;
        }
      },
    },
    async *follow(events) {
      for await (const event of events) {
        // Whoever takes the next event has printed this one.
        yield event;
        if (event.type === 'approval' && event.answer === 'asked') printed.give(event.callId);
      }
    },
  };
}

function answerAlone({ stdout }: Io, { tool, preview }: ApprovalRequest): { readonly type: 'once' } {
  stdout.write(`\n${tool} wants to change files\n${visibleText(preview)}\n`);
  stdout.write('y allow once | n deny: y   (no terminal here, so the tour answers by itself)\n\n');
  return { type: 'once' };
}

/** Signals by name, each given once, before or after somebody waits for it. */
function createSignals() {
  const signals = new Map<string, { readonly given: Promise<void>; readonly give: () => void }>();
  const signal = (name: string) => {
    const known = signals.get(name);
    if (known !== undefined) return known;
    let give = (): void => {};
    const given = new Promise<void>((resolve) => {
      give = resolve;
    });
    signals.set(name, { given, give });
    return { given, give };
  };
  return { wait: (name: string) => signal(name).given, give: (name: string) => signal(name).give() };
}
