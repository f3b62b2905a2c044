import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGate } from '../src/open-gate.ts';
import { findViews } from '../src/process/views.ts';
import { type Comparison, compare } from './measure.ts';

/**
 * What running a command on a view costs: the same calls through two gates, one that makes views and one that does not. Takes
 * about a minute and a half; each comparison is given as it is there.
 */
export async function* run(): AsyncGenerator<Comparison> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'benchdog-bench-')));
  try {
    mkdirSync(join(folder, 'probe'));
    const found = await findViews(join(folder, 'probe'), join(folder, 'home'));
    if ('reason' in found) {
      console.log(`  no views here: ${found.reason}`);
      return;
    }
    yield await idle(folder);
    yield await edited(folder);
    yield await renamed(folder);
    yield* filled(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A workspace with two gates before it. */
async function gates(folder: string, name: string) {
  const root = join(folder, name);
  mkdirSync(root, { recursive: true });
  const open = (view: boolean) =>
    openGate({
      root,
      home: join(folder, `home-${view}`),
      bash: { view },
      approve: 'all',
      plugins: ['-guard'],
      env: { ...process.env, HOME: folder },
    });
  const [viewed, plain] = [await open(true), await open(false)];
  let calls = 0;
  const runIn =
    ({ gate }: typeof plain) =>
    async (command: string) => {
      const result = await gate.call({ id: `call-${calls++}`, tool: 'bash', args: { command, timeout: 600_000 } });
      if (!result.ok || !result.text.startsWith('exit code: 0')) throw new Error(result.text);
    };
  const close = async () => {
    await viewed.close();
    await plain.close();
  };
  return { root, viewed: runIn(viewed), plain: runIn(plain), close };
}

/** The time in which the next view is made: between two commands a model thinks for longer. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 250));

/** 15 ms are allowed beyond what the same command takes in the sandbox alone. */
async function idle(folder: string): Promise<Comparison> {
  const { viewed, plain, close } = await gates(folder, 'idle');
  const { ours, floor, ...rest } = await compare({
    name: 'true in a view, beyond the sandbox',
    against: 'allowed',
    ours: () => viewed('true'),
    floor: () => plain('true'),
    before: pause,
    rounds: 15,
  });
  await close();
  return { ...rest, ours: ours - floor, floor: 15, ratio: (ours - floor) / 15, limit: 1 };
}

async function edited(folder: string): Promise<Comparison> {
  const { root, viewed, plain, close } = await gates(folder, 'edited');
  makeSources(root);
  const command = "sed -i 's/name/renamed/' src/part*/*.ts";
  const reset = () => execFileSync('sh', ['-c', "sed -i 's/renamed/name/' src/part*/*.ts"], { cwd: root });
  const result = await compare({
    name: 'sed -i over 1,000 files',
    against: 'without a view',
    ours: () => viewed(command),
    floor: () => plain(command),
    before: reset,
    rounds: 3,
    warmup: 0,
  });
  await close();
  return result;
}

/** In a view `mv` of a folder copies. */
async function renamed(folder: string): Promise<Comparison> {
  const { root, viewed, plain, close } = await gates(folder, 'renamed');
  const result = await compare({
    name: 'mv of 1,000 files',
    against: 'without a view',
    ours: () => viewed('mv src lib'),
    floor: () => plain('mv src lib'),
    before: () => {
      rmSync(root, { recursive: true });
      makeSources(root);
    },
    rounds: 3,
    warmup: 0,
  });
  await close();
  return result;
}

function makeSources(root: string): void {
  for (let at = 0; at < 1000; at += 1) {
    const part = join(root, 'src', `part${at % 20}`);
    mkdirSync(part, { recursive: true });
    writeFileSync(join(part, `file${at}.ts`), `import { name } from './name.ts';\n`.repeat(20));
  }
}

/** A package of 10,000 files: by npm from a local archive, so that no network is measured, and by `tar`. */
async function* filled(folder: string): AsyncGenerator<Comparison> {
  const made = join(folder, 'dependency');
  makePackage(made);
  const { root, viewed, plain, close } = await gates(folder, 'filled');
  execFileSync('npm', ['pack', '--silent', made], { cwd: root, stdio: 'ignore' });
  const before = () => {
    for (const name of ['node_modules', 'package-lock.json'])
      rmSync(join(root, name), { recursive: true, force: true });
    writeFileSync(join(root, 'package.json'), '{"name":"app","version":"1.0.0"}');
  };
  const measured = (name: string, command: string, rounds: number) =>
    compare({
      name,
      against: 'without a view',
      ours: () => viewed(command),
      floor: () => plain(command),
      before,
      rounds,
      warmup: 0,
    });
  const install = 'npm install --offline --no-audit --no-fund ./dependency-1.0.0.tgz';
  yield { ...(await measured('npm install of 10,000 files', install, 2)), limit: 1.2 };
  yield await measured(
    'tar x of 10,000 files',
    'mkdir node_modules && tar xzf dependency-1.0.0.tgz -C node_modules',
    1,
  );
  await close();
}

function makePackage(made: string): void {
  for (let at = 0; at < 10_000; at += 1) {
    if (at % 100 === 0) mkdirSync(join(made, `lib${at / 100}`), { recursive: true });
    writeFileSync(join(made, `lib${Math.floor(at / 100)}`, `file${at}.js`), `module.exports = ${at};\n`.repeat(40));
  }
  writeFileSync(join(made, 'package.json'), '{"name":"dependency","version":"1.0.0"}');
}
