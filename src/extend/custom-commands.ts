import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ToolError } from '../base/error.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';

/** A prompt kept in a Markdown file, to be sent by its name. */
export interface CustomCommand {
  readonly name: string;
  readonly description: string;
  /** What may stand behind the name. */
  readonly argument?: string;
  /** Reads the prompt as it is now. */
  load(): Promise<string>;
}

export interface CustomCommandOptions {
  /** The real path of the workspace. */
  readonly root: string;
  /** Only a trusted project's commands are looked at. */
  readonly trusted: boolean;
  /** The user's configuration folder; its `commands` are the user's own. */
  readonly home: string;
  /** Names that no file may have. */
  readonly taken: ReadonlySet<string>;
}

export interface CustomCommands {
  readonly list: readonly CustomCommand[];
  /** Files that could not be used, and why. */
  readonly notices: readonly string[];
}

const legalName = /^[a-z][a-z0-9_-]{0,63}$/;
const maxBytes = 256 * 1024;
const maxFiles = 200;

/** `NAME.md` in the user's `commands`, then in the trusted project's `.benchdog/commands`. A name is given once. */
export async function findCommands({ root, trusted, home, taken }: CustomCommandOptions): Promise<CustomCommands> {
  const list: CustomCommand[] = [];
  const notices: string[] = [];
  const names = new Set(taken);
  const places = [[home, 'commands'], ...(trusted ? [[root, '.benchdog/commands']] : [])] as const;
  for (const [folder, below] of places) {
    if (!existsSync(join(folder!, below!))) continue;
    const workspace = openWorkspace({ root: folder! });
    for (const file of await filesIn(workspace, below!)) {
      const name = basename(file, '.md');
      const shown = join(folder!, file);
      try {
        refuseName(name, names);
        list.push(await readCommand(workspace, file, name));
        names.add(name);
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        notices.push(`The command ${shown} is left out: ${error.message}`);
      }
    }
  }
  return { list, notices };
}

async function filesIn(workspace: Workspace, folder: string): Promise<string[]> {
  const entries = await workspace.list(workspace.resolve(folder));
  const names = entries.map(({ name }) => name).filter((name) => name.endsWith('.md') && !name.startsWith('.'));
  return names.slice(0, maxFiles).map((name) => `${folder}/${name}`);
}

function refuseName(name: string, taken: ReadonlySet<string>): void {
  if (!legalName.test(name)) throw new ToolError('invalid', 'names are small letters, digits, "-" and "_".');
  if (taken.has(name)) throw new ToolError('invalid', `there is a command /${name} already, and none is replaced.`);
}

async function readCommand(workspace: Workspace, file: string, name: string): Promise<CustomCommand> {
  const read = async () => {
    const { bytes } = await workspace.read(workspace.resolve(file), { maxBytes });
    // The YAML parser is loaded by those who have commands.
    const { readFrontMatter } = await import('./skill-file.ts');
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
    return readFrontMatter(text) ?? { fields: {}, body: text };
  };
  const { fields, body } = await read();
  const described = typeof fields.description === 'string' ? fields.description : firstLine(body);
  const argument = fields['argument-hint'];
  return {
    name,
    description: described.trim().replace(/\s+/g, ' ').slice(0, 200),
    ...(typeof argument === 'string' ? { argument } : {}),
    load: async () => (await read()).body.trim(),
  };
}

function firstLine(body: string): string {
  return body
    .trim()
    .split('\n', 1)[0]!
    .replace(/^#+\s*/, '');
}

/**
 * Puts arguments into a prompt: `$ARGUMENTS` all of them, `$1` to `$9` one each; and in place of each `` !`command` `` what
 * `shell` says to it. Arguments within a command are quoted for the shell, and nothing in an argument is expanded. The
 * commands run one after another; the first that throws ends it all.
 */
export async function expandCommand(
  body: string,
  argument: string,
  shell: (command: string) => Promise<string>,
): Promise<string> {
  const words = argument.split(/\s+/).filter((word) => word !== '');
  const given = (name: string) => (name === 'ARGUMENTS' ? argument : (words[Number(name) - 1] ?? ''));
  let text = '';
  let at = 0;
  for (const found of body.matchAll(/!`([^`\n]+)`|\$(ARGUMENTS\b|[1-9](?!\d))/g)) {
    const [whole, command, name] = found;
    text += body.slice(at, found.index);
    text +=
      command === undefined
        ? given(name!)
        : await shell(command.replace(placeholder, (_, inner: string) => quoted(given(inner))));
    at = found.index + whole.length;
  }
  return text + body.slice(at);
}

const placeholder = /\$(ARGUMENTS\b|[1-9](?!\d))/g;

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
