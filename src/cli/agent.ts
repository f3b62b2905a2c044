import { text as readAll } from 'node:stream/consumers';
import { type Prompt, runTurn } from '../agent/loop.ts';
import { setUpAgent } from '../agent-setup.ts';
import type { App } from '../app.ts';
import { visibleText } from '../base/visible.ts';
import { nobody } from '../gate/approver.ts';
import { headless } from '../ui/headless.ts';
import { showImages } from './images/show-images.ts';
import type { AgentFlags, Io } from './program.ts';
import { type OpenRun, withSession } from './session.ts';
import { takeStdout } from './take-stdout.ts';
import { UsageError } from './usage.ts';
import { withApp } from './with-app.ts';

/** `benchdog [PROMPT]` and `benchdog -p [PROMPT]`. */
export async function runAgent(io: Io, prompt: string | undefined, flags: AgentFlags): Promise<number> {
  if (flags.print === undefined) {
    const { runInteractive } = await import('./interactive.ts');
    return runInteractive(io, prompt, flags);
  }
  const text = await promptOf(io, prompt, flags);
  return withSession(io, flags, (run) => {
    const options = { flags, session: run.session.id, approver: nobody, repeatGuard: true };
    return withApp(io, options, (app) => printTurn(io, app, run, text, flags));
  });
}

async function printTurn(
  io: Io,
  app: App,
  run: OpenRun,
  prompt: string | undefined,
  flags: AgentFlags,
): Promise<number> {
  run.maskWith(app.mask);
  run.expire(app.config.keepSessionsDays);
  const agent = await setUpAgent(app, { settings: flags, env: io.env, session: run.session.id });
  const said = prompt === undefined ? undefined : await withImages(io, app, run, prompt);
  const events = app.extensions.follow(runTurn(agent, run.session, said, { signal: io.signal }));
  const terminal = io.stdout.isTTY === true;
  return headless({ events, json: flags.json ?? false, terminal, stdout: takeStdout(io), stderr: io.stderr });
}

/** The images that a prompt names go with it; one that can't be shown is told of, and the run goes on. */
async function withImages(io: Io, app: App, run: OpenRun, text: string): Promise<Prompt> {
  const { images, problems } = await showImages(text, { app, store: run.session.images });
  for (const problem of problems) io.stderr.write(`benchdog: ${visibleText(problem)}\n`);
  return { text, images };
}

/** The prompt of `-p`: its own value, the argument, or stdin. A session that is resumed can go on without one. */
async function promptOf(io: Io, prompt: string | undefined, flags: AgentFlags): Promise<string | undefined> {
  const said = typeof flags.print === 'string' ? flags.print : prompt;
  const resumes = flags.continue === true || flags.resume !== undefined;
  const text = (said ?? (io.stdin.isTTY || resumes ? '' : await readAll(io.stdin))).trim();
  if (text !== '') return text;
  if (resumes) return undefined;
  throw new UsageError('there is no prompt: give one after -p, or on stdin.');
}
