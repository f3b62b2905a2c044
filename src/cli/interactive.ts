import { resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline/promises';
import type { Agent } from '../agent/agent.ts';
import type { Asker, Question } from '../agent/ask.ts';
import { imageLabel } from '../agent/images.ts';
import { createInterrupter } from '../agent/interrupt.ts';
import { type Prompt, runTurn } from '../agent/loop.ts';
import { setUpAgent } from '../agent-setup.ts';
import type { App } from '../app.ts';
import { asToolError } from '../base/error.ts';
import { visibleText } from '../base/visible.ts';
import { findHome } from '../config/home.ts';
import { loadConfig } from '../config/load.ts';
import { howToGetAModel } from '../model/no-model.ts';
import { plainTurn } from '../ui/plain.ts';
import { exitCodes } from './exit.ts';
import { showImages } from './images/show-images.ts';
import type { AgentFlags, Io } from './program.ts';
import { entryLine, revert } from './revert.ts';
import { type OpenRun, withSession } from './session.ts';
import { terminalApprover } from './terminal-approver.ts';
import { UsageError } from './usage.ts';
import { withApp } from './with-app.ts';

/**
 * `benchdog [PROMPT]` at a terminal: a conversation line by line. ctrl-c ends the running command, then the turn; at the
 * prompt it ends the session, as `/quit` and the end of input do.
 */
export async function runInteractive(io: Io, prompt: string | undefined, flags: AgentFlags): Promise<number> {
  const isTerminal = io.stdin.isTTY === true && io.stdout.isTTY === true;
  if (isTerminal && !isPlain(io, flags)) {
    const { runTerminal } = await import('./terminal/run.ts');
    return runTerminal(io, prompt, { flags, hasModel: hasModel(io, flags) });
  }
  if (!hasModel(io, flags)) return withoutModel(io, prompt);
  if (!isTerminal) throw new UsageError('there is no terminal: use -p for a run without one.');
  const approver = terminalApprover(io);
  return withSession(io, flags, (run) =>
    withApp(io, { flags, session: run.session.id, approver, repeatGuard: true }, (app) =>
      converse(io, app, run, prompt, flags),
    ),
  );
}

/** Line by line, for screen readers and for terminals in which nothing can be drawn over. */
function isPlain({ env }: Io, { plain }: AgentFlags): boolean {
  return plain === true || !env.TERM || env.TERM === 'dumb';
}

function hasModel(io: Io, flags: AgentFlags): boolean {
  if (flags.model !== undefined) return true;
  const file = flags.config === undefined ? {} : { file: flags.config };
  const loaded = loadConfig({ root: resolve(flags.root ?? '.'), home: findHome(io.env), env: io.env, ...file });
  return loaded.config.model !== undefined;
}

/** Says how to get a model. Whoever asked for nothing in particular sees the tour meanwhile. */
async function withoutModel(io: Io, prompt: string | undefined): Promise<number> {
  io.stderr.write(`${howToGetAModel}\n`);
  if (prompt !== undefined) return exitCodes.usage;
  const { runTour } = await import('./tour.ts');
  return runTour(io);
}

async function converse(io: Io, app: App, run: OpenRun, first: string | undefined, flags: AgentFlags): Promise<number> {
  run.maskWith(app.mask);
  run.expire(app.config.keepSessionsDays);
  const agent = await setUpAgent(app, { settings: flags, env: io.env, session: run.session.id, ask: askAt(io) });
  io.stdout.write(`${agent.model.id}, ${app.dialect.name}. /quit ends, /undo puts back the last change.\n`);
  let next: string | undefined = first;
  for (;;) {
    const said = next ?? (await readLine(io, '> '));
    next = undefined;
    if (said === undefined || said.trim() === '/quit') return exitCodes.done;
    if (said.trim() === '') continue;
    if (said.trim() === '/undo') {
      io.stdout.write(await undoLast(app, run));
      continue;
    }
    await turn(io, app, agent, run, said);
  }
}

async function undoLast(app: App, run: OpenRun): Promise<string> {
  const session = run.session.id;
  try {
    const { entries } = await revert(app, 'undo', { session }, { session, tool: '/undo' });
    return `undid ${entries.map(entryLine).join('; ')}\n`;
  } catch (error) {
    return `${asToolError(error).message}\n`;
  }
}

async function turn(io: Io, app: App, agent: Agent, run: OpenRun, said: string): Promise<void> {
  const prompt = await promptOf(io, app, agent, run, said);
  if (prompt === undefined) return;
  app.gate.personSpoke();
  const interrupter = createInterrupter();
  const stop = new AbortController();
  const onInterrupt = () => {
    if (!interrupter.interrupt()) stop.abort();
  };
  process.on('SIGINT', onInterrupt);
  try {
    const events = runTurn(agent, run.session, prompt, { signal: stop.signal, interrupter });
    await plainTurn(app.extensions.follow(events), io.stdout);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

/** With the images it names. One that can't be shown is told of, and nothing is sent. */
async function promptOf(io: Io, app: App, agent: Agent, run: OpenRun, text: string): Promise<Prompt | undefined> {
  const { images, problems } = await showImages(text, { app, store: run.session.images });
  const labels = images.map((image) => imageLabel(image, agent.model.sees === false ? blindModel : ''));
  const lines = problems.length > 0 ? [...problems, 'Nothing was sent.'] : labels;
  io.stdout.write(lines.map((line) => `${visibleText(line)}\n`).join(''));
  return problems.length > 0 ? undefined : { text, images };
}

const blindModel = 'this model takes no images';

/** One line from the terminal; undefined at its end or at ctrl-c. */
async function readLine(io: Io, prompt: string): Promise<string | undefined> {
  const lines: Interface = createInterface({ input: io.stdin, output: io.stdout });
  const stop = new AbortController();
  lines.once('close', () => stop.abort());
  lines.once('SIGINT', () => stop.abort());
  try {
    return await lines.question(prompt, { signal: stop.signal });
  } catch {
    return undefined;
  } finally {
    lines.close();
  }
}

function askAt(io: Io): Asker {
  return async (question) => {
    io.stdout.write(`${question.question}\n${optionsOf(question)}`);
    const answer = (await readLine(io, question.options.length > 0 ? 'number(s) or text: ' : 'answer: '))?.trim();
    if (answer === undefined || answer === '') return undefined;
    const chosen = answer.split(/[\s,]+/).map((part) => question.options[Number(part) - 1]?.label);
    return chosen.every((label) => label !== undefined) ? chosen : [answer];
  };
}

function optionsOf({ options }: Question): string {
  return options
    .map(({ label, detail }, at) => `  ${at + 1} ${label}${detail === undefined ? '' : `: ${detail}`}\n`)
    .join('');
}
