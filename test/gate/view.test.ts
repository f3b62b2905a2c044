import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import type { Answer } from '../../src/gate/approver.ts';
import { nobody } from '../../src/gate/approver.ts';
import { openTestGate } from '../support/gate.ts';
import { repository, sh } from '../support/repository.ts';
import { noPreviews, noViews, openViewGate, ran, snapshot, viewTitle } from '../support/view.ts';

const once = (): Answer => ({ type: 'once' });
const no = (): Answer => ({ type: 'no', reason: 'not so' });

/** The views in a state folder in which a command ran; others stand ready, or are just being removed. */
function viewsIn(home: string): string[] {
  const places = join(home, 'views');
  if (!existsSync(places)) return [];
  return readdirSync(places).flatMap((place) =>
    readdirSync(join(places, place)).filter((name) => existsSync(join(places, place, name, 'begun'))),
  );
}

describe.skipIf(noViews !== undefined)(viewTitle('what a command did is judged'), () => {
  // What a script does, no rule sees before it is done.
  const deny = (rows: object) => ({ permission: rows });

  test('a file whose writing is denied: nothing of the command is committed', async () => {
    const gate = await openViewGate({
      files: { 'locked/a': 'a\n', b: 'b\n', 'run.sh': 'echo x >> locked/a; echo x >> b\n' },
      config: deny({ write_file: { 'locked/**': 'deny' } }),
    });
    const before = snapshot(gate.root);
    const result = await gate.call('bash', { command: 'sh run.sh' });
    expect(result).toMatchObject({ ok: false, code: 'denied' });
    expect(result.text).toContain('the changes of bash is denied by permission.write_file["locked/**"]');
    expect(snapshot(gate.root)).toEqual(before);
    expect(viewsIn(gate.home)).toEqual([]);
  });

  test('also inside of what is shown as one tree, and for deleting', async () => {
    const gate = await openViewGate({
      files: { 'node_modules/kept/a': 'a\n' },
      config: deny({ delete_file: { 'node_modules/kept/**': 'deny' } }),
    });
    expect(await gate.call('bash', { command: 'rm -r node_modules' })).toMatchObject({ ok: false, code: 'denied' });
    expect(gate.read('node_modules/kept/a')).toBe('a\n');
  });

  test('a file whose writing is asked: shown, and dropped on a no', async () => {
    const permission = { bash: 'allow', write_file: { 'a*': 'ask' } };
    const config = { bash: { view: true }, permission };
    const files = { a: 'a\n', 'run.sh': 'echo x >> a\n' };
    const gate = await openTestGate({ files, config, answer: no });
    expect(await gate.call('bash', { command: 'sh run.sh' })).toMatchObject({ ok: false, code: 'denied' });
    expect(gate.read('a')).toBe('a\n');
    expect(gate.asked).toMatchObject([{ tool: 'bash', subject: 'the changes of bash', changes: [{ type: 'modify' }] }]);
    const headless = await openTestGate({ files, config });
    expect(await headless.call('bash', { command: 'sh run.sh' })).toMatchObject({ ok: false, code: 'denied' });
    expect(headless.read('a')).toBe('a\n');
  });

  test('lock files and generated trees are the command’s own', async () => {
    const script =
      'echo {} > package-lock.json; mkdir -p node_modules/x dist; echo 1 > node_modules/x/i; echo 2 > dist/o';
    const gate = await openViewGate({ config: { plugins: [] }, files: { 'run.sh': script } });
    expect(await gate.call('bash', { command: 'sh run.sh' })).toMatchObject({
      ok: true,
      changes: [{ path: 'package-lock.json' }, { path: 'dist' }, { path: 'node_modules' }],
    });
  });
});

describe.skipIf(noViews !== undefined)(viewTitle('in every dialect with a shell'), () => {
  test.each(['native', 'shiro', 'rousseau'])('%s', async (dialect) => {
    const gate = await openViewGate({ flags: { yolo: true, dialect }, files: { a: '1\n' } });
    const result = await gate.call('bash', { command: 'echo 2 > a; echo out' });
    expect(result).toMatchObject({ ok: true, changes: [{ path: 'a' }] });
    expect(result.text).toContain('out\n');
    expect(gate.read('a')).toBe('2\n');
  });
});

