// Drives `benchdog mcp` with the official inspector's command line: `npm run test:inspector`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The last one that runs on Node 20; kept out of the project's own packages, since it brings 140 of its own. */
const inspector = '@modelcontextprotocol/inspector@0.15.0';
const cli = resolve(import.meta.dirname, '../dist/cli.js');
const place = mkdtempSync(join(tmpdir(), 'benchdog-inspector-'));
const env = { ...process.env, BENCHDOG_HOME: join(place, 'home') };

try {
  install();
  writeFileSync(join(place, 'a.txt'), 'hello\n');
  const { tools } = inspect('tools/list') as { tools: { name: string }[] };
  expect(
    tools.some(({ name }) => name === 'read_file'),
    true,
    'tools/list offers read_file',
  );
  const read = inspect('tools/call', '--tool-name', 'read_file', '--tool-arg', 'path=a.txt');
  expect(JSON.stringify(read.content), '[{"type":"text","text":"1: hello"}]', 'read_file');
  const refused = inspect('tools/call', '--tool-name', 'delete_file', '--tool-arg', 'path=a.txt');
  expect(refused.isError, true, 'delete_file without an approval is an error');
  console.log('The inspector works with the server.');
} finally {
  rmSync(place, { recursive: true, force: true });
}

function install(): void {
  mkdirSync(join(place, 'inspector'));
  writeFileSync(join(place, 'inspector', 'package.json'), '{}');
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...quiet, inspector], { cwd: join(place, 'inspector'), stdio: 'inherit' });
}

function inspect(method: string, ...args: string[]): { content?: unknown; isError?: boolean; tools?: unknown } {
  const bin = join(place, 'inspector/node_modules/.bin/mcp-inspector');
  const server = [process.execPath, cli, 'mcp', '--root', place];
  const said = execFileSync(bin, ['--cli', ...server, '--method', method, ...args], { env, encoding: 'utf8' });
  return JSON.parse(said);
}

function expect(found: unknown, wanted: unknown, what: string): void {
  if (found === wanted) return;
  throw new Error(`${what}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(found)}`);
}
