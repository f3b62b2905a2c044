import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { nobody } from '../../src/gate/approver.ts';
import { tempFolder } from '../support/folders.ts';
import { processesWith } from '../support/processes.ts';
import { noViews, snapshot, viewTitle } from '../support/view.ts';

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

test.skipIf(noViews !== undefined)(
  viewTitle('kill -9 of benchdog while a command runs in a view: nothing changed, nothing left running, the view goes'),
  async () => {
    const command = 'echo x >> a; rm -r d; echo started > started; sleep 31415';
    const folder = tempFolder({ 'args.json': JSON.stringify({ command }), 'ws/a': 'a\n', 'ws/d/b': 'b\n' });
    const [root, home] = [join(folder, 'ws'), join(folder, 'home')];
    mkdirSync(home);
    tempConfig(home);
    const before = snapshot(root);
    const child = join(import.meta.dirname, '../support/call-child.ts');
    const words = ['--import', 'tsx', child, root, home, 'native', 'bash', join(folder, 'args.json')];
    const running = spawn(process.execPath, words, { stdio: 'ignore' });
    while (!isStarted(home)) await pause();
    running.kill('SIGKILL');
    while (processesWith('sleep\x0031415').length > 0) await pause();
    expect(snapshot(root)).toEqual(before);
    const env = { ...process.env, BENCHDOG_HOME: home };
    const next = await createApp({ flags: { root }, env, approver: nobody, session: 'next' });
    await next.close();
    const said = 'A view that an interrupted command left was removed; nothing of it had reached the workspace.';
    expect(next.notices).toContain(said);
    expect(snapshot(root)).toEqual(before);
    expect(isStarted(home)).toBe(false);
  },
  60_000,
);

function tempConfig(home: string): void {
  const config = JSON.stringify({ bash: { view: true }, plugins: ['-guard'] });
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), config);
}

function isStarted(home: string): boolean {
  const places = join(home, 'views');
  if (!existsSync(places)) return false;
  return readdirSync(places).some((place) =>
    readdirSync(join(places, place)).some((view) => existsSync(join(places, place, view, 'up/started'))),
  );
}

test.skipIf(noViews !== undefined)(
  viewTitle('kill -9 of benchdog while it only waits: the view that was made ready goes, without a word'),
  async () => {
    const folder = tempFolder({ 'ws/a': 'a\n' });
    const [root, home] = [join(folder, 'ws'), join(folder, 'home')];
    tempConfig(home);
    const child = join(import.meta.dirname, '../support/waiting-child.ts');
    const waiting = spawn(process.execPath, ['--import', 'tsx', child, root, home], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(waiting.stdout!, 'data');
    while (processesWith(`WAITS_IN=${root}`).length === 0) await pause();
    expect(ready(home)).not.toEqual([]);
    waiting.kill('SIGKILL');
    while (processesWith(`WAITS_IN=${root}`).length > 0) await pause();
    const env = { ...process.env, BENCHDOG_HOME: home };
    const next = await createApp({ flags: { root }, env, approver: nobody, session: 'next' });
    await next.close();
    expect(next.notices).toEqual([]);
    expect(ready(home)).toEqual([]);
  },
  60_000,
);

/** What stands ready or is in use. */
function ready(home: string): string[] {
  const places = join(home, 'views');
  return readdirSync(places).flatMap((place) =>
    readdirSync(join(places, place)).filter((name) => existsSync(join(places, place, name, 'up'))),
  );
}
