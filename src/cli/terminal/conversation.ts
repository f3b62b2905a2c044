import type { Agent } from '../../agent/agent.ts';
import { imageLabel } from '../../agent/images.ts';
import { runTurn } from '../../agent/loop.ts';
import { asToolError } from '../../base/error.ts';
import { completions } from '../../ui/terminal/completions.ts';
import { recallBlocks } from '../../ui/terminal/recall.ts';
import type { Seat } from '../../ui/terminal/seat.ts';
import { workspaceLog } from '../../workspace-logs.ts';
import { showImages } from '../images/show-images.ts';
import { type Clipboard, createClipboard } from './clipboard.ts';
import { allCommands } from './commands.ts';
import type { Desk, Next } from './desk.ts';
import { createErrands, type Errand } from './errands.ts';
import { inMode } from './in-mode.ts';
import { workspacePaths } from './paths.ts';
import { openPromptHistory } from './prompt-history.ts';
import { seatOf } from './seat-of.ts';
import { parseSlash, runSlash } from './slash.ts';
import { userCommand } from './user-command.ts';

export interface ConversationOptions extends Pick<Desk, 'io' | 'ui' | 'app' | 'run' | 'flags' | 'modes'> {
  readonly agent: Agent;
  readonly diffOf: Seat['diffOf'];
  /** What is said first. */
  readonly prompt?: string | undefined;
}

/** Talks until the person goes on to something else. */
export async function converse(options: ConversationOptions): Promise<Next> {
  const { io, ui, run, prompt, diffOf } = options;
  const left = nextStep();
  const { desk, submit, pasteImage } = await setDesk(options, left.take);
  ui.show(...recallBlocks(run.session.records));
  ui.seat(await seatOf(desk, { submit, diffOf, pasteImage }));
  const stop = () => left.take({ type: 'quit' });
  io.signal.addEventListener('abort', stop, { once: true });
  if (io.signal.aborted) stop();
  else if (prompt !== undefined) submit(prompt);
  const next = await left.taken;
  ui.seat(undefined);
  io.signal.removeEventListener('abort', stop);
  desk.errands.abort();
  await desk.errands.settled();
  return next;
}

function nextStep(): { readonly taken: Promise<Next>; readonly take: (next: Next) => void } {
  let take: (next: Next) => void = () => {};
  const taken = new Promise<Next>((resolve) => {
    take = resolve;
  });
  return { taken, take };
}

/** The desk, and what becomes of a line that was sent. */
async function setDesk(
  options: ConversationOptions,
  leave: Desk['leave'],
): Promise<{ desk: Desk } & Pick<Seat, 'submit' | 'pasteImage'>> {
  const { ui, app, agent: opened, ...rest } = options;
  let agent = opened;
  const untold: string[] = [];
  const note: Desk['note'] = (text, style = 'muted') => ui.show({ type: 'note', style, text });
  const errands = createErrands(ui.refresh, (error) => note(asToolError(error).message, 'bad'));
  const clipboard = createClipboard(options.io.env, ui, note);
  const desk: Desk = {
    ...rest,
    ui,
    app,
    errands,
    agent: () => agent,
    useModel(model) {
      agent = { ...agent, model };
    },
    send: (text) => errands.add(turn(desk, text, untold, clipboard)),
    leave,
    say: (text) => ui.show({ type: 'markdown', text }),
    note,
  };
  const commands = await allCommands(desk);
  ui.completeWith(completions({ commands, paths: workspacePaths(app.workspace) }));
  const remember = recallPrompts(desk);
  const submit = (text: string) => {
    remember(text);
    if (parseSlash(text) !== undefined) {
      note(text);
      void runSlash(desk, commands, text);
    } else if (text.startsWith('!')) errands.add(userCommand(desk, text.slice(1).trim(), (news) => untold.push(news)));
    else desk.send(text);
  };
  return { desk, submit, pasteImage: () => void clipboard.paste() };
}

/** A turn, with the images that the prompt names; what the person did on their own meanwhile is told with it. */
function turn(desk: Desk, text: string, untold: string[], clipboard: Clipboard): Errand {
  const { agent, app, run, ui, modes } = desk;
  return {
    text,
    async run(context) {
      const shown = await showImages(text, { app, store: run.session.images, pasted: clipboard.images });
      if (shown.problems.length > 0) return takeBack(desk, text, shown.problems);
      const { images } = shown;
      ui.show({ type: 'prompt', text, images: images.map((image) => imageLabel(image)) });
      if (images.length > 0) tellBlind(desk);
      const said = [...untold.splice(0), text].join('\n\n');
      const events = runTurn(inMode(agent(), modes.get), run.session, { text: said, images }, context);
      await ui.follow(app.extensions.follow(events));
    },
  };
}

/** A prompt that can't be sent as it was meant is not sent: it is in the input again. */
function takeBack({ ui, note }: Desk, text: string, problems: readonly string[]): void {
  note([...problems, 'Nothing was sent.'].join('\n'), 'bad');
  ui.setInput([text, ui.input()].filter((part) => part !== '').join('\n'));
}

function tellBlind({ agent, note }: Desk): void {
  const { id, sees } = agent().model;
  if (sees === false) note(`${id} takes no images: it is told their names alone.`, 'warn');
}

/** Gives the input what was sent in this folder before; what is sent now is kept. */
function recallPrompts({ app, ui }: Desk): (text: string) => void {
  const history = openPromptHistory(workspaceLog(app.home.state, 'prompts', app.workspace.root), app.mask);
  ui.recall(history.all());
  return (text) => {
    ui.remember(text);
    history.add(text);
  };
}
