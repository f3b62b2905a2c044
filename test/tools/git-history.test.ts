import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitBlame } from '../../src/tools/git-blame.ts';
import { gitLog } from '../../src/tools/git-log.ts';
import { gitShow } from '../../src/tools/git-show.ts';
import { tempFolder } from '../support/folders.ts';
import { repository, sh } from '../support/repository.ts';
import { type CallOptions, callTool } from '../support/tool-call.ts';

const log = (root: string, args: object = {}) => callTool(gitLog(), args, { root });
const show = (root: string, ref: string, more: Partial<CallOptions> = {}) =>
  callTool(gitShow(), { ref }, { root, ...more });
const blame = (root: string, args: object, more: Partial<CallOptions> = {}) =>
  callTool(gitBlame(), args, { root, ...more });
const hash = (root: string, ref = 'HEAD', length = 40) => sh(root, `git rev-parse --short=${length} ${ref}`).trim();

describe('git_log', () => {
  test('hash, date, author, subject; newest first', async () => {
    const root = repository({ a: '1\n' }, "echo 2 > a; git commit -qam 'second: “quoted” | piped'");
    const short = (ref: string) => sh(root, `git rev-parse --short ${ref}`).trim();
    expect((await log(root)).text).toBe(
      `${short('HEAD')} 2026-01-02 Dev: second: “quoted” | piped\n${short('HEAD~1')} 2026-01-02 Dev: first`,
    );
  });

  test('defaults to 15 commits and caps at 40', async () => {
    const root = repository({}, 'for i in $(seq 50); do git commit -q --allow-empty -m c$i; done');
    expect((await log(root)).text.split('\n')).toHaveLength(15);
    expect((await log(root, { limit: 3 })).text.split('\n')).toHaveLength(3);
    expect((await log(root, { limit: 1000 })).text.split('\n')).toHaveLength(40);
  });

  test('of one path, deleted ones too', async () => {
    const root = repository(
      { a: '1\n', b: '1\n' },
      'echo 2 > a; git commit -qam two; git rm -q b; git commit -qm three',
    );
    expect((await log(root, { path: 'a' })).text.split('\n').map((line) => line.split(': ')[1])).toEqual([
      'two',
      'first',
    ]);
    expect((await log(root, { path: 'b' })).text.split('\n').map((line) => line.split(': ')[1])).toEqual([
      'three',
      'first',
    ]);
  });

  test.each(['; touch pwned.txt', '--output=pwned.txt', '$(touch pwned.txt)', ':(exclude)a', '-O./x'])(
    'the path %j is only ever a path',
    async (path) => {
      const root = repository({ a: '1\n' });
      expect(await log(root, { path })).toMatchObject({
        code: 'missing',
        text: `No commit touches ${path}, and there is no such file.`,
      });
      expect(existsSync(join(root, 'pwned.txt'))).toBe(false);
    },
  );

  test('an author is no option of this tool', async () => {
    expect((await log(repository({}), { author: '; rm -rf /' })).code).toBe('invalid');
  });

  test('no commits yet; no repository', async () => {
    const root = tempFolder();
    expect((await log(root)).text).toBe(`${root} is not a git repository.`);
    sh(root, 'git init -q .');
    expect((await log(root)).text).toBe('No commits yet.');
  });

  test('a bare repository', async () => {
    const root = repository({ a: '1\n' });
    expect((await log(join(root, '.git'))).text).toMatch(/^[0-9a-f]+ 2026-01-02 Dev: first$/);
  });
});

