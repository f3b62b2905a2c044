import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSandbox } from '../../src/process/sandbox.ts';
import { findViews } from '../../src/process/views.ts';
import { type GateSetup, openTestGate } from './gate.ts';

/** Why this machine makes no views, or undefined: tests that need them are skipped, and their name says why. */
export const noViews: string | undefined = await problem();

async function problem(): Promise<string | undefined> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'benchdog-test-')));
  try {
    const found = await findViews(mkdtempSync(join(folder, 'root-')), mkdtempSync(join(folder, 'home-')));
    return 'reason' in found ? found.reason : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Why nothing can be tried out here: beside a view, that takes a sandbox. */
export const noPreviews: string | undefined = noViews ?? (await openSandbox({ mode: 'auto', root: '/tmp' })).reason;

/** How a result says in what it ran. */
export const ran: string = noPreviews === undefined ? '(sandboxed)' : '(not sandboxed)';

/** The title of a group of tests that need views. */
export function viewTitle(title: string, reason = noViews): string {
  return reason === undefined ? title : `${title} (skipped: ${reason})`;
}

/** A gate whose commands are allowed and run in views; without the guard, which asks before folders are deleted. */
export function openViewGate({ config = {}, flags = { yolo: true }, ...setup }: GateSetup = {}) {
  const { bash, ...rest } = config as { bash?: object };
  return openTestGate({ ...setup, flags, config: { bash: { view: true, ...bash }, plugins: ['-guard'], ...rest } });
}

/** Everything below a folder: kind, mode, content or target, time of change of files. */
export function snapshot(root: string, folder = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(root, folder)).sort()) {
    const path = folder === '' ? name : `${folder}/${name}`;
    const place = join(root, path);
    const stats = lstatSync(place, { bigint: true });
    const mode = (Number(stats.mode) & 0o7777).toString(8);
    if (stats.isDirectory()) Object.assign(found, { [path]: `folder ${mode}` }, snapshot(root, path));
    else if (stats.isSymbolicLink()) found[path] = `link ${readlinkSync(place)}`;
    else if (stats.size > 1_000_000n) found[path] = `file ${mode} ${stats.mtimeNs} ${stats.size} bytes`;
    else found[path] = `file ${mode} ${stats.mtimeNs} ${readFileSync(place, 'latin1')}`;
  }
  return found;
}
