import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '../base/error.ts';
import { unknownName } from '../base/suggest.ts';
import { capText } from '../base/text.ts';
import { guardNames } from '../gate/guards.ts';
import type { Row } from '../gate/rule.ts';
import { plainOf } from '../process/text-stream.ts';
import type { Tool } from '../tool/tool.ts';
import { limited } from './limited.ts';
import type { FinishedTurn, Plugin, PluginCall } from './plugin.ts';
import { findPlugin, loadPlugin, type PluginFile } from './plugin-file.ts';

export interface PluginOptions {
  /** The `plugins` of all layers in order: `name` adds, `-name` takes away. Guards are named here too and left to the policy. */
  readonly names: readonly string[];
  readonly root: string;
  /** Only a trusted project's plugins are looked at. */
  readonly trusted: boolean;
  /** The user's configuration folder; its `plugins` are the user's own. */
  readonly home: string;
  /** A hook that failed where that refuses nothing. */
  readonly notice: (text: string) => void;
}

export interface Plugins {
  readonly tools: readonly Tool[];
  /** Rows that come before all others: what plugins let pass, unless a user's row says otherwise. */
  readonly allows: readonly Row[];
  /** Rows that come after all others: what manifests refuse stays refused. */
  readonly refusals: readonly Row[];
  /** The same tool with every plugin's `before` in front; to be put around all tools, whoever made them. */
  guard(tool: Tool): Tool;
  prompt(): Promise<readonly string[]>;
  afterTurn(turn: FinishedTurn): Promise<void>;
}

/** Loads the plugins that are named. Throws `invalid` for a name that nobody has, and for a plugin that can't be used. */
export async function loadPlugins(options: PluginOptions): Promise<Plugins> {
  const { root, trusted, home, notice } = options;
  const folders = [...(trusted ? [join(root, '.benchdog', 'plugins')] : []), join(home, 'plugins')];
  const loaded: PluginFile[] = [];
  for (const name of wanted(options.names)) {
    const file = findPlugin(name, folders);
    if (file === undefined) throw new ToolError('invalid', unknownName('plugin', name, validNames(folders)));
    loaded.push(await loadPlugin(name, file));
  }
  const befores = loaded.filter(({ plugin }) => plugin.before !== undefined);
  return {
    tools: loaded.flatMap(({ plugin }) => (plugin.tools ?? []).map((tool) => asked(tool, plugin))),
    allows: loaded.flatMap(({ file, plugin }) =>
      (plugin.autoApprove ?? []).map((tool) => ({ tool, pattern: '*', decision: 'allow' as const, origin: { file } })),
    ),
    refusals: loaded.flatMap(({ refusals }) => refusals),
    guard: (tool) => (befores.length === 0 ? tool : guarded(tool, befores)),
    prompt: async () => (await Promise.all(loaded.map((one) => promptOf(one, notice)))).filter((text) => text !== ''),
    afterTurn: async (turn) => {
      for (const { name, plugin } of loaded) {
        await limited(async () => plugin.afterTurn?.(structuredClone(turn))).catch((error: Error) =>
          notice(`The plugin ${name} failed after the turn: ${error.message}`),
        );
      }
    },
  };
}

/** Names in the order they were added; guards belong to the policy. */
function wanted(names: readonly string[]): ReadonlySet<string> {
  const on = new Set<string>();
  for (const name of names) {
    if (name.startsWith('-')) on.delete(name.slice(1));
    else if (!isGuard(name)) on.add(name);
  }
  return on;
}

function isGuard(name: string): boolean {
  return (guardNames as readonly string[]).includes(name);
}

function validNames(folders: readonly string[]): readonly string[] {
  const files = folders.flatMap((folder) => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  });
  const own = files.map((file) => /^(.+)\.(?:mjs|js|json)$/.exec(file)?.[1]).filter((name) => name !== undefined);
  return [...guardNames, ...new Set(own)];
}

/** A plugin's tool is judged like a foreign one, whatever effects it names, unless it is marked. */
function asked(tool: Tool, plugin: Plugin): Tool {
  if (plugin.autoApprove?.includes(tool.name)) return tool;
  return {
    ...tool,
    readOnly: false,
    prepare: async (raw, context) => {
      const call = await tool.prepare(raw, context);
      const effect = { kind: 'execute' as const, tool: tool.name, arguments: parsed(raw) };
      return { ...call, effects: [...call.effects, effect] };
    },
  };
}

function guarded(tool: Tool, plugins: readonly PluginFile[]): Tool {
  return {
    ...tool,
    prepare: async (raw, context) => {
      for (const { name, plugin } of plugins) {
        const reason = await refusal(plugin, { tool: tool.name, arguments: parsed(raw) });
        if (reason !== undefined) {
          throw new ToolError('denied', `${tool.name} is refused by the plugin ${name}: ${reason} Nothing was done.`);
        }
      }
      return tool.prepare(raw, context);
    },
  };
}

async function refusal({ before }: Plugin, call: PluginCall): Promise<string | undefined> {
  try {
    const reason: unknown = await limited(async () => before?.(structuredClone(call)));
    if (reason === undefined || reason === null || reason === false || reason === '') return undefined;
    return ended(typeof reason === 'string' ? plainOf(reason) : 'it gave no reason');
  } catch (error) {
    return ended(`its check failed (${plainOf((error as Error).message)})`);
  }
}

function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Text that is no JSON is the tool's to refuse; until then it is what it is. */
function parsed(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  try {
    return JSON.parse(raw.trim() || '{}');
  } catch {
    return raw;
  }
}

const maxPrompt = 4000;

async function promptOf({ name, plugin }: PluginFile, notice: (text: string) => void): Promise<string> {
  try {
    const text: unknown = await limited(async () => plugin.prompt?.() ?? '');
    return typeof text === 'string' ? capText(text.trim(), maxPrompt) : '';
  } catch (error) {
    notice(`The plugin ${name} could not add to the prompt: ${(error as Error).message}`);
    return '';
  }
}
