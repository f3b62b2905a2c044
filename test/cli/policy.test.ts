import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
