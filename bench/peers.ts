import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startModelServer } from '../test/support/model-server.ts';
import { type Comparison, compare } from './measure.ts';
import { runProgram } from './run-program.ts';

const cli = join(import.meta.dirname, '../dist/cli.js');
/** What is compared with, by exact version. They run on Node 20 and are put into a cache folder of their own when missing. */
const packages = ['@modelcontextprotocol/server-filesystem@2026.8.31', '@mariozechner/pi-coding-agent@0.73.1'];
const cache = process.env.BENCHDOG_PEERS ?? join(tmpdir(), 'benchdog-peers');

/** The same work through the protocol's reference file server, and one answer of another agent. */
export async function run(): Promise<Comparison[]> {
  if (!existsSync(cli)) throw new Error('dist/cli.js is missing: run npm run build first.');
  installPeers();
  const scratch = mkdtempSync(join(tmpdir(), 'benchdog-bench-'));
  try {
    return [...(await againstFileServer(scratch)), await againstPi(scratch)];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function installPeers(): void {
  if (existsSync(join(cache, 'node_modules', '.bin', 'pi'))) return;
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{}');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], { cwd: cache });
}

async function againstFileServer(scratch: string): Promise<Comparison[]> {
  const root = join(scratch, 'mcp');
  const home = join(scratch, 'mcp-home');
  mkdirSync(root);
  const env = { ...process.env, HOME: home, BENCHDOG_HOME: home } as Record<string, string>;
  const ours = () => connect([cli, 'mcp', '--root', root, '--approve', 'all'], env);
  const server = join(cache, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
  const theirs = () => connect([server, root], env);
  const start = await compare({
    name: 'MCP: start, read one file, end',
    against: 'reference file server',
    before: () => writeFileSync(join(root, 'a.txt'), 'hello\n'),
    ours: () => once(ours, 'read_file', { path: 'a.txt' }),
    floor: () => once(theirs, 'read_text_file', { path: join(root, 'a.txt') }),
  });
  const [we, they] = [await ours(), await theirs()];
  try {
    return [start, ...(await fileCalls(root, we, they))];
  } finally {
    await Promise.all([we.close(), they.close()]);
  }
}

async function fileCalls(root: string, we: Client, they: Client): Promise<Comparison[]> {
  const path = (name: string) => join(root, name);
  const against = 'reference file server';
  const text = (lines: number) => Array.from({ length: lines }, (_, at) => `line ${at} of the file\n`).join('');
  const swap = (from: string, to: string) => ({
    ours: { path: 'b.txt', oldString: from, newString: to },
    theirs: { path: path('b.txt'), edits: [{ oldText: from, newText: to }] },
  });
  const edit = async (name: string, lines: number): Promise<Comparison> => {
    const { ours, theirs } = swap(`line ${lines / 2} of`, `LINE ${lines / 2} of`);
    return compare({
      name,
      against,
      before: () => writeFileSync(path('b.txt'), text(lines)),
      ours: () => call(we, 'edit_file', ours),
      floor: () => call(they, 'edit_file', theirs),
    });
  };
  writeFileSync(path('c.txt'), text(1500));
  return [
    await compare({
      name: 'MCP: read 1,500 lines',
      against,
      ours: () => call(we, 'read_file', { path: 'c.txt' }),
      floor: () => call(they, 'read_text_file', { path: path('c.txt') }),
    }),
    await edit('MCP: edit in 2,000 lines', 2000),
    await edit('MCP: edit in 50,000 lines', 50_000),
  ];
}

async function connect(args: readonly string[], env: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], env, stderr: 'ignore' }));
  return client;
}

async function once(open: () => Promise<Client>, tool: string, args: Record<string, unknown>): Promise<void> {
  const client = await open();
  await call(client, tool, args);
  await client.close();
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<void> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
}

/** One text answer of the agent whose start is the shortest among those that run on Node 20. */
async function againstPi(scratch: string): Promise<Comparison> {
  const server = await startModelServer(() => ({ text: 'Done.' }));
  const home = join(scratch, 'pi-home');
  const ws = join(scratch, 'pi-ws');
  mkdirSync(join(home, '.pi/agent'), { recursive: true });
  mkdirSync(ws);
  const model = { id: 'scripted', contextWindow: 100_000, maxTokens: 4096 };
  const lab = { baseUrl: server.url, api: 'openai-completions', apiKey: 'none', models: [model] };
  writeFileSync(join(home, '.pi/agent/models.json'), JSON.stringify({ providers: { lab } }));
  const bin = join(cache, 'node_modules/@mariozechner/pi-coding-agent');
  const { bin: bins } = JSON.parse(readFileSync(join(bin, 'package.json'), 'utf8')) as { bin: { pi: string } };
  const pi = [join(bin, bins.pi), '-p', '--provider', 'lab', '--model', 'scripted', '--offline', '--no-session', 'one'];
  const us = [cli, '-p', 'one', '--model', 'openai-compatible/bench', '--base-url', server.url];
  const env = { HOME: home, BENCHDOG_HOME: home };
  try {
    return await compare({
      name: 'one text answer, start to exit',
      against: 'pi 0.73.1',
      rounds: 5,
      ours: () => runProgram(us, { cwd: ws, env }),
      floor: () => runProgram(pi, { cwd: ws, env }),
    });
  } finally {
    await server.close();
  }
}
