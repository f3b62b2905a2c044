import { ToolError } from '../../base/error.ts';
import { isGitMetadata } from '../../workspace/git-dir.ts';
import { quote } from './text.ts';

const maxBytes = 4096;

/**
 * Checks a path that comes out of a diff or a diff request: stricter than the jail, because a silent fix-up would hide a
 * wrong patch from its author. Whether it leads outside through links is the jail's to say.
 *
 * @throws ToolError `invalid`
 */
export function validatePath(path: string): void {
  const fault = faultOf(path);
  if (fault !== undefined) throw new ToolError('invalid', fault);
}

function faultOf(path: string): string | undefined {
  if (path.trim() === '') return 'path is required: it is empty or blank.';
  const bytes = Buffer.byteLength(path);
  if (bytes > maxBytes) return `path is too long: ${bytes} bytes, at most ${maxBytes}.`;
  const shown = quote(path, 200);
  if (/[\x00-\x1f\x7f-\x9f]/.test(path)) return `path must not contain control characters: ${shown}`;
  if (/^(?:[/\\]|[A-Za-z]:)/.test(path)) return `path must be relative to the workspace: ${shown}`;
  if (path.split(/[/\\]/).includes('..')) return `path must not contain '..': ${shown}`;
  if (isGitMetadata(path)) return `path must not lead into .git: ${shown}`;
  return undefined;
}