describe.skipIf(noViews !== undefined)(viewTitle('a command that failed'), () => {
  test('is committed as a shell would leave it', async () => {
    const gate = await openViewGate();
    const result = await gate.call('bash', { command: 'echo x > a; exit 3' });
    expect(result).toMatchObject({ ok: true, changes: [{ type: 'create', path: 'a' }] });
    expect(result.text).toMatch(/^exit code: 3/);
  });

  test('or dropped, as configured', async () => {
    const gate = await openViewGate({ config: { bash: { failed: 'drop' } } });
    const result = await gate.call('bash', { command: 'echo x > a; exit 3' });
    expect(result).toEqual({
      ok: true,
      text: `exit code: 3 ${ran}\n(no output)\nnote: it failed, so what it changed was dropped.`,
      changes: [],
    });
    expect(readdirSync(gate.root)).toEqual([]);
    expect(viewsIn(gate.home)).toEqual([]);
  });

  test('out of time: what it did until then is there, and the result says what', async () => {
    const gate = await openViewGate();
    const result = await gate.call('bash', { command: 'echo x > a; sleep 60; echo y > b', timeout: 1500 });
    expect(result).toMatchObject({ ok: false, code: 'timeout' });
    expect(result.text).toContain('changed (undo takes it back):\n  create a +1 -0');
    expect(readdirSync(gate.root)).toEqual(['a']);
  });

  test('what it left running ends before its changes are read', async () => {
    const gate = await openViewGate();
    await gate.call('bash', { command: '(while :; do echo x >> a; done) & sleep 0.2' });
    const { length } = gate.read('a');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(gate.read('a')).toHaveLength(length);
  });
});

describe.skipIf(noViews !== undefined)(viewTitle('changed meanwhile'), () => {
  test('by a person, in the same file: nothing is committed, the view is kept and named, the next start removes it', async () => {
    const gate = await openViewGate({ files: { a: 'a\n', b: 'b\n' } });
    const running = gate.call('bash', { command: 'echo mine >> a; echo mine >> b; touch started; sleep 1' });
    await new Promise((resolve) => setTimeout(resolve, 10));
    const started = () => viewsIn(gate.home).some((view) => existsSync(join(viewPlace(gate.home), view, 'up/started')));
    while (!started()) await new Promise((resolve) => setTimeout(resolve, 10));
    writeFileSync(join(gate.root, 'b'), 'theirs\n');
    const result = await running;
    expect(result).toMatchObject({ ok: false, code: 'stale' });
    const [view] = viewsIn(gate.home);
    const upper = join(viewPlace(gate.home), view!, 'up');
    expect(result.text).toContain(
      `Somebody else changed b while the command ran, so nothing of what it did was committed.\nWhat it wrote is in ${upper} until the next start.`,
    );
    expect([gate.read('a'), gate.read('b')]).toEqual(['a\n', 'theirs\n']);
    expect(readFileSync(join(upper, 'b'), 'utf8')).toBe('b\nmine\n');
    const place = viewPlace(gate.home);
    renameSync(join(place, view!), join(place, view!.replace(/^\d+/, '999999999')));
    const env = { ...process.env, BENCHDOG_HOME: gate.home };
    const next = await createApp({ flags: { root: gate.root }, env, approver: nobody, session: 'next' });
    await next.close();
    expect(next.notices).toContain(
      'A view that an interrupted command left was removed; nothing of it had reached the workspace.',
    );
    expect(viewsIn(gate.home)).toEqual([]);
  });

  const viewPlace = (home: string) => join(home, 'views', readdirSync(join(home, 'views'))[0]!);

  test('by a person, in another file: both stay', async () => {
    const gate = await openViewGate({ files: { a: 'a\n', b: 'b\n' } });
    const running = gate.call('bash', { command: 'echo mine >> a; touch started; sleep 1' });
    const started = () => viewsIn(gate.home).some((view) => existsSync(join(viewPlace(gate.home), view, 'up/started')));
    while (!started()) await new Promise((resolve) => setTimeout(resolve, 10));
    writeFileSync(join(gate.root, 'b'), 'theirs\n');
    expect((await running).ok).toBe(true);
    expect([gate.read('a'), gate.read('b')]).toEqual(['a\nmine\n', 'theirs\n']);
  });

  test('twenty commands at once: each has its view, all land', { timeout: 60_000 }, async () => {
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`d/${at}`, `${at}\n`]));
    const gate = await openViewGate({ files });
    const commands = Array.from({ length: 20 }, (_, at) => `echo x >> d/${at}; mkdir new${at}; echo y > new${at}/f`);
    const results = await Promise.all(commands.map((command) => gate.call('bash', { command })));
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(Object.keys(files).map(gate.read)).toEqual(Array.from({ length: 20 }, (_, at) => `${at}\nx\n`));
    expect(readdirSync(gate.root)).toHaveLength(21);
    expect(gate.app.journal.entries()).toHaveLength(20);
    expect(viewsIn(gate.home)).toEqual([]);
  });

  test('two commands on one file: the later one is stale', async () => {
    const gate = await openViewGate({ files: { a: 'a\n' } });
    const slow = gate.call('bash', { command: 'echo slow >> a; touch started; sleep 3' });
    const started = () => viewsIn(gate.home).some((view) => existsSync(join(viewPlace(gate.home), view, 'up/started')));
    while (!started()) await new Promise((resolve) => setTimeout(resolve, 10));
    const quick = await gate.call('bash', { command: 'echo quick >> a' });
    expect([quick.ok, await slow]).toMatchObject([true, { ok: false, code: 'stale' }]);
    expect(gate.read('a')).toBe('a\nquick\n');
  });
});

