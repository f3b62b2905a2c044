import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import type { Row } from '../gate/rule.ts';
import type { Tool } from '../tool/tool.ts';
import { limited } from './limited.ts';
import type { Plugin } from './plugin.ts';

/** A plugin by its name, read or loaded. */
export interface PluginFile {
  readonly name: string;
  readonly file: string;
  readonly plugin: Plugin;
  /** Refusals of a manifest, which has no code. */
  readonly refusals: readonly Row[];
}

/** No name leads out of the folder of plugins. */
const legalName = /^\w[\w.-]*$/;
const endings = ['.mjs', '.js', '.json'];

/** The first file of that name in the folders, or undefined. */
export function findPlugin(name: string, folders: readonly string[]): string | undefined {
  if (!legalName.test(name)) return undefined;
  return folders
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
    .find((file) => existsSync(file));
}

/**
 * Reads a manifest (`NAME.json`) or loads a module. Throws `invalid` when it can't be used: a plugin that refuses calls
 * must not be missing without anybody noticing.
 */
export async function loadPlugin(name: string, file: string): Promise<PluginFile> {
  try {
    if (file.endsWith('.json')) return { name, file, ...readManifest(file) };
    const { importFile } = await import('./import-file.ts');
    const { default: plugin } = (await limited(() => importFile(file))) as { default?: unknown };
    return { name, file, plugin: checkPlugin(plugin), refusals: [] };
  } catch (error) {
    throw new ToolError('invalid', `The plugin ${file} can't be used: ${(error as Error).message}`, { cause: error });
  }
}

const manifestSchema = z.strictObject({
  $schema: z.string().optional(),
  refuse: z
    .array(z.strictObject({ tool: z.string().min(1), pattern: z.string().min(1), reason: z.string().min(1) }))
    .optional(),
  prompt: z.string().optional(),
});

function readManifest(file: string): Pick<PluginFile, 'plugin' | 'refusals'> {
  const parsed = manifestSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  const { refuse = [], prompt } = parsed.data;
  return {
    plugin: prompt === undefined ? {} : { prompt: () => prompt },
    refusals: refuse.map((row) => ({ ...row, decision: 'deny', origin: { file } })),
  };
}

const hooks = ['before', 'afterTurn', 'prompt'] as const;
const keys: readonly string[] = ['tools', 'autoApprove', ...hooks];

function checkPlugin(value: unknown): Plugin {
  if (typeof value !== 'object' || value === null) throw new Error('its default export is no object');
  const plugin = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(plugin).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new Error(`"${unknown}" is nothing a plugin may hold; that is: ${keys.join(', ')}`);
  for (const hook of hooks) {
    if (plugin[hook] !== undefined && typeof plugin[hook] !== 'function') throw new Error(`"${hook}" is no function`);
  }
  const { tools = [], autoApprove = [] } = plugin;
  if (!Array.isArray(tools) || !tools.every(isTool))
    throw new Error('"tools" is no list of tools; make them with defineTool');
  const names = tools.map((tool) => tool.name);
  const foreign = Array.isArray(autoApprove) ? autoApprove.find((name) => !names.includes(name)) : 'autoApprove';
  if (foreign !== undefined)
    throw new Error(`"autoApprove" names ${JSON.stringify(foreign)}, which is no tool of its own`);
  return value as Plugin;
}

function isTool(value: unknown): value is Tool {
  const tool = value as Partial<Tool> | null;
  return typeof tool?.name === 'string' && typeof tool.prepare === 'function' && typeof tool.input === 'object';
}
