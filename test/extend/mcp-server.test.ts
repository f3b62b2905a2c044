import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineTool } from '../../src/tool/tool.ts';
import { tempFolder } from '../support/folders.ts';
import { eras, joined, openApp, textOf } from './mcp-support.ts';

describe.each(eras)('a client of %s', (era) => {
  test('is told who serves what, and which tools change things', async () => {
    const client = await joined(await openApp(tempFolder()), { era });
    expect(client.getServerVersion()).toMatchObject({ name: 'benchdog', version: '1.2.3' });
    expect(client.getInstructions()).toBe('For tests.');
    const { tools } = await client.listTools();
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints.git_status).toEqual({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
    expect(hints.write_file).toEqual({ readOnlyHint: false, destructiveHint: true, openWorldHint: false });
    expect(hints.bash).toEqual({ readOnlyHint: false, destructiveHint: true, openWorldHint: true });
    for (const tool of tools) expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
  });

  test('gets text for an answer, and text with an object for a change', async () => {
    const root = tempFolder({ 'a.txt': 'one\n' });
    const client = await joined(await openApp(root, { approve: 'edits' }), { era });
    const result = await client.callTool({ name: 'write_file', arguments: { path: 'a.txt', content: 'two\n' } });
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toEqual({
      ok: true,
      text: textOf(result),
      changes: [{ type: 'modify', path: 'a.txt', added: 1, removed: 1 }],
    });
    const status = await client.callTool({ name: 'git_status', arguments: {} });
    expect(status.structuredContent === undefined || status.isError).toBeTruthy();
  });

  test('gets an error flagged as one, with its code', async () => {
    const client = await joined(await openApp(tempFolder()), { era });
    const result = await client.callTool({ name: 'write_file', arguments: { path: 'a', content: 'x', mode: 7 } });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toEqual({ ok: false, code: 'invalid', text: textOf(result) });
    expect(textOf(result)).toBe(
      'invalid write_file arguments: json: unknown field "mode". Expected: {"path": string, "content": string}',
    );
  });

  test('learns the names when it calls a tool that does not exist', async () => {
    const client = await joined(await openApp(tempFolder()), { era });
    await expect(client.callTool({ name: 'write_fil', arguments: {} })).rejects.toThrow(
      /There is no tool named "write_fil". The tools are: .*write_file/,
    );
  });

  test('without elicitation is denied, clearly, and nothing is written', async () => {
    const root = tempFolder();
    const client = await joined(await openApp(root), { era });
    const result = await client.callTool({ name: 'write_file', arguments: { path: 'a.txt', content: 'x' } });
    expect(result).toMatchObject({ isError: true, structuredContent: { ok: false, code: 'denied' } });
    expect(textOf(result)).toBe(
      'write_file a.txt needs approval (default: write_file is asked) and nobody could be asked. Nothing was done. ' +
        "Whoever starts this can allow it with --allow 'write_file:a.txt'.",
    );
    expect(existsSync(join(root, 'a.txt'))).toBe(false);
  });

  test('sees the exact change, and what it accepts is what is written', async () => {
    const root = tempFolder({ 'a.txt': 'one\ntwo\nthree\n' });
    const messages: string[] = [];
    const reply = (message: string) => {
      messages.push(message);
      return { action: 'accept', content: {} } as const;
    };
    const client = await joined(await openApp(root), { era, reply });
    const edit = { path: 'a.txt', oldString: 'two', newString: 'zwei' };
    const result = await client.callTool({ name: 'edit_file', arguments: edit });
    expect(result.structuredContent).toMatchObject({ ok: true, changes: [{ type: 'modify', path: 'a.txt' }] });
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\nzwei\nthree\n');
    expect(messages).toEqual([
      [
        'edit_file wants to change files (default: edit_file is asked).',
        'Accept to let it, decline to refuse.',
        '',
        'diff --git a/a.txt b/a.txt',
        '--- a/a.txt',
        '+++ b/a.txt',
        '@@ -1,3 +1,3 @@',
        ' one',
        '-two',
        '+zwei',
        ' three',
        '',
      ].join('\n'),
    ]);
  });

  test.each(['decline', 'cancel'] as const)('that answers %s gets a refusal', async (action) => {
    const root = tempFolder();
    const client = await joined(await openApp(root), { era, reply: () => ({ action }) });
    const result = await client.callTool({ name: 'write_file', arguments: { path: 'a.txt', content: 'x' } });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'denied' } });
    expect(textOf(result)).toBe(
      'The user declined write_file. Nothing was done. Ask what to do instead, or go another way.',
    );
    expect(existsSync(join(root, 'a.txt'))).toBe(false);
  });

  test('is asked again when the file changed while it looked at the form', async () => {
    const root = tempFolder({ 'a.txt': 'one\ntwo\n' });
    const messages: string[] = [];
    const reply = (message: string) => {
      if (messages.push(message) === 1) writeFileSync(join(root, 'a.txt'), 'one!\ntwo\n');
      return { action: 'accept', content: {} } as const;
    };
    const client = await joined(await openApp(root), { era, reply });
    const edit = { path: 'a.txt', oldString: 'two', newString: 'zwei' };
    const result = await client.callTool({ name: 'edit_file', arguments: edit });
    expect(result.isError).toBeUndefined();
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one!\nzwei\n');
    expect(messages).toHaveLength(2);
    expect(messages[1]).toMatch(/^This is not what you were shown before: something changed meanwhile\./);
    expect(messages[1]).toContain(' one!\n-two\n+zwei\n');
  });

  test('is asked again when only bytes changed that a diff does not show', async () => {
    const root = tempFolder({ 'a.txt': `one\n${'.\n'.repeat(50)}two\n` });
    let asked = 0;
    const reply = () => {
      asked += 1;
      if (asked === 1) writeFileSync(join(root, 'a.txt'), `ONE\n${'.\n'.repeat(50)}two\n`);
      return { action: 'accept', content: {} } as const;
    };
    const client = await joined(await openApp(root), { era, reply });
    await client.callTool({ name: 'edit_file', arguments: { path: 'a.txt', oldString: 'two', newString: 'zwei' } });
    expect(asked).toBe(2);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(`ONE\n${'.\n'.repeat(50)}zwei\n`);
  });

  test('sees a command without the characters that would hide or rewrite it', async () => {
    const messages: string[] = [];
    const reply = (message: string) => {
      messages.push(message);
      return { action: 'decline' } as const;
    };
    const client = await joined(await openApp(tempFolder()), { era, reply });
    await client.callTool({ name: 'bash', arguments: { command: 'touch x \u001b[2K\u202e# safe' } });
    expect(messages[0]).toContain('touch x \\u001b[2K\\u202e# safe');
    expect(messages[0]).not.toMatch(/[\u001b\u202e]/);
  });

  test('gets a result of several megabytes whole', async () => {
    // The dialects with a cap for every result would cut it.
    const app = await openApp(tempFolder(), { dialect: 'udiff' });
    const text = 'ä\n'.repeat(2_000_000);
    app.registry.add(giving('huge', text));
    const client = await joined(app, { era });
    expect(textOf(await client.callTool({ name: 'huge', arguments: {} })) === text).toBe(true);
  });

  test('may edit one file by many calls at once', async () => {
    const root = tempFolder({ 'a.txt': Array.from({ length: 20 }, (_, at) => `line ${at};\n`).join('') });
    const client = await joined(await openApp(root, { approve: 'edits' }), { era });
    const edit = (at: number) => ({ path: 'a.txt', oldString: `line ${at};`, newString: `LINE ${at}.` });
    const calls = Array.from({ length: 20 }, (_, at) => client.callTool({ name: 'edit_file', arguments: edit(at) }));
    const results = await Promise.all(calls);
    expect(results.filter((result) => result.isError)).toEqual([]);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(
      Array.from({ length: 20 }, (_, at) => `LINE ${at}.\n`).join(''),
    );
  });

  test('that cancels a command ends it', async () => {
    const root = tempFolder();
    const client = await joined(await openApp(root, { approve: 'all' }), { era });
    const stop = new AbortController();
    const command = 'echo started; touch started; sleep 60; touch finished';
    const call = client.callTool({ name: 'bash', arguments: { command } }, { signal: stop.signal });
    while (!existsSync(join(root, 'started'))) await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    await expect(call).rejects.toThrow();
    const after = await client.callTool({
      name: 'bash',
      arguments: { command: 'pgrep -f "touch finishe[d]" || echo none' },
    });
    expect(textOf(after)).toContain('none');
    expect(existsSync(join(root, 'finished'))).toBe(false);
  });

  test('hears how a long command goes on', async () => {
    const client = await joined(await openApp(tempFolder(), { approve: 'all' }), { era });
    const heard: (string | undefined)[] = [];
    await client.callTool(
      { name: 'bash', arguments: { command: 'echo working; sleep 0.4' } },
      { onprogress: ({ message }) => void heard.push(message) },
    );
    expect(heard).toEqual(['working']);
  });
});

