import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change } from '../../src/change/change.ts';
import { renderDiff } from '../../src/change/diff.ts';
import { selectHunks } from '../../src/change/hunk-choice.ts';
import { fileState } from '../../src/workspace/file-state.ts';
import { openRoot, resolvePath } from '../../src/workspace/path.ts';
import { tempFolder } from '../support/folders.ts';
import { runs } from '../support/runs.ts';

const folder = () => {
  const at = tempFolder();
  const root = openRoot(at);
  return { at, path: (name: string) => resolvePath(root, name, 'relative') };
};

function gitApply(at: string, diff: string, ...options: string[]): void {
  execFileSync('git', ['apply', '--whitespace=nowarn', ...options, '-'], {
    cwd: at,
    input: diff,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: at, GIT_CONFIG_NOSYSTEM: '1', GIT_CEILING_DIRECTORIES: join(at, '..') },
  });
}

const line = fc.constantFrom(
  'a\n',
  'b\n',
  'c\n',
  '\n',
  'é →\n',
  'a\r\n',
  'b\r\n',
  '\r\n',
  '\tx  \n',
  '-- a\n',
  '++ b\n',
  '@@ -1 +1 @@\n',
  'last',
  '\r',
  '\ufeffa\n',
);
const content = fc.array(line, { maxLength: 25 }).map((parts) => Buffer.from(parts.join('')));

test('git apply makes exactly the new bytes of the rendered diff', () => {
  const { at, path } = folder();
  // Many files in one run: starting git costs more than the rest.
  const files = fc.array(fc.tuple(content, content), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(files, fc.integer({ min: 1, max: 4 }), (pairs, context) => {
      const changes = pairs
        .filter(([before, after]) => !before.equals(after))
        .map(([before, after], i): Change => {
          writeFileSync(join(at, `f${i}.txt`), before);
          return { type: 'modify', path: path(`f${i}.txt`), before: fileState(before), after: fileState(after) };
        });
      gitApply(at, renderDiff(changes, { context }));
      for (const { path, after } of changes as (Change & { type: 'modify' })[]) {
        expect(readFileSync(path.abs)).toEqual(after.bytes);
      }
    }),
    runs(20),
  );
});

test('any chosen hunks make a diff that git applies to the same bytes, and all of them make the whole change', () => {
  const { at, path } = folder();
  const target = path('g.txt');
  const many = fc.array(line, { minLength: 10, maxLength: 60 }).map((parts) => Buffer.from(parts.join('')));
  fc.assert(
    fc.property(
      many,
      fc.array(fc.nat(59), { minLength: 1, maxLength: 4 }),
      fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      (before, places, taken) => {
        const lines = before.toString().split(/(?<=\n)/);
        for (const place of places) lines[place % lines.length] = 'changed\n';
        const after = Buffer.from(lines.join(''));
        fc.pre(!before.equals(after));
        const change: Change = { type: 'modify', path: target, before: fileState(before), after: fileState(after) };
        const all = selectHunks([change], []).dropped;
        expect(selectHunks([change], all)).toEqual({ changes: [change], dropped: [] });
        const chosen = selectHunks(
          [change],
          all.filter((_, i) => taken[i % taken.length]),
        ).changes;
        writeFileSync(join(at, 'g.txt'), before);
        if (chosen.length === 0) return;
        gitApply(at, renderDiff(chosen));
        const [only] = chosen;
        expect(readFileSync(join(at, 'g.txt'))).toEqual(only?.type === 'modify' ? only.after.bytes : before);
      },
    ),
    runs(40),
  );
});

