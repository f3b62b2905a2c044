// Packs the package, installs it where nothing else is, and uses it as a user would: `npm run test:package [NODE]`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const project = resolve(import.meta.dirname, '..');
/** The Node.js to run the installed package with. */
const node = process.argv[2] ?? process.execPath;
const place = mkdtempSync(join(tmpdir(), 'benchdog-package-'));
const env = { ...process.env, BENCHDOG_HOME: join(place, 'home') };

try {
  const tarball = pack();
  install(tarball);
  useCommand();
  useLibrary();
  console.log('The package works.');
} finally {
  rmSync(place, { recursive: true, force: true });
}

function pack(): string {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', place], project));
  console.log(
    `packed: ${packed.entryCount} files, ${megabytes(packed.size)} MB, ${megabytes(packed.unpackedSize)} MB unpacked`,
  );
  return join(place, packed.filename);
}

function install(tarball: string): void {
  mkdirSync(join(place, 'app'));
  writeFileSync(join(place, 'app', 'package.json'), '{ "type": "module" }');
  run('npm', ['install', '--no-audit', '--no-fund', tarball], join(place, 'app'));
  const lock = JSON.parse(readFileSync(join(place, 'app', 'node_modules', '.package-lock.json'), 'utf8'));
  const packages = Object.entries<{ hasInstallScript?: boolean }>(lock.packages);
  const scripts = packages.filter(([, one]) => one.hasInstallScript).map(([name]) => name);
  expect(scripts.join(', '), '', 'packages with install scripts');
  console.log(`installed: ${packages.length} packages, ${megabytes(sizeOf(join(place, 'app', 'node_modules')))} MB`);
}

function useCommand(): void {
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  writeFileSync(join(place, 'app', 'a.txt'), 'hello\n');
  expect(run('npx', ['--no-install', 'benchdog', '--version']), `${version}\n`, 'npx benchdog --version');
  const command = join(place, 'app', 'node_modules', 'benchdog', 'dist', 'cli.js');
  const read = ['call', 'read_file', '{"path":"a.txt"}'];
  expect(run(node, [command, ...read]), '1: hello\n', 'benchdog call read_file');
  const search = ['call', 'grep', '{"pattern":"hel+o"}'];
  expect(run(node, [command, ...search]), 'a.txt:1: hello\n', 'benchdog call grep');
  const shell = ['call', 'bash', '{"command":"echo hi"}', '--approve', 'all', '--json'];
  expect(JSON.parse(run(node, [command, ...shell])).ok, true, 'benchdog call bash');
  const { tools } = JSON.parse(run(node, [command, 'tools', '--json']));
  expect(tools.length > 14, true, 'benchdog tools');
}

function useLibrary(): void {
  const program = `
    import { openGate, dialects } from 'benchdog';
    import { serveMcpHttp } from 'benchdog/mcp';
    const { gate, close } = await openGate({ dialect: 'udiff' });
    const { text } = await gate.call({ id: '1', tool: 'read_file', args: { path: 'a.txt' } });
    await close();
    console.log(JSON.stringify([dialects.length, typeof serveMcpHttp, text]));
  `;
  writeFileSync(join(place, 'app', 'use.mjs'), program);
  expect(run(node, ['use.mjs']), '[4,"function","hello\\n"]\n', 'the library');
}

function run(file: string, args: readonly string[], cwd = join(place, 'app')): string {
  return execFileSync(file, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function expect(found: unknown, wanted: unknown, what: string): void {
  if (found === wanted) return;
  throw new Error(`${what}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(found)}`);
}

function sizeOf(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
