import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { nobody } from '../../src/gate/approver.ts';
import { tempFolder } from '../support/folders.ts';

/** Somebody works on the very folder that holds their settings. */
async function atHome(root: string, flags = {}) {
  const env = { ...process.env, BENCHDOG_HOME: join(root, 'dog') };
  return createApp({ flags: { root, yolo: true, ...flags }, env, approver: nobody, session: 'test' });
}

const files = {
  'dog/config.json': '{}',
  'dog/keys.json': '{"https://a.b":"key-of-somebody"}',
  'dog/grants/x.jsonl': '',
  'a.txt': 'key-of-nobody\n',
};

describe('settings, keys, grants and logs are out of reach, also under --approve all', () => {
  test.each<[string, object]>([
    ['write_file', { path: 'dog/grants/y.jsonl', content: '{}' }],
    ['write_file', { path: 'dog/config.json', content: '{"trustedFolders":["/"]}' }],
    ['delete_file', { path: 'dog/audit/x.jsonl' }],
    ['read_file', { path: 'dog/keys.json' }],
    ['bash', { command: 'cat dog/keys.json' }],
    ['bash', { command: 'cd dog && echo {} > config.json' }],
    ['bash', { command: 'D=dog; cp a.txt $D/config.json' }],
    ['bash', { command: 'rm dog/audit/x.jsonl' }],
  ])('%s %j', async (tool, args) => {
    const app = await atHome(tempFolder(files));
    const { verdict } = await app.gate.judge({ tool, args });
    expect([verdict.decision, verdict.by]).toEqual(['deny', 'built-in: own files']);
    await app.close();
  });

  test('outside the workspace too, and no search shows them', async () => {
    const app = await atHome(tempFolder(files));
    const found = await app.gate.call({ id: '1', tool: 'grep', args: { pattern: 'key-of' } });
    expect(found.text).toContain('a.txt');
    expect(found.text).not.toContain('keys.json');
    const command = `cat ${join(app.home.config, 'keys.json')}`;
    await app.close();
    const root = tempFolder({});
    const env = { ...process.env, BENCHDOG_HOME: app.home.config };
    const elsewhere = await createApp({ flags: { root, yolo: true }, env, approver: nobody, session: 'test' });
    expect((await elsewhere.gate.judge({ tool: 'bash', args: { command } })).verdict.by).toBe('built-in: own files');
    await elsewhere.close();
  });
});

describe('the files that the rules of a session come from', () => {
  test.each([
    ['write_file', { path: 'rules.json', content: '{}' }],
    ['delete_file', { path: 'rules.json' }],
    ['bash', { command: 'echo {} > rules.json' }],
    ['bash', { command: 'mv rules.json old.json' }],
  ])('are changed by nobody but the user: %s %j', async (tool, args) => {
    const root = tempFolder({ 'rules.json': '{}' });
    const home = tempFolder({});
    const app = await createApp({
      flags: { root, config: join(root, 'rules.json'), approve: 'all' },
      env: { ...process.env, BENCHDOG_HOME: home },
      session: 's',
      approver: nobody,
    });
    const result = await app.gate.call({ id: '1', tool, args });
    expect(result).toMatchObject({ ok: false, code: 'denied' });
    expect(result.text).toContain('is denied by built-in: settings');
    expect(await app.gate.call({ id: '2', tool: 'read_file', args: { path: 'rules.json' } })).toMatchObject({
      ok: true,
    });
    await app.close();
  });
});