describe('git_show', () => {
  test('message, author and diff of one commit', async () => {
    const root = repository({ a: '1\n' }, "echo 2 > a; git commit -qam $'Subject\\n\\nBody line'");
    expect((await show(root, 'HEAD')).text).toBe(
      [
        `commit ${hash(root)}`,
        'Author: Dev <dev@example.test>',
        'Date:   2026-01-02T03:04:05+00:00',
        '',
        '    Subject',
        '',
        '    Body line',
        '',
        'diff --git a/a b/a',
        'index d00491f..0cfbf08 100644',
        '--- a/a',
        '+++ b/a',
        '@@ -1 +1 @@',
        '-1',
        '+2',
      ].join('\n'),
    );
  });

  test('the first commit, an annotated tag, a merge', async () => {
    const root = repository(
      { a: '1\n' },
      'git tag -a v1 -m tagged; git checkout -q -b other; echo b > b; git add b; git commit -qm side; git checkout -q main; echo 2 > a; git commit -qam two; git merge -q --no-edit other',
    );
    expect((await show(root, 'v1')).text).toContain('new file mode 100644');
    const { text } = await show(root, 'HEAD');
    expect(text).toContain(`Merge:  ${hash(root, 'HEAD^1')} ${hash(root, 'HEAD^2')} (diff against the first)`);
    expect(text).toContain('+++ b/b\n@@ -0,0 +1 @@\n+b');
  });

  test('of one path: only its part of the diff, and never a denied one', async () => {
    const root = repository(
      { a: '1\n', 'b c': '1\n', '.env': 'A=zzz-secret\n' },
      'echo 2 > "b c"; git commit -qam two',
    );
    const of = (ref: string, path: string, more = {}) => callTool(gitShow(), { ref, path }, { root, ...more });
    const first = (await of('HEAD~1', 'a')).text;
    expect(first).toContain('+++ b/a\n@@ -0,0 +1 @@\n+1');
    expect(first).not.toContain('b c');
    expect((await of('HEAD', 'b c')).text).toContain('-1\n+2');
    expect((await of('HEAD', 'a')).text).toMatch(/\n {4}two\n\nThis commit does not touch a\.$/);
    expect((await of('HEAD', ':(exclude)a')).text).toMatch(/This commit does not touch :\(exclude\)a\.$/);
    expect((await of('HEAD', '../x')).code).toBe('outside');
    const hidden = await of('HEAD~1', '.env', { visible: ({ rel }: { rel: string }) => rel !== '.env' });
    expect(hidden.text).not.toContain('zzz-secret');
    expect(hidden.text).toContain('note: left out (reading is denied, or it leads out of the workspace): .env');
  });

  test('an unknown ref: what git says of it', async () => {
    expect(await show(repository({}), 'no-such-ref')).toMatchObject({
      code: 'failed',
      text: "fatal: bad revision 'no-such-ref'",
    });
  });

  test.each(['--output=pwned.txt', '-O./x', '-', '^HEAD', '', ' ', 'a\nb'])('the ref %j is refused', async (ref) => {
    const root = repository({ a: '1\n' });
    expect((await show(root, ref)).code).toBe('invalid');
    expect(existsSync(join(root, 'pwned.txt'))).toBe(false);
  });

  test('a file in a commit is no commit: nothing is read past the rules', async () => {
    const root = repository({ '.env': 'A=zzz-secret\n' });
    for (const ref of ['HEAD:.env', 'HEAD^{tree}', ':.env', ':/first:.env']) {
      const { text, code } = await show(root, ref);
      expect(code).toBe('failed');
      expect(text).not.toContain('zzz-secret');
    }
  });

  test('denied files are left out with a note, under old names too', async () => {
    const root = repository({ '.env': 'A=zzz-secret\n', a: '1\n' }, 'git mv .env notes; git commit -qm renamed');
    const visible: CallOptions['visible'] = (path) => !path.rel.endsWith('.env');
    const { text } = await show(root, 'HEAD~1', { visible });
    expect(text).not.toContain('zzz-secret');
    expect(text).toMatch(
      /\+\+\+ b\/a\n[\s\S]*\nnote: left out \(reading is denied, or it leads out of the workspace\): \.env$/,
    );
  });
});

describe('git_blame', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('');

  test('the whole file without a range; what is not committed is said', async () => {
    const root = repository({ a: 'one\ntwo\n' }, 'echo three >> a');
    const short = hash(root, 'HEAD', 8);
    expect((await blame(root, { path: 'a' })).text).toMatch(
      new RegExp(`^${short} 2026-01-02 Dev 1: one\\n${short} 2026-01-02 Dev 2: two\\nuncommitted .* 3: three$`),
    );
  });

  test('startLine without endLine covers 40 lines', async () => {
    const root = repository({ a: lines(100) });
    const shown = (await blame(root, { path: 'a', startLine: 11 })).text.split('\n');
    expect(shown).toHaveLength(40);
    expect(shown[0]).toMatch(/ 11: line 11$/);
    expect(shown.at(-1)).toMatch(/ 50: line 50$/);
    expect((await blame(root, { path: 'a', startLine: 90 })).text.split('\n')).toHaveLength(11);
    expect((await blame(root, { path: 'a', startLine: 5, endLine: 6 })).text.split('\n')).toHaveLength(2);
    expect((await blame(root, { path: 'a', endLine: 2 })).text.split('\n')).toHaveLength(2);
  });

  test('a range that makes no sense', async () => {
    const root = repository({ a: lines(3) });
    expect((await blame(root, { path: 'a', startLine: 3, endLine: 2 })).code).toBe('invalid');
    expect((await blame(root, { path: 'a', startLine: 9 })).text).toBe('fatal: file a has only 3 lines');
  });

  test('names with blanks, a dash, not ASCII', async () => {
    const root = repository({ 'a b': '1\n', '-x': '1\n', 'ü.txt': '1\n' });
    for (const path of ['a b', '-x', 'ü.txt']) expect((await blame(root, { path })).text).toMatch(/ Dev 1: 1$/);
  });

  test('a denied file, an unknown file, an empty file', async () => {
    const root = repository({ '.env': 'A=zzz-secret\n', e: '' });
    expect((await blame(root, { path: '.env' }, { visible: () => false })).code).toBe('denied');
    expect((await blame(root, { path: 'nope' })).text).toBe("fatal: no such path 'nope' in HEAD");
    expect((await blame(root, { path: 'e' })).text).toBe('e is empty.');
  });

  test('is capped, and says where to go on', async () => {
    const root = repository({ a: lines(2000) });
    const { text } = await blame(root, { path: 'a' });
    expect(text.length).toBeLessThanOrEqual(30_000);
    const next = Number(/Continue with startLine (\d+)\.$/.exec(text)?.[1]);
    expect(text).toContain(` ${next - 1}: line ${next - 1}\n`);
  });
});
