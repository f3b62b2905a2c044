import { isAbsolute } from 'node:path';
import { ToolError } from '../base/error.ts';
import { compileGlob, type Glob } from '../base/glob.ts';
import type { Root } from '../workspace/path.ts';

/** A glob relative to the root, of one that may be absolute. Throws `outside` for one that starts elsewhere. */
export function belowRoot(root: Root, pattern: string): string {
  const outside = new ToolError('outside', `path is outside the workspace: ${pattern}`);
  if (pattern.split('/').includes('..')) throw outside;
  if (!isAbsolute(pattern)) return pattern;
  for (const top of [root.spelled, root.real]) if (pattern.startsWith(`${top}/`)) return pattern.slice(top.length + 1);
  throw outside;
}

/** `include` of a search: a name at any depth, a path from the root, or an absolute one; `!` in front turns it round. */
export function includeGlob(root: Root, include: string): Glob {
  const turned = include.startsWith('!') ? '!' : '';
  const pattern = include.slice(turned.length);
  if (pattern.trim() === '') {
    throw new ToolError('invalid', 'include is empty: leave it out, or send a glob such as "*.ts".');
  }
  return compileGlob(turned + belowRoot(root, pattern), { anyDepth: !isAbsolute(pattern) });
}
