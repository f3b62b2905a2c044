import { built, vendored } from '../change/generated.ts';
import type { Deed } from './deed.ts';
import type { Refusal } from './refusal.ts';

/** What a tool owns is changed by that tool: git's own data, lock files, vendored and built trees. */
export function refuseOwned(deed: Deed): Refusal | undefined {
  if (deed.kind !== 'write' && deed.kind !== 'delete') return undefined;
  for (const face of deed.faces) {
    const parts = face.safe[0]!.toLowerCase().split('/');
    const owner = ownerOf(parts, deed.kind);
    if (owner !== undefined) return refusal(deed.subject, owner);
  }
  return undefined;
}

/** The rules that a project has for benchdog are not even a command's to change. */
export function refuseRules(deed: Deed): Refusal | undefined {
  const isRules = deed.faces.some((face) => holdsRules(face.safe[0]!.toLowerCase().split('/')));
  return isRules ? refusal(deed.subject, rules) : undefined;
}

function holdsRules(parts: readonly string[]): boolean {
  return parts.at(-2) === '.benchdog' && parts.at(-1) === 'config.json';
}

interface Owner {
  readonly what: string;
  readonly instead: string;
}

function refusal(subject: string, { what, instead }: Owner): Refusal {
  return { decision: 'deny', by: `protect: ${what}`, reason: `${subject} belongs to ${what}. ${instead}` };
}

/** Built and vendored trees may be deleted: their tool makes them again. */
function ownerOf(parts: readonly string[], kind: 'write' | 'delete'): Owner | undefined {
  if (parts.includes('.git')) return git;
  const name = parts.at(-1) ?? '';
  if (holdsRules(parts)) return rules;
  const manager = Object.hasOwn(lockFiles, name) ? lockFiles[name] : undefined;
  if (manager !== undefined) return lockOwner(manager);
  if (kind === 'delete') return undefined;
  const folders = parts.slice(0, -1);
  if (folders.some((folder) => vendored.has(folder))) return vendorOwner;
  return folders.some((folder) => built.has(folder)) ? buildOwner : undefined;
}

const git: Owner = { what: 'git', instead: 'Use git commands instead of its files' };
const rules: Owner = { what: 'benchdog', instead: 'It holds rules for what you do. Ask the user to change it' };
const vendorOwner: Owner = {
  what: 'the package manager',
  instead: 'Change the dependency, or patch it by the package manager’s own way',
};
const buildOwner: Owner = { what: 'the build', instead: 'Change the source and run the build' };

function lockOwner(manager: string): Owner {
  return { what: manager, instead: `Change the manifest and run ${manager}` };
}

const lockFiles: Readonly<Record<string, string>> = {
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
  'yarn.lock': 'yarn',
  'pnpm-lock.yaml': 'pnpm',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'deno.lock': 'deno',
  'cargo.lock': 'cargo',
  'poetry.lock': 'poetry',
  'uv.lock': 'uv',
  'pdm.lock': 'pdm',
  'pipfile.lock': 'pipenv',
  'go.sum': 'go mod',
  'gemfile.lock': 'bundler',
  'composer.lock': 'composer',
  'mix.lock': 'mix',
  'flake.lock': 'nix',
  'pubspec.lock': 'pub',
  'podfile.lock': 'CocoaPods',
  'gradle.lockfile': 'gradle',
};
