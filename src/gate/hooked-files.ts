import type { Deed } from './deed.ts';

/**
 * The reason a write is put to a person even where edits are accepted: the file makes some later, harmless-looking
 * command run what it says (a commit, a `cd`, opening the folder in an editor, the next start of an agent). Undefined
 * for any other file. Sources, scripts and build files are no such files: they run when they are named.
 */
export function hookedReason(deed: Deed): string | undefined {
  if (deed.kind !== 'write') return undefined;
  for (const face of deed.faces) {
    const parts = face.safe[0]!.toLowerCase().split('/');
    const when = hookedWhen(parts);
    if (when !== undefined) return `what ${deed.subject} says is run ${when}`;
  }
  return undefined;
}

function hookedWhen(parts: readonly string[]): string | undefined {
  const folder = parts.slice(0, -1).find((part) => Object.hasOwn(folders, part));
  if (folder !== undefined) return folders[folder];
  const name = parts.at(-1)!;
  if (Object.hasOwn(names, name)) return names[name];
  return name.endsWith('.code-workspace') ? editor : undefined;
}

const git = 'by git commands';
const agent = 'by the next agent that starts here';
const editor = 'by an editor that opens the folder';
const shell = 'by the next shell';
const packages = 'by the package manager';

const folders: Readonly<Record<string, string>> = {
  '.husky': git,
  '.githooks': git,
  '.benchdog': agent,
  '.claude': agent,
  '.codex': agent,
  '.gemini': agent,
  '.cursor': agent,
  '.vscode': editor,
  '.idea': editor,
  '.zed': editor,
  '.devcontainer': editor,
};

const names: Readonly<Record<string, string>> = {
  '.gitconfig': git,
  '.gitmodules': git,
  '.pre-commit-config.yaml': git,
  'lefthook.yml': git,
  'lefthook.yaml': git,
  '.lefthook.yml': git,
  '.lefthook.yaml': git,
  '.mcp.json': agent,
  '.devcontainer.json': editor,
  '.envrc': shell,
  '.mise.toml': shell,
  'mise.toml': shell,
  '.profile': shell,
  '.bashrc': shell,
  '.bash_profile': shell,
  '.bash_login': shell,
  '.bash_logout': shell,
  '.zshrc': shell,
  '.zshenv': shell,
  '.zprofile': shell,
  '.zlogin': shell,
  '.npmrc': packages,
  '.yarnrc': packages,
  '.yarnrc.yml': packages,
  '.pnpmfile.cjs': packages,
};
