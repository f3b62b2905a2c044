import { detectEncoding, isBinary, unitWidth } from '../base/encoding.ts';
import { asToolError } from '../base/error.ts';
import type { FilePath } from './path.ts';
import { readAt } from './read-at.ts';
import type { SearchTrouble } from './search.ts';
import type { Workspace } from './workspace.ts';

/**
 * Looks at the files a search begins with, because whoever names one wants to know why nothing is found in it: binary
 * ones are noted. Of a single file the encoding is given when the engine can't tell it: UTF-16 without a mark. Among
 * others such a file is as good as binary.
 */
export async function encodingFor(
  workspace: Workspace,
  bases: readonly FilePath[],
  trouble: SearchTrouble,
): Promise<string | undefined> {
  const looks = await Promise.all(bases.map((base) => lookAt(workspace, base)));
  if (looks.length === 1 && looks[0] !== 'binary') return looks[0];
  for (const [at, look] of looks.entries()) if (look !== undefined) trouble.binary.push(bases[at]!.rel);
  return undefined;
}

const headBytes = 8192;

async function lookAt(workspace: Workspace, base: FilePath): Promise<string | undefined> {
  if (workspace.stat(base)?.isFile() !== true) return undefined;
  try {
    return await workspace.open(base, (fd) => {
      const head = readAt(fd, 0, headBytes);
      if (isBinary(head, headBytes)) return 'binary';
      const encoding = detectEncoding(head);
      return unitWidth(encoding) === 2 && encoding.bom.length === 0 ? encoding.name.toLowerCase() : undefined;
    });
  } catch (error) {
    // The search will say what is the matter with it.
    asToolError(error);
    return undefined;
  }
}
