// An MCP server by hand, as odd as FAKE (JSON in the environment) wants it.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const fake = JSON.parse(process.env.FAKE ?? '{}');
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const log = (line) => fake.log && appendFileSync(fake.log, `${line}\n`);

log(`start ${process.pid}`);
if (fake.stderr) process.stderr.write(fake.stderr);
if (fake.exit !== undefined) process.exit(fake.exit);
if (fake.banner) process.stdout.write(fake.banner);
if (fake.child) {
  const child = spawn('sleep', ['300'], { stdio: 'ignore', detached: true });
  child.unref();
  log(`child ${child.pid}`);
}
if (fake.deaf) setInterval(() => {}, 1000);

const answers = {
  initialize: ({ params }) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'fake', version: '1' },
  }),
  'tools/list': ({ params }) => {
    const page = Number(params?.cursor ?? 0);
    const pages = fake.pages ?? [fake.tools ?? [{ name: 'echo', inputSchema: { type: 'object' } }]];
    return {
      tools: pages[page % pages.length],
      ...(fake.endless || page + 1 < pages.length ? { nextCursor: String(page + 1) } : {}),
    };
  },
  'tools/call': ({ params: { name, arguments: args } }) => {
    log(`call ${name} ${JSON.stringify(args)}`);
    if (args.die) {
      process.stderr.write('out of memory\n');
      process.exit(3);
    }
    if (args.result) return args.result;
    if (args.env)
      return { content: [{ type: 'text', text: JSON.stringify(args.env.map((key) => process.env[key] ?? null)) }] };
    return { content: [{ type: 'text', text: `${name}: ${JSON.stringify(args)}` }] };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (fake.deaf || id === undefined) {
    if (method === 'notifications/cancelled') log('cancelled');
    return;
  }
  if (params?.arguments?.hang) return;
  const answer = answers[method];
  if (fake.chatty) process.stdout.write('DEBUG about to answer\n');
  if (params?.arguments?.refuse) send({ id, error: { code: -32000, message: 'not today' } });
  else if (answer) send({ id, result: answer({ params }) });
  else send({ id, error: { code: -32601, message: 'Method not found' } });
});
