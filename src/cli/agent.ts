import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import type { Agent } from '../agent/agent.ts';
import type { AgentEvent } from '../agent/event.ts';
import { runTurn } from '../agent/loop.ts';
import type { PromptParts } from '../agent/prompt.ts';
import type { Session } from '../agent/record.ts';
import { type OpenedSession, openSession } from '../agent/session.ts';
import type { App } from '../app.ts';
import { suggest } from '../base/suggest.ts';
import { findHome } from '../config/home.ts';
import { readInstructions } from '../extend/instructions.ts';
import { nobody } from '../gate/approver.ts';
import type { Model } from '../model/model.ts';
import { openModel } from '../model/providers.ts';
import { headless } from '../ui/headless.ts';
import { openRoot } from '../workspace/path.ts';
import type { AgentFlags, Io } from './program.ts';
import { UsageError } from './usage.ts';
import { withApp } from './with-app.ts';

type PrintFlags = Omit<AgentFlags, 'print'> & { readonly print?: string | boolean };

/** `benchdog [PROMPT]` and `benchdog -p [PROMPT]`. */
export async function runAgent(io: Io, prompt: string | undefined, flags: PrintFlags): Promise<number> {
  if (flags.print === undefined) throw new UsageError(withoutPrint(prompt));
  const said = typeof flags.print === 'string' ? flags.print : prompt;
  const text = (said ?? (io.stdin.isTTY ? '' : await readAll(io.stdin))).trim();
  if (text === '') throw new UsageError('there is no prompt: give one after -p, or on stdin.');
  const opened = chooseSession(io, flags);
  for (const warning of opened.warnings) io.stderr.write(`benchdog: ${warning}\n`);
  try {
    const options = { flags, session: opened.session.id, approver: nobody, repeatGuard: true };
    return await withApp(io, options, (app) => takeTurn(io, app, opened.session, text, flags));
  } finally {
    opened.session.close();
  }
}

function withoutPrint(prompt: string | undefined): string {
  const commands = ['call', 'tools', 'mcp', 'history', 'undo', 'redo', 'sessions'];
  const meant = prompt === undefined || prompt.includes(' ') ? undefined : suggest(prompt, commands);
  if (meant !== undefined)
    return `unknown command "${prompt}". Did you mean "${meant}"? Commands: ${commands.join(', ')}.`;
  return 'the interactive session is not part of this version: use -p "PROMPT", or benchdog tour to see it at work.';
}

async function takeTurn(io: Io, app: App, session: Session, prompt: string, flags: PrintFlags): Promise<number> {
  const [model, instructions, added] = await Promise.all([
    chooseModel(app, flags, io.env),
    flags.instructions ? readInstructions(app.workspace.root.real) : [],
    app.extensions.prompt(),
    app.extensions.connect(app.registry),
  ]);
  const agent = buildAgent(app, model, flags, { instructions, ...added });
  const events = reported(app, runTurn(agent, session, prompt, { signal: io.signal }));
  return headless({ events, json: flags.json ?? false, stdout: io.stdout, stderr: io.stderr });
}

/** Lets the plugins see how the turn ended. */
async function* reported(app: App, events: AsyncGenerator<AgentEvent>): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    yield event;
    if (event.type !== 'done') continue;
    const changed = event.receipt.files.map(({ path }) => path);
    await app.extensions.afterTurn({ exitCode: event.exit, text: event.text, changed });
  }
}

async function chooseModel(app: App, flags: PrintFlags, env: NodeJS.ProcessEnv): Promise<Model> {
  const id = flags.model ?? app.config.model;
  const baseUrl = flags.baseUrl ?? app.config.baseUrl;
  if (id === undefined) throw new UsageError(noModel);
  const price = app.config.prices?.[id];
  const model = await openModel({
    id,
    env,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(price === undefined ? {} : { price }),
  });
  if (flags.maxCost !== undefined && model.price === undefined) {
    throw new UsageError(`--max-cost needs a price for ${id}: add it under "prices" in your configuration.`);
  }
  return model;
}

const noModel = `no model is configured. To get one:
  benchdog login                          choose a provider and store a key
  export ANTHROPIC_API_KEY=…              and --model anthropic/ID
  --base-url http://localhost:11434/v1    and --model ID, for any OpenAI-compatible endpoint
  benchdog tour                           see it work without any model`;

function chooseSession(io: Io, flags: PrintFlags): OpenedSession {
  const place = { home: findHome(io.env).state, root: openRoot(flags.root ?? '.').real };
  if (flags.resume !== undefined) return openSession(place, { id: flags.resume });
  return openSession(place, flags.continue === true ? 'latest' : 'new');
}

function buildAgent(
  app: App,
  model: Model,
  flags: PrintFlags,
  added: Pick<PromptParts, 'instructions' | 'notes' | 'skills' | 'extra'>,
): Agent {
  const { root } = app.workspace;
  const parts = {
    root: root.spelled,
    git: existsSync(join(root.real, '.git')),
    platform: process.platform,
    attended: false,
    planOnly: flags.plan === true,
    ...added,
  };
  return {
    model,
    gate: app.gate,
    workspace: app.workspace,
    state: app.state,
    journal: app.journal,
    instructions: () => parts,
    limits: {
      maxSteps: flags.maxSteps ?? app.config.maxSteps ?? 50,
      ...(flags.maxTime === undefined ? {} : { maxTime: flags.maxTime }),
      ...(flags.maxCost === undefined ? {} : { maxCost: flags.maxCost }),
    },
    checks: {
      diffs: app.dialect.checksDiffs,
      claims: app.registry.get('bash') !== undefined,
      maxNudges: app.config.maxVerificationNudges ?? 2,
    },
  };
}
