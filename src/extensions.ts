import packageJson from '../package.json' with { type: 'json' };
import type { AgentEvent } from './agent/event.ts';
import type { Config } from './config/schema.ts';
import type { McpServers } from './extend/mcp-client.ts';
import { memoryTools } from './extend/memory.ts';
import { notesForPrompt } from './extend/notes.ts';
import type { FinishedTurn } from './extend/plugin.ts';
import { loadPlugins } from './extend/plugins.ts';
import { findSkills, type Skill, skillTool } from './extend/skills.ts';
import type { Row } from './gate/rule.ts';
import type { Registry } from './tool/registry.ts';
import type { Tool } from './tool/tool.ts';

/** `--no-mcp` and its like; what is left out is on. */
export interface ExtensionFlags {
  readonly mcp?: boolean;
  readonly plugins?: boolean;
  readonly skills?: boolean;
  readonly memory?: boolean;
  readonly plan?: boolean;
}

export interface ExtensionOptions {
  readonly flags: ExtensionFlags;
  readonly config: Config;
  /** The real path of the workspace. */
  readonly root: string;
  readonly trusted: boolean;
  readonly home: { readonly config: string; readonly state: string };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Has this dialect notes and skills? */
  readonly learns: boolean;
  /** What a person should know, at any time. */
  readonly notice: (text: string) => void;
}

/** What users, projects and other programs add: notes, skills, plugins and MCP servers. */
export interface Extensions {
  /** The tools that are there from the start. */
  readonly tools: readonly Tool[];
  readonly mounts: Readonly<Record<string, string>>;
  /** Rows in front of all others, and behind them. */
  readonly allows: readonly Row[];
  readonly refusals: readonly Row[];
  /** To be put around every tool that is offered. */
  guard(tool: Tool): Tool;
  /** Starts the MCP servers and offers their tools; the slow ones' when they are ready. */
  connect(registry: Registry): Promise<void>;
  /** Are there notes of this project? */
  hasNotes(): boolean;
  /** What they add to the prompt. */
  prompt(): Promise<ExtensionPrompt>;
  /** Passes a turn's events on, and lets the plugins see how it ended. */
  follow(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent>;
  readonly notices: readonly string[];
  close(): Promise<void>;
}

export interface ExtensionPrompt {
  readonly notes: readonly string[];
  readonly skills: readonly Skill[];
  readonly extra: readonly string[];
}

export async function openExtensions(options: ExtensionOptions): Promise<Extensions> {
  const { flags, config, root, trusted, home, learns, notice } = options;
  const names = flags.plugins === false ? [] : (config.plugins ?? []);
  const plugins = await loadPlugins({ names, root, trusted, home: home.config, notice });
  const skills = learns && flags.skills !== false ? await findSkills({ root, trusted, home: home.config }) : undefined;
  const memory = learns && flags.memory !== false ? { home: home.state, root } : undefined;
  const skill = skills === undefined ? undefined : skillTool(skills);
  let servers: McpServers | undefined;
  return {
    tools: [
      ...(memory === undefined ? [] : memoryTools(memory)),
      ...(skill === undefined ? [] : [skill]),
      ...plugins.tools,
    ],
    mounts: skills?.mounts ?? {},
    allows: plugins.allows,
    refusals: plugins.refusals,
    guard: plugins.guard,
    connect: async (registry) => {
      servers ??= await startServers(options, () => void offer());
      const offer = async () => offerServers(registry, (await servers!.tools()).map(plugins.guard));
      if (servers !== undefined) await offer();
    },
    hasNotes: () => memory !== undefined && notesForPrompt(memory).length > 0,
    prompt: async () => ({
      notes: memory === undefined ? [] : notesForPrompt(memory),
      skills: skills?.list ?? [],
      extra: await plugins.prompt(),
    }),
    follow: (events) => follow(events, plugins.afterTurn),
    notices: skills?.notices ?? [],
    close: async () => servers?.close(),
  };
}

async function* follow(
  events: AsyncIterable<AgentEvent>,
  afterTurn: (turn: FinishedTurn) => Promise<void>,
): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    yield event;
    if (event.type !== 'done') continue;
    const changed = event.receipt.files.map(({ path }) => path);
    await afterTurn({ exitCode: event.exit, text: event.text, changed });
  }
}

/** None when there are none to start; their code is loaded by those who have some. Nothing foreign runs in a run that only plans. */
async function startServers(options: ExtensionOptions, onChange: () => void): Promise<McpServers | undefined> {
  const { config, flags, root, env, notice } = options;
  const servers = config.mcpServers ?? {};
  if (Object.keys(servers).length === 0 || flags.mcp === false || flags.plan === true) return undefined;
  const { connectMcpServers } = await import('./extend/mcp-client.ts');
  return connectMcpServers({ servers, root, env, version: packageJson.version, notice, onChange });
}

/** Those of a server that is gone or lists others now are taken back. */
function offerServers(registry: Registry, tools: readonly Tool[]): void {
  for (const { name } of registry.list()) if (name.startsWith('mcp__')) registry.remove(name);
  for (const tool of tools) registry.add(tool);
}
