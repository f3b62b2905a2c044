import { isUtf8 } from 'node:buffer';
import { isAbsolute, posix } from 'node:path';
import { ToolError } from '../base/error.ts';
import { digestOf, type FileState } from '../workspace/file-state.ts';
import type { FilePath } from '../workspace/path.ts';

/**
 * A symbolic link's state at another place, leading where it led: a relative target is spelled anew from the folder of
 * `to`. Both paths are those of links themselves, so the folders on the way are none.
 *
 * Throws `conflict` for a target that is not UTF-8 and would have to change.
 */
export function movedLink(before: FileState, from: FilePath, to: FilePath): FileState {
  const way = posix.relative(posix.dirname(to.rel), posix.dirname(from.rel));
  const target = before.bytes.toString();
  if (way === '' || isAbsolute(target)) return before;
  if (!isUtf8(before.bytes)) {
    throw new ToolError('conflict', `${from.given} is a link whose target is not UTF-8. Nothing was moved.`);
  }
  // A `..` behind a name climbs from wherever that name leads, so such a target is kept whole.
  const bytes = Buffer.from(climbsLater(target) ? `${way}/${target}` : posix.join(way, target));
  return bytes.equals(before.bytes) ? before : { ...before, bytes, digest: digestOf(bytes) };
}

function climbsLater(target: string): boolean {
  const steps = target.split('/').filter((step) => step !== '' && step !== '.');
  const first = steps.findIndex((step) => step !== '..');
  return first >= 0 && steps.lastIndexOf('..') > first;
}
