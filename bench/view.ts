import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGate } from '../src/open-gate.ts';
import { findViews } from '../src/process/views.ts';
import { type Comparison, compare } from './measure.ts';

/** What running a command on a view costs: the same calls through two gates, one that makes views and one that does not. */
export async function run(): Promise<Comparison[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'benchdog-bench-')));
  try {
    mkdirSync(join(folder, 'probe'));
    const found = await findViews(join(folder, 'probe'), join(folder, 'home'));
    if ('reason' in found) {
      console.log(`  no views here: ${found.reason}`);
      return [];
    }
    return [await idle(folder), await edited(folder), await installed(folder)];
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
      undoBytes: 1,
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

/** 15 ms are allowed beyond what the same command takes in the sandbox alone. */
async function idle(folder: string): Promise<Comparison> {
  const { viewed, plain, close } = await gates(folder, 'idle');
  const { ours, floor, ...rest } = await compare({
    name: 'true in a view, beyond the sandbox',
    against: 'allowed',
    ours: () => viewed('true'),
    floor: () => plain('true'),
    rounds: 15,
  });
  await close();
  return { ...rest, ours: ours - floor, floor: 15, ratio: (ours - floor) / 15, limit: 1 };
}

async function edited(folder: string): Promise<Comparison> {
  const { root, viewed, plain, close } = await gates(folder, 'edited');
  for (let at = 0; at < 1000; at += 1) {
    const part = join(root, 'src', `part${at % 20}`);
    mkdirSync(part, { recursive: true });
    writeFileSync(join(part, `file${at}.ts`), `import { name } from './name.ts';\n`.repeat(20));
  }
  const command = "sed -i 's/name/renamed/' src/part*/*.ts";
  const reset = () => execFileSync('sh', ['-c', "sed -i 's/renamed/name/' src/part*/*.ts"], { cwd: root });
  const result = await compare({
    name: 'sed -i over 1,000 files',
    against: 'without a view',
    ours: () => viewed(command),
    floor: () => plain(command),
    before: reset,
    rounds: 3,
    warmup: 1,
  });
  await close();
  return result;
}

/** A package of 10,000 files from a local archive, so that no network is measured. */
async function installed(folder: string): Promise<Comparison> {
  const made = join(folder, 'dependency');
  for (let at = 0; at < 10_000; at += 1) {
    if (at % 100 === 0) mkdirSync(join(made, `lib${at / 100}`), { recursive: true });
    writeFileSync(join(made, `lib${Math.floor(at / 100)}`, `file${at}.js`), `module.exports = ${at};\n`.repeat(40));
  }
  writeFileSync(join(made, 'package.json'), '{"name":"dependency","version":"1.0.0"}');
  const { root, viewed, plain, close } = await gates(folder, 'installed');
  execFileSync('npm', ['pack', '--silent', made], { cwd: root, stdio: 'ignore' });
  const command = 'npm install --offline --no-audit --no-fund ./dependency-1.0.0.tgz';
  const reset = () => {
    for (const name of ['node_modules', 'package-lock.json'])
      rmSync(join(root, name), { recursive: true, force: true });
    writeFileSync(join(root, 'package.json'), '{"name":"app","version":"1.0.0"}');
  };
  const result = await compare({
    name: 'npm install of 10,000 files',
    against: 'without a view',
    ours: () => viewed(command),
    floor: () => plain(command),
    before: reset,
    rounds: 3,
    warmup: 1,
    limit: 1.2,
  });
  await close();
  return result;
}