test('creates, deletes, renames, modes, links and odd names apply as git has them', () => {
  const { at, path } = folder();
  const names = [
    'plain.txt',
    'my notes.txt',
    'größe.md',
    'quote".txt',
    'tab\there.txt',
    'back\\slash.txt',
    'new\nline.txt',
  ];
  const bytes = Buffer.from('one\ntwo\n');
  const changes: Change[] = names.map((name) => {
    writeFileSync(join(at, name), bytes);
    return {
      type: 'modify',
      path: path(name),
      before: fileState(bytes),
      after: fileState(Buffer.from(`one\n${'é'}\n`)),
    };
  });
  for (const name of ['gone.txt', 'old name.txt', 'moved.txt', 'script.sh', 'empty-gone.txt', 'becomes-link.txt']) {
    writeFileSync(join(at, name), name.startsWith('empty') ? '' : bytes);
  }
  const link = { kind: 'symlink' as const, bytes: Buffer.from('plain.txt'), mode: 0o777, digest: '' };
  changes.push(
    { type: 'create', path: path('sub/new.txt'), after: fileState(Buffer.from('no newline')) },
    { type: 'create', path: path('empty.txt'), after: fileState(Buffer.alloc(0)) },
    { type: 'create', path: path('run.sh'), after: fileState(bytes, 0o755) },
    { type: 'delete', path: path('gone.txt'), before: fileState(bytes) },
    { type: 'delete', path: path('empty-gone.txt'), before: fileState(Buffer.alloc(0)) },
    {
      type: 'rename',
      path: path('old name.txt'),
      to: path('näme.txt'),
      before: fileState(bytes),
      after: fileState(bytes),
    },
    {
      type: 'rename',
      path: path('moved.txt'),
      to: path('deep/moved.txt'),
      before: fileState(bytes),
      after: fileState(Buffer.from('one\nTWO\n')),
    },
    { type: 'modify', path: path('script.sh'), before: fileState(bytes), after: fileState(bytes, 0o755) },
    { type: 'create', path: path('link'), after: link },
    { type: 'modify', path: path('becomes-link.txt'), before: fileState(bytes), after: link },
  );
  gitApply(at, renderDiff(changes));
  for (const name of names) expect(readFileSync(join(at, name), 'utf8')).toBe('one\né\n');
  expect(readFileSync(join(at, 'sub/new.txt'), 'utf8')).toBe('no newline');
  expect(readFileSync(join(at, 'empty.txt'))).toEqual(Buffer.alloc(0));
  expect([lstatSync(join(at, 'run.sh')).mode & 0o111, lstatSync(join(at, 'script.sh')).mode & 0o111]).not.toContain(0);
  expect(
    ['gone.txt', 'empty-gone.txt', 'old name.txt', 'moved.txt'].filter((name) => existsSync(join(at, name))),
  ).toEqual([]);
  expect(readFileSync(join(at, 'näme.txt'))).toEqual(bytes);
  expect(readFileSync(join(at, 'deep/moved.txt'), 'utf8')).toBe('one\nTWO\n');
  expect([readlinkSync(join(at, 'link')), readlinkSync(join(at, 'becomes-link.txt'))]).toEqual([
    'plain.txt',
    'plain.txt',
  ]);
});

test('the same headers and hunks as git diff', () => {
  const { at, path } = folder();
  const before = Buffer.from(Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join(''));
  const after = Buffer.from(
    before.toString().replace('line 3\n', 'LINE 3\n').replace('line 30\n', '').replace('line 39\n', 'line 39'),
  );
  writeFileSync(join(at, 'a b.txt'), before);
  writeFileSync(join(at, 'after'), after);
  const run = (...args: string[]) => {
    try {
      return execFileSync('git', args, { cwd: at, encoding: 'utf8' });
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  };
  const theirs = run('diff', '--no-index', '--no-color', 'a b.txt', 'after')
    .replace(/^index .*\n/m, '')
    .replace('b/after\n---', 'b/a b.txt\n---')
    .replace('+++ b/after', '+++ b/a b.txt\t')
    .replace(/^(@@ .* @@).*$/gm, '$1');
  expect(
    renderDiff([{ type: 'modify', path: path('a b.txt'), before: fileState(before), after: fileState(after) }]),
  ).toBe(theirs);
  rmSync(join(at, 'after'));
});
