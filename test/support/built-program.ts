import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type UserConfig } from 'tsdown';
import configs from '../../tsdown.config.ts';

const project = resolve(import.meta.dirname, '../..');

let built: Promise<string> | undefined;

/** The command as it is published: `dist` when it is no older than the sources, else a build of its own. */
export function builtProgram(): Promise<string> {
  built ??= find();
  return built;
}

async function find(): Promise<string> {
  const dist = join(project, 'dist', 'cli.js');
  if (isFresh(dist)) return dist;
  const mark = createHash('sha256').update(project).digest('hex').slice(0, 8);
  const folder = join(project, 'node_modules', `.benchdog-test-${mark}`);
  const file = join(folder, 'cli.js');
  if (isFresh(file)) return file;
  const [, command] = configs as readonly UserConfig[];
  await build({ ...command, config: false, outDir: folder, clean: true, logLevel: 'error' });
  return file;
}

function isFresh(file: string): boolean {
  return existsSync(file) && statSync(file).mtimeMs >= newest(join(project, 'src'));
}

function newest(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce((latest, name) => Math.max(latest, statSync(join(folder, name)).mtimeMs), 0);
}
