import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type UserConfig } from 'tsdown';
import configs from '../../tsdown.config.ts';

const project = resolve(import.meta.dirname, '../..');
const modules = join(project, 'node_modules');

let built: Promise<string> | undefined;

/** The command as it is published: `dist` when it is no older than the sources, else a build of its own. */
export function builtProgram(): Promise<string> {
  built ??= find();
  return built;
}

async function find(): Promise<string> {
  const changed = newest(join(project, 'src'));
  const dist = join(project, 'dist', 'cli.js');
  if (existsSync(dist) && statSync(dist).mtimeMs >= changed) return dist;
  const project8 = createHash('sha256').update(project).digest('hex').slice(0, 8);
  const name = `.benchdog-test-${project8}`;
  const folder = join(modules, `${name}-${Math.round(changed)}`);
  if (!existsSync(folder)) await buildInto(folder, name);
  return join(folder, 'cli.js');
}

/** Builds beside and moves it there in one step: another test file may be doing the same. */
async function buildInto(folder: string, name: string): Promise<void> {
  const beside = join(modules, `${name}.${process.pid}`);
  const [, ...command] = configs as readonly UserConfig[];
  for (const part of command) await build({ ...part, config: false, outDir: beside, logLevel: 'error' });
  try {
    renameSync(beside, folder);
  } catch {
    rmSync(beside, { recursive: true });
  }
  removeOld(name, folder);
}

const oldMs = 3_600_000;

function removeOld(name: string, kept: string): void {
  for (const one of readdirSync(modules).filter((entry) => entry.startsWith(name))) {
    const path = join(modules, one);
    if (path !== kept && Date.now() - statSync(path).mtimeMs > oldMs) rmSync(path, { recursive: true, force: true });
  }
}

function newest(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce((latest, name) => Math.max(latest, statSync(join(folder, name)).mtimeMs), 0);
}
