import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerOf } from '../../src/cli/terminal-approver.ts';
import { openGrantStore } from '../../src/gate/grant-store.ts';
import { createGrants } from '../../src/gate/grants.ts';
import { openRoot } from '../../src/workspace/path.ts';
import { grantsFile } from '../../src/workspace-logs.ts';
import { place } from '../support/command-line.ts';
import { tempFolder } from '../support/folders.ts';

const config = `{
  // what commands may do
  "permission": {
    "bash": {
      "*": "ask",
      "git *": { "decision": "allow", "reason": "reading", "examples": { "match": ["git log"], "not": ["gitk"] } },
    },
  },
}
`;
const here = (text = config) => place(tempFolder({ 'a.txt': 'one\n', '.env': 'KEY=12345678\n' }), text);

test('policy why names the row that decides, by file and line', async () => {
  const at = here();
  const { exit, stdout } = await at.run(['policy', 'why', 'bash', '{"command":"git log"}']);
  expect(exit).toBe(0);
  expect(stdout.split('\n')[0]).toBe(`allow, by permission.bash["git *"] (${join(at.home, 'config.json')}:6): reading`);
});

test('policy why --json has the decision, who decided, and every effect', async () => {
  const { stdout } = await here().run(['policy', 'why', 'bash', '{"command":"git log && rm a.txt"}', '--json']);
  const { decision, by, effects } = JSON.parse(stdout);
  expect([decision, by]).toEqual(['ask', 'default: bash is asked']);
  expect(effects[0]).toEqual({
    kind: 'execute',
    subject: 'git log',
    decision: 'allow',
    by: expect.stringContaining('permission.bash["git *"]'),
    reason: 'reading',
  });
});

test('policy why says what would change it, and changes nothing itself', async () => {
  const at = here();
  const { stdout } = await at.run(['policy', 'why', 'write_file', '{"path":"n.txt","content":"x"}']);
  expect(stdout).toMatch(/^ask, by /);
  expect(stdout).toContain('What would change it:');
  expect(readdirSync(at.root).sort()).toEqual(['.env', 'a.txt']);
});

test('policy why refuses an unknown tool and bad arguments as wrong usage', async () => {
  const at = here();
  expect((await at.run(['policy', 'why', 'raed_file', '{}'])).exit).toBe(2);
  expect((await at.run(['policy', 'why', 'read_file', '{"path"'])).exit).toBe(2);
});

test('policy test runs the examples; a row that contradicts one is an error when the file loads', async () => {
  expect(await here().run(['policy', 'test'])).toEqual({
    exit: 0,
    stdout: '2 examples in 2 rows, all as they say.\n',
    stderr: '',
  });
  const at = here(config.replace('"gitk"', '"git log"'));
  const { exit, stderr } = await at.run(['policy', 'test']);
  expect(exit).toBe(2);
  expect(stderr).toContain(`config.json:6) matches its example "git log"`);
});

test('policy lint finds dead, wide and misspelt rows: exit 1', async () => {
  const at = here('{"permission":{"bash":{"git *":"deny","*":"allow"},"raed_file":"ask"}}');
  const { exit, stdout } = await at.run(['policy', 'lint', '--json']);
  expect(exit).toBe(1);
  const kinds = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).kind);
  expect(kinds).toEqual(['dead', 'wide', 'unknown']);
  expect((await here().run(['policy', 'lint'])).stdout).toBe('2 rows, nothing to say about them.\n');
});

test('policy log shows every decided call and verifies the chain', async () => {
  const at = here();
  await at.run(['call', 'read_file', '{"path":"a.txt"}']);
  await at.run(['call', 'read_file', '{"path":".env"}']);
  const { exit, stdout } = await at.run(['policy', 'log']);
  expect(exit).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain('read_file');
  expect(lines[1]).toContain('denied');
  expect(lines[2]).toMatch(/^2 records, chain unbroken, head [0-9a-f]{16}$/);
  const [file] = readdirSync(join(at.home, 'audit')).filter((name) => name.endsWith('.jsonl'));
  const path = join(at.home, 'audit', file!);
  writeFileSync(path, readFileSync(path, 'utf8').replace('a.txt', 'b.txt'));
  const broken = await at.run(['policy', 'log']);
  expect(broken.exit).toBe(1);
  expect(broken.stdout).toContain('CHAIN BROKEN');
});

test('policy grants lists what is stored for this workspace, revoke takes it back', async () => {
  const at = here();
  const elsewhere = place(tempFolder());
  expect((await at.run(['policy', 'grants'])).stdout).toBe('No grants are stored for this workspace.\n');
  const grants = createGrants({ store: openGrantStore(grantsFile(at.home, openRoot(at.root))), now: () => 0 });
  const [log, npm] = [
    grants.add({ tool: 'bash', pattern: 'ls *', stored: true }),
    grants.add({ tool: 'bash', pattern: 'npm test *', uses: 1, stored: true }),
  ];
  expect((await at.run(['policy', 'grants'])).stdout).toBe(
    `${log.id}  bash ls *\n${npm.id}  bash npm test *  (once more)\n`,
  );
  expect((await at.run(['call', 'bash', '{"command":"ls -a"}'])).exit).toBe(0);
  expect((await elsewhere.run(['call', 'bash', '{"command":"ls -a"}'])).exit).toBe(3);
  expect(JSON.parse((await at.run(['policy', 'revoke', log.id, '--json'])).stdout)).toEqual({ revoked: [log.id] });
  expect((await at.run(['call', 'bash', '{"command":"ls -a"}'])).exit).toBe(3);
  const wrong = await at.run(['policy', 'revoke', 'sx']);
  expect([wrong.exit, wrong.stderr]).toEqual([
    2,
    `benchdog: unknown grant "sx". Valid: ${npm.id}, all.\nSee benchdog --help.\n`,
  ]);
  expect((await at.run(['policy', 'revoke', 'all'])).stdout).toBe('One grant was revoked.\n');
  expect((await at.run(['policy', 'grants', '--json'])).stdout).toBe('');
});

test.each<[string, object]>([
  ['y', { type: 'once' }],
  ['YES', { type: 'once' }],
  ['a', { type: 'always', pattern: 'git log *' }],
  ['a 5', { type: 'always', pattern: 'git log *', uses: 5 }],
  ['a 3x', { type: 'always', pattern: 'git log *', uses: 3 }],
  ['a 10m', { type: 'always', pattern: 'git log *', minutes: 10 }],
  ['a!', { type: 'always', pattern: 'git log *', stored: true }],
  ['a! 5 git log -1', { type: 'always', pattern: 'git log -1', uses: 5, stored: true }],
  ['a git log --oneline *', { type: 'always', pattern: 'git log --oneline *' }],
  ['n', { type: 'no' }],
  ['', { type: 'no' }],
  ['always', { type: 'no' }],
  ['ab', { type: 'no' }],
])('at the terminal %j answers', (line, answer) => {
  expect(answerOf(line, 'git log *')).toEqual(answer);
  if (line.startsWith('a')) expect(answerOf(line, undefined)).toEqual({ type: 'no' });
});