describe.skipIf(noPreviews !== undefined)(viewTitle('a preview', noPreviews), () => {
  const config = { bash: { preview: true } };
  const command = 'echo out; echo more >> a; rm b';
  const files = { a: 'a\n', b: 'b\n' };

  test('shows output and diff of what has not happened yet; a yes makes it so', async () => {
    const gate = await openTestGate({ files, config, answer: once });
    const before = snapshot(gate.root);
    let seen: object | undefined;
    const result = await gate.call(
      'bash',
      { command },
      {
        approver: {
          present: true,
          ask: async (request) => {
            seen = snapshot(gate.root);
            gate.asked.push(request);
            return once();
          },
        },
      },
    );
    expect(seen).toEqual(before);
    expect(gate.asked).toMatchObject([
      {
        tool: 'bash',
        subject: command,
        rehearsed: { output: `exit code: 0 ${ran}\nstdout:\nout` },
        changes: [{ type: 'modify' }, { type: 'delete' }],
      },
    ]);
    expect(gate.asked[0]!.preview).toBe(
      [
        command,
        '',
        'Tried out without network; nothing is changed yet.',
        `exit code: 0 ${ran}`,
        'stdout:',
        'out',
        '',
        'It changes these files:',
        'diff --git a/a b/a',
        '--- a/a',
        '+++ b/a',
        '@@ -1 +1,2 @@',
        ' a',
        '+more',
        'diff --git a/b b/b',
        'deleted file mode 100644',
        '--- a/b',
        '+++ /dev/null',
        '@@ -1 +0,0 @@',
        '-b',
        '',
      ].join('\n'),
    );
    expect(result).toMatchObject({ ok: true, changes: [{ path: 'a' }, { path: 'b' }] });
    expect([readdirSync(gate.root), gate.read('a')]).toEqual([['a'], 'a\nmore\n']);
  });

  test('a no: not one byte, nor a time, of the workspace changed, and nothing of the output is told', async () => {
    const gate = await openTestGate({ files, config, answer: no });
    const before = snapshot(gate.root);
    expect(await gate.call('bash', { command })).toEqual({
      ok: false,
      code: 'denied',
      text: 'The user declined bash. Reason: not so. Nothing was done. Ask what to do instead, or go another way.',
    });
    expect(snapshot(gate.root)).toEqual(before);
    expect(viewsIn(gate.home)).toEqual([]);
    expect(gate.app.journal.entries()).toEqual([]);
  });

  test('has no network', async () => {
    const gate = await openTestGate({ config, answer: once });
    const { text } = await gate.call('bash', { command: 'cat /proc/net/route' });
    expect(text).not.toMatch(/^\w+\t00000000/m);
  });

  test('changes nothing of a repository around the workspace either', async () => {
    const top = repository({ 'sub/a': 'a\n' });
    const head = sh(top, 'git rev-parse HEAD');
    const gate = await openTestGate({ root: join(top, 'sub'), config, answer: once });
    const { text } = await gate.call('bash', { command: 'git commit -q --allow-empty -m second' });
    expect(text).toContain('Read-only file system');
    expect(sh(top, 'git rev-parse HEAD')).toBe(head);
  });

  test('what an allow row covers runs as ever; with nobody to ask, nothing runs', async () => {
    const allowed = await openTestGate({ files, config: { ...config, permission: { bash: { '*': 'allow' } } } });
    expect((await allowed.call('bash', { command: 'echo x > c' })).ok).toBe(true);
    const headless = await openTestGate({ files, config });
    expect(await headless.call('bash', { command: 'sleep 60' })).toMatchObject({ ok: false, code: 'denied' });
  });

  test('can be had on request: the prompt offers it, and then shows the changes', async () => {
    const gate = await openTestGate({
      files,
      answer: ({ canRehearse }) => (canRehearse === true ? { type: 'rehearse' } : once()),
    });
    expect((await gate.call('bash', { command })).ok).toBe(true);
    expect(gate.asked.map(({ canRehearse, changes }) => [canRehearse, changes?.length])).toEqual([
      [true, undefined],
      [undefined, 2],
    ]);
    expect(readdirSync(gate.root)).toEqual(['a']);
  });

  test('of a write that is denied asks nobody', async () => {
    const permission = { write_file: { 'a*': 'deny' } };
    const gate = await openTestGate({ files, config: { ...config, permission }, answer: once });
    expect(await gate.call('bash', { command: 'for x in a; do echo 1 >> $x; done' })).toMatchObject({
      ok: false,
      code: 'denied',
    });
    expect(gate.asked).toEqual([]);
  });

  test('of a git commit names the refs that move', async () => {
    const root = repository({ a: 'a\n' });
    const gate = await openTestGate({ root, config, answer: once });
    await gate.call('bash', { command: 'git commit -q --allow-empty -m second' });
    expect(gate.asked[0]!.preview).toMatch(
      /diff --git a\/\.git b\/\.git\n.*files? added.*\nrefs\/heads\/main: [0-9a-f]{10} -> [0-9a-f]{10}\n/,
    );
  });
});
