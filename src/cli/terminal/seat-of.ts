import type { App } from '../../app.ts';
import { openSandbox } from '../../process/sandbox.ts';
import { jobsOf } from '../../tools/jobs.ts';
import type { Seat } from '../../ui/terminal/seat.ts';
import type { Desk } from './desk.ts';
import { editProposal } from './edit-proposal.ts';

/** What the keys do in this session, and what stands below the input. */
export async function seatOf(desk: Desk, own: Pick<Seat, 'submit' | 'diffOf' | 'pasteImage'>): Promise<Seat> {
  const { app, errands, modes } = desk;
  const sandbox = await sandboxOf(app);
  const jobs = () =>
    jobsOf(app.state)
      .list()
      .filter(({ result }) => result === undefined);
  return {
    ...own,
    abort: () => giveBack(desk),
    interrupt: errands.interrupt,
    quit: () => desk.leave({ type: 'quit' }),
    loss: () => (jobs().length === 0 ? undefined : 'background commands'),
    nextMode: modes.next,
    status() {
      const { id: model, contextTokens: room } = desk.agent().model;
      return { model, room, dialect: app.dialect.name, mode: modes.get(), sandbox };
    },
    beside: () => ({ jobs: jobs().map(({ id, command }) => ({ id, command })), queue: errands.waiting() }),
    edit: (request) => desk.ui.away(() => editProposal(request, desk.io.env)),
  };
}

/** What waited is not sent after a turn that was stopped: the person gets it back to think again. */
function giveBack({ ui, errands }: Desk): void {
  const waiting = errands.abort();
  if (waiting.length === 0) return;
  ui.setInput([...waiting, ui.input()].filter((text) => text !== '').join('\n'));
}

async function sandboxOf({ config, workspace }: App): Promise<string> {
  try {
    return (await openSandbox({ mode: config.sandbox?.mode ?? 'auto', root: workspace.root.real })).name;
  } catch {
    return 'missing';
  }
}
