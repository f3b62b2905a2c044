import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '../../base/error.ts';
import { writeStateFile } from '../../base/state-file.ts';
import { inThrowAwayFolder } from '../../base/throw-away.ts';
import type { ApprovalRequest } from '../../gate/approver.ts';
import { runEditor } from '../../process/editor.ts';

/** The argument that a person edits as plain text; the others stay as they are. */
const plain = ['command', 'content', 'patch', 'newString', 'new_string'];

/**
 * Opens a call's arguments in the person's editor: the one long text of it as it is, or all of them as JSON. Resolves to
 * the new arguments; undefined when nothing was changed. Throws when the editor fails or the JSON can't be read.
 */
export async function editProposal(
  { arguments: given }: Pick<ApprovalRequest, 'arguments'>,
  env: NodeJS.ProcessEnv,
): Promise<unknown> {
  const args = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
  const texts = plain.filter((name) => typeof args[name] === 'string');
  const [only] = texts;
  if (only === undefined || texts.length > 1) {
    const before = `${JSON.stringify(given, null, 2)}\n`;
    const after = await editText(before, 'arguments.json', env);
    return after === before ? undefined : parsed(after);
  }
  const before = args[only] as string;
  const after = await editText(before, `${only}${suffixOf(only, args)}`, env);
  // Editors end the last line; a command has none to end.
  const value = before.endsWith('\n') ? after : after.replace(/\r?\n$/, '');
  return value === before ? undefined : { ...args, [only]: value };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ToolError(
      'invalid',
      `What the editor left is no JSON (${(error as Error).message}). Nothing was changed.`,
    );
  }
}

function suffixOf(name: string, { path }: Record<string, unknown>): string {
  if (name === 'command') return '.sh';
  if (name === 'patch') return '.diff';
  const found = typeof path === 'string' ? /\.[A-Za-z0-9]{1,8}$/.exec(path)?.[0] : undefined;
  return found ?? '.txt';
}

function editText(text: string, name: string, env: NodeJS.ProcessEnv): Promise<string> {
  return inThrowAwayFolder('benchdog-edit', async (folder) => {
    const file = join(folder, name);
    await writeStateFile(file, Buffer.from(text));
    await runEditor(file, env);
    return readFileSync(file, 'utf8');
  });
}
