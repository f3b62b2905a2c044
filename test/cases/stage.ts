import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type App, createApp } from '../../src/app.ts';
import type { Approver } from '../../src/gate/approver.ts';
import { tempFolder } from '../support/folders.ts';
import type { Case, SetupStep, ToolCall } from './case.ts';
import { contentOf } from './judge.ts';

/** A fresh `ws` inside a scratch folder, set up for one case, with an app on it. */
export interface Stage {
  readonly folder: string;
  readonly app: App;
  readonly before: ReadonlyMap<string, string>;
}

export async function stageCase(one: Case, dialect: string): Promise<Stage> {
  const scratch = tempFolder();
  const folder = join(scratch, 'ws');
  mkdirSync(folder);
  for (const step of one.setup) runStep(folder, step);
  const config = join(scratch, 'config.json');
  writeFileSync(config, JSON.stringify(one.config ?? {}));
  const app = await createApp({
    flags: { root: folder, dialect, config, approve: one.area === 'permission' || asks(one) ? 'ask' : 'all' },
    env: { ...process.env, ...one.env, BENCHDOG_HOME: join(scratch, 'home') },
    session: 'case',
    approver: approverOf(one, folder),
  });
  return { folder, app, before: contentsBelow(folder) };
}

function asks(one: Case): boolean {
  return one.during_approval !== undefined || one.answer !== undefined;
}

function runStep(folder: string, step: SetupStep): void {
  if (step.sh !== undefined) execFileSync('bash', ['-c', step.sh], { cwd: folder, stdio: 'pipe' });
  if (step.file === undefined) return;
  const path = join(folder, step.file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, step.base64 === undefined ? (step.content ?? '') : Buffer.from(step.base64, 'base64'));
  if (step.mode !== undefined) chmodSync(path, Number.parseInt(step.mode, 8));
}

/** Without an answer nobody is there; with one, it is the answer to the first question. */
function approverOf(one: Case, folder: string): Approver {
  let asked = 0;
  return {
    present: asks(one),
    ask: async (request) => {
      if (one.during_approval !== undefined) runStep(folder, one.during_approval);
      asked += 1;
      if (asked > 1) return { type: 'no' };
      const { always } = request.verdict;
      return one.answer === 'always' && always !== undefined ? { type: 'always', pattern: always } : { type: 'once' };
    },
  };
}

function contentsBelow(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isDirectory()) found.set(relative(folder, path), contentOf(path));
  }
  return found;
}

/** `{root-name}` in a path stands for the workspace folder's own name. */
export function argumentsOf(call: ToolCall, folder: string): unknown {
  if (call.raw_args !== undefined) return call.raw_args;
  const text = JSON.stringify(call.args ?? {}).replaceAll('{root-name}', basename(folder));
  return JSON.parse(text);
}