test('what belongs to an agent’s turn is neither listed nor callable', async () => {
  const app = await openApp(tempFolder());
  for (const name of ['task', 'ask', 'todo_write', 'skill']) {
    app.registry.remove(name);
    app.registry.add(giving(name, 'ran'));
  }
  app.registry.add(giving('shout', 'ran'));
  const client = await joined(app);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('shout');
  for (const name of ['task', 'ask', 'todo_write', 'skill']) {
    expect(names).not.toContain(name);
    await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(`There is no tool named "${name}".`);
  }
});

test('an accepted answer can’t be sent a second time for the same call', async () => {
  const root = tempFolder();
  const app = await openApp(root);
  const client = await joined(app, { era: '2026-07-28', reply: () => ({ action: 'accept', content: {} }) });
  const call = { name: 'bash', arguments: { command: 'echo x >> log' } };
  const first = await client.callTool(call, { allowInputRequired: true });
  const { requestState } = first as unknown as { requestState: string };
  const answered = { ...call, requestState, inputResponses: { approval: { action: 'accept', content: {} } } };
  expect((await client.callTool(answered)).isError).toBeUndefined();
  const again = await client.callTool(answered, { allowInputRequired: true });
  expect(again).toMatchObject({ resultType: 'input_required' });
  expect(readFileSync(join(root, 'log'), 'utf8')).toBe('x\n');
});

test('an answer made up by the client counts for nothing', async () => {
  const root = tempFolder();
  const client = await joined(await openApp(root), { era: '2026-07-28', reply: () => ({ action: 'decline' }) });
  const result = await client.callTool({
    name: 'write_file',
    arguments: { path: 'a', content: 'x' },
    requestState: 'deadbeef',
    inputResponses: { approval: { action: 'accept', content: {} } },
  } as never);
  expect(result).toMatchObject({ isError: true });
  expect(existsSync(join(root, 'a'))).toBe(false);
});

function giving(name: string, text: string) {
  return defineTool({
    name,
    description: name,
    input: z.strictObject({}),
    readOnly: true,
    prepare: () => ({ effects: [], subject: name, plan: async () => ({ type: 'answer', text }) }),
  });
}
