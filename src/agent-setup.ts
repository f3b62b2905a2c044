import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from './agent/agent.ts';
import { type Asker, askTool } from './agent/ask.ts';
import { outputCheck } from './agent/output.ts';
import type { PromptParts } from './agent/prompt.ts';
import { taskTool } from './agent/task.ts';
import { todoWrite } from './agent/todo.ts';
import type { App } from './app.ts';
import { ToolError } from './base/error.ts';
import { unknownName } from './base/suggest.ts';
import { readKeys } from './config/keys.ts';
import { readInstructions } from './extend/instructions.ts';
import type { Model } from './model/model.ts';
import { howToGetAModel } from './model/no-model.ts';
import { openModel } from './model/providers.ts';
import type { Tool } from './tool/tool.ts';
import { jobsOf } from './tools/jobs.ts';

/** What a run of the agent may set, by the names of the command line's flags. */
export interface AgentSettings {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly agent?: string;
  readonly maxSteps?: number;
  /** US dollars. */
  readonly maxCost?: number;
  /** Seconds. */
  readonly maxTime?: number;
  readonly outputSchema?: string;
  readonly plan?: boolean;
  readonly instructions?: boolean;
  readonly subagent?: boolean;
}

export interface SetupOptions {
  readonly settings: AgentSettings;
  readonly env: NodeJS.ProcessEnv;
  /** The session's id: groups requests for the provider's cache. */
  readonly session: string;
  /** Puts a question to a person; left out where nobody can answer. */
  readonly ask?: Asker;
}

/** Builds the agent of a session on an app: model, tools of a turn, prompt, limits and finish checks. */
export async function setUpAgent(app: App, options: SetupOptions): Promise<Agent> {
  const { settings } = options;
  const named = namedAgent(app, settings.agent);
  const modelOf = (id: string | undefined) => chooseModel(app, options, id);
  const [model, instructions, added] = await Promise.all([
    modelOf(settings.model ?? named?.model ?? app.config.model),
    settings.instructions === false ? [] : readInstructions(app.workspace.root.real, app.policy.visible),
    app.extensions.prompt(),
    app.extensions.connect(app.registry),
  ]);
  if (settings.maxCost !== undefined && model.price === undefined) {
    throw new ToolError(
      'invalid',
      `--max-cost needs a price for ${model.id}: add it under "prices" in your configuration.`,
    );
  }
  offerTurnTools(app, options, modelOf);
  keepOnly(app, named?.tools);
  const extra = named?.prompt === undefined ? added.extra : [...added.extra, named.prompt];
  return assemble(app, options, model, { ...added, instructions, extra });
}

function assemble(
  app: App,
  { settings, ask }: SetupOptions,
  model: Model,
  added: Pick<PromptParts, 'instructions' | 'notes' | 'skills' | 'extra'>,
): Agent {
  const { root } = app.workspace;
  const { maxTime, maxCost, outputSchema } = settings;
  const parts: PromptParts = {
    root: root.spelled,
    git: existsSync(join(root.real, '.git')),
    platform: process.platform,
    attended: ask !== undefined,
    planOnly: settings.plan === true,
    ...added,
  };
  return {
    model,
    gate: app.gate,
    workspace: app.workspace,
    state: app.state,
    journal: app.journal,
    instructions: () => parts,
    idle: idleTools(app),
    limits: {
      maxSteps: settings.maxSteps ?? app.config.maxSteps ?? 50,
      ...(maxTime === undefined ? {} : { maxTime }),
      ...(maxCost === undefined ? {} : { maxCost }),
    },
    checks: {
      diffs: app.dialect.checksDiffs,
      claims: app.registry.get('bash') !== undefined,
      maxNudges: app.config.maxVerificationNudges ?? 2,
    },
    ...(outputSchema === undefined ? {} : { output: outputCheck(readSchema(outputSchema)) }),
  };
}

/** What works on jobs or notes is told of once there are some, and from then on, so that the provider's cache holds. */
function idleTools(app: App): (tool: string) => boolean {
  const awake = new Set<string>();
  const hasJobs = () => jobsOf(app.state).list().length > 0;
  const needs = new Map([
    ['bash_output', hasJobs],
    ['bash_kill', hasJobs],
    ['recall', app.extensions.hasNotes],
    ['forget', app.extensions.hasNotes],
  ]);
  return (tool) => {
    const need = needs.get(tool);
    if (need === undefined || awake.has(tool)) return false;
    if (need()) awake.add(tool);
    return !awake.has(tool);
  };
}

/** Tools that make sense only within a turn. */
function offerTurnTools(
  app: App,
  { settings, ask }: SetupOptions,
  modelOf: (id: string | undefined) => Promise<Model>,
): void {
  if (!app.dialect.learns) return;
  const add = (tool: Tool) => app.registry.add(app.extensions.guard(tool));
  add(todoWrite);
  if (ask !== undefined) add(askTool(ask));
  if (settings.subagent === false) return;
  const workers = app.dialect.name === 'native' && settings.plan !== true;
  const modelFor = async (kind: string) => {
    const id = app.config.agents?.[kind]?.model;
    return id === undefined ? undefined : modelOf(id);
  };
  add(taskTool({ workers, modelFor }));
}

function namedAgent(app: App, name: string | undefined) {
  const agents = app.config.agents ?? {};
  if (name === undefined) return undefined;
  if (Object.hasOwn(agents, name)) return agents[name];
  const names = Object.keys(agents);
  const none = `unknown agent "${name}": your configuration has no "agents".`;
  throw new ToolError('invalid', names.length === 0 ? none : unknownName('agent', name, names));
}

/** An agent of the configuration may be given fewer tools, never others. */
function keepOnly({ registry }: App, names: readonly string[] | undefined): void {
  if (names === undefined) return;
  const offered = registry.list().map(({ name }) => name);
  for (const name of names)
    if (!offered.includes(name)) throw new ToolError('invalid', unknownName('tool', name, offered));
  for (const name of offered) if (!names.includes(name)) registry.remove(name);
}

/** Opens a model by its id, as a run with these settings would. */
export async function chooseModel(
  app: App,
  { settings, env, session }: SetupOptions,
  id: string | undefined,
): Promise<Model> {
  if (id === undefined) throw new ToolError('invalid', howToGetAModel);
  const baseUrl = settings.baseUrl ?? app.config.baseUrl;
  const model = await openModel({
    id,
    env,
    storedKeys: readKeys(app.home),
    cacheKey: session,
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
  const price = app.config.prices?.[id] ?? app.config.prices?.[model.id];
  return price === undefined ? model : { ...model, price };
}

function readSchema(file: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    throw new ToolError(
      'invalid',
      `--output-schema ${file}: ${(error as Error).message}. It must be a file with a JSON Schema.`,
    );
  }
}
