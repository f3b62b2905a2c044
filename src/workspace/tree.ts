import { openWalk, type WalkEntry, type WalkFolder, type WalkOptions, type WalkTrouble } from './walk.ts';
import type { Workspace } from './workspace.ts';

/** A folder's entries down to some depth; `inner` is missing where the listing did not go. */
export interface TreeNode {
  readonly entry: WalkEntry;
  inner?: TreeNode[];
}

export interface Tree {
  /** Undefined when the folder itself is ignored. */
  readonly nodes: readonly TreeNode[] | undefined;
  /** True when entries were left out. */
  readonly cut: boolean;
  readonly trouble: WalkTrouble;
}

export interface TreeOptions extends WalkOptions {
  /** Levels to descend, from 1. */
  readonly depth: number;
  readonly limit: number;
  /** False leaves an entry out. */
  readonly wanted: (entry: WalkEntry) => boolean;
}

/** Lists level by level, so that a cut takes the deepest entries and nothing below `depth` is ever opened. */
export async function listTree(workspace: Workspace, options: TreeOptions): Promise<Tree> {
  const { folder, trouble } = await openWalk(workspace, options);
  if (folder === undefined) return { nodes: undefined, cut: false, trouble };
  const nodes: TreeNode[] = [];
  let left = options.limit;
  let cut = false;
  let level: { folder: WalkFolder; nodes: TreeNode[] }[] = [{ folder, nodes }];
  for (let depth = 1; depth <= options.depth && level.length > 0 && !cut; depth += 1) {
    const next: typeof level = [];
    for (const at of level) {
      const entries = at.folder.entries.filter(options.wanted);
      cut ||= entries.length > left;
      for (const entry of entries.slice(0, left)) {
        const node: TreeNode = { entry };
        at.nodes.push(node);
        if (entry.kind !== 'directory' || depth === options.depth || cut) continue;
        node.inner = [];
        next.push({ folder: await at.folder.enter(entry), nodes: node.inner });
        options.signal.throwIfAborted();
      }
      left -= Math.min(left, entries.length);
    }
    level = next;
  }
  return { nodes, cut, trouble };
}
