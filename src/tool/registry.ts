import { ToolError } from '../base/error.ts';
import type { Tool } from './tool.ts';

/** The tools on offer. Safe to extend while calls run: a call holds its tool, a listing is a snapshot. */
export interface Registry {
  add(tool: Tool): void;
  remove(name: string): boolean;
  get(name: string): Tool | undefined;
  list(): readonly Tool[];
}

/** Names that every model provider takes. */
const legalName = /^[a-zA-Z0-9_-]{1,64}$/;

export function createRegistry(tools: Iterable<Tool> = []): Registry {
  const byName = new Map<string, Tool>();
  const registry: Registry = {
    add(tool) {
      if (!legalName.test(tool.name)) {
        throw new ToolError('invalid', `"${tool.name}" is no tool name: use 1 to 64 letters, digits, "_" or "-".`);
      }
      if (byName.has(tool.name)) throw new ToolError('invalid', `A tool named "${tool.name}" is already registered.`);
      byName.set(tool.name, tool);
    },
    remove: (name) => byName.delete(name),
    get: (name) => byName.get(name),
    list: () => [...byName.values()],
  };
  for (const tool of tools) registry.add(tool);
  return registry;
}
