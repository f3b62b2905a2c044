import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../../src/base/error.ts';
import { openRoot, type PathStyle, resolvePath } from '../../src/workspace/path.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from '../support/folders.ts';
import { runs } from '../support/runs.ts';

/** A workspace `ws` beside a folder `outside` that holds a secret. */
function scratch(files: Record<string, string> = {}): { ws: string; out: string } {
  const top = tempFolder({ 'outside/secret.txt': 'zzz-secret\n' });
  const ws = join(top, 'ws');
  mkdirSync(ws);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(ws, name)), { recursive: true });
    writeFileSync(join(ws, name), content);
  }
  return { ws, out: join(top, 'outside') };
}

function relOf(ws: string, text: string, style: PathStyle = 'relative'): string {
  return resolvePath(openRoot(ws), text, style).rel;
}

function refusal(ws: string, text: string, style: PathStyle = 'relative'): { code: string; text: string } {
  try {
    const path = resolvePath(openRoot(ws), text, style);
    return { code: 'ok', text: path.rel };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { code: error.code, text: error.message };
  }
}

describe('the text of a path', () => {
  it.each(['', ' ', '\t\n'])('refuses blank text %j', (text) => {
    expect(refusal(scratch().ws, text)).toEqual({
      code: 'invalid',
      text: 'path is required: send the path of a file.',
    });
  });

  it('refuses NUL, half a surrogate pair and over-long text', () => {
    const { ws } = scratch();
    expect(refusal(ws, 'a\0b').text).toBe('path holds a NUL character, which no file name can.');
    expect(refusal(ws, 'a\ud800b').text).toBe('path holds half a surrogate pair: not valid text.');
    expect(refusal(ws, 'é'.repeat(2049)).text).toBe('path is too long: 4098 bytes, at most 4096.');
    expect(refusal(ws, `${'a/'.repeat(2047)}bb`).code).toBe('ok');
  });

  it('takes names that begin with two dots, dots alone in threes, blanks and brackets as names', () => {
    const { ws } = scratch();
    for (const name of ['..foo', '..foo/bar', '...', 'a/...', ' a', 'src/app/[id]/page.tsx', '~', '-rf', 'a\\b']) {
      expect(relOf(ws, name)).toBe(name);
    }
  });

  it.each([
    ['.', '.'],
    ['./', '.'],
    ['a/..', '.'],
    ['a/', 'a'],
    ['a//b///c', 'a/b/c'],
    ['./a/./b/../c', 'a/c'],
  ])('cleans %j to %j', (text, rel) => {
    expect(relOf(scratch().ws, text)).toBe(rel);
  });
});

describe('the three styles', () => {
  const { root } = { root: '/etc/passwd' };

  it.each(['../outside/secret.txt', '../../etc/passwd', 'a/../../secret', '..', 'a/../..', '/etc/passwd', '/'])(
    'relative: %s is outside',
    (text) => {
      expect(refusal(scratch().ws, text)).toEqual({ code: 'outside', text: `path is outside the workspace: ${text}` });
    },
  );

  it('relative takes an absolute path inside the workspace', () => {
    const { ws } = scratch({ 'src/a.ts': '' });
    expect(relOf(ws, join(ws, 'src/a.ts'))).toBe('src/a.ts');
    expect(relOf(ws, ws)).toBe('.');
    expect(relOf(ws, `${ws}/`)).toBe('.');
  });

  it('rooted joins an absolute path under the root', () => {
    const { ws } = scratch();
    expect(relOf(ws, root, 'rooted')).toBe('etc/passwd');
    expect(relOf(ws, '/', 'rooted')).toBe('.');
    expect(relOf(ws, 'src/a.ts', 'rooted')).toBe('src/a.ts');
    expect(refusal(ws, '/../outside/secret.txt', 'rooted').code).toBe('outside');
  });

  it('absolute refuses a relative path and shows the right one', () => {
    const { ws } = scratch();
    expect(refusal(ws, 'src/a.ts', 'absolute')).toEqual({
      code: 'invalid',
      text: `path must be absolute, got "src/a.ts". Put the workspace root in front: ${join(ws, 'src/a.ts')}`,
    });
    expect(relOf(ws, join(ws, 'src/a.ts'), 'absolute')).toBe('src/a.ts');
    expect(refusal(ws, '/etc/passwd', 'absolute').code).toBe('outside');
  });

  it('with the root / every absolute path is inside', () => {
    expect(relOf('/', '/etc/passwd', 'absolute')).toBe('etc/passwd');
    expect(relOf('/', '/', 'absolute')).toBe('.');
    expect(relOf('/', '/../..', 'absolute')).toBe('.');
  });
});

describe('B106: a sibling that shares the root name as prefix', () => {
  it.each<PathStyle>(['relative', 'absolute'])('is outside (%s)', (style) => {
    const { ws } = scratch();
    mkdirSync(`${ws}-secret`);
    writeFileSync(`${ws}-secret/k.txt`, 'zzz-secret\n');
    expect(refusal(ws, join(`${ws}-secret`, 'k.txt'), style).code).toBe('outside');
    if (style === 'relative') expect(refusal(ws, `../${basename(ws)}-secret/k.txt`).code).toBe('outside');
  });
});

describe('links', () => {
  it('refuses a link to outside, to a file and to a folder, at the end and in the middle', () => {
    const { ws, out } = scratch();
    symlinkSync('../outside', join(ws, 'door'));
    symlinkSync(join(out, 'secret.txt'), join(ws, 'one'));
    for (const text of ['door', 'door/secret.txt', 'door/new/deep.txt', 'one']) {
      expect(refusal(ws, text)).toEqual({ code: 'outside', text: `path is outside the workspace: ${text}` });
    }
  });

  it('follows chains inside and judges their end', () => {
    const { ws } = scratch({ 'real/a.txt': 'a' });
    symlinkSync('real', join(ws, 'l1'));
    symlinkSync('l1', join(ws, 'l2'));
    symlinkSync(join(ws, 'l2', 'a.txt'), join(ws, 'l3'));
    expect(relOf(ws, 'l3')).toBe('real/a.txt');
    expect(resolvePath(openRoot(ws), 'l2/a.txt', 'relative')).toMatchObject({ rel: 'real/a.txt', given: 'l2/a.txt' });
  });

  it('judges a dangling link by where it would lead', () => {
    const { ws } = scratch();
    symlinkSync('../outside/new.txt', join(ws, 'out'));
    symlinkSync('not/yet.txt', join(ws, 'in'));
    expect(refusal(ws, 'out').code).toBe('outside');
    expect(relOf(ws, 'in')).toBe('not/yet.txt');
  });

  it('takes `..` in a link target from where the link really leads', () => {
    const { ws } = scratch({ 'deep/er/x.txt': '' });
    symlinkSync('deep/er', join(ws, 'hop'));
    symlinkSync('hop/../x.txt', join(ws, 'up'));
    // A lexical reading would say x.txt.
    expect(relOf(ws, 'up')).toBe('deep/x.txt');
    symlinkSync('deep/er/../../../outside/secret.txt', join(ws, 'away'));
    expect(refusal(ws, 'away').code).toBe('outside');
  });

  it('accepts a link that leaves and comes back', () => {
    const { ws, out } = scratch({ 'a.txt': '' });
    symlinkSync(join(ws, 'a.txt'), join(out, 'back'));
    symlinkSync('../outside/back', join(ws, 'round'));
    expect(relOf(ws, 'round')).toBe('a.txt');
  });

  it('ends at a loop', () => {
    const { ws } = scratch();
    symlinkSync('b', join(ws, 'a'));
    symlinkSync('a', join(ws, 'b'));
    symlinkSync('self', join(ws, 'self'));
    const text = 'a goes through more than 40 symbolic links, or through a loop.';
    expect(refusal(ws, 'a')).toEqual({ code: 'conflict', text });
    expect(refusal(ws, 'self/x').code).toBe('conflict');
  });

  it('opens a root that is itself a link, by both names', () => {
    const { ws, out } = scratch({ 'a.txt': '' });
    const link = join(dirname(out), 'link');
    symlinkSync('ws', link);
    expect(relOf(link, 'a.txt')).toBe('a.txt');
    expect(relOf(link, join(link, 'a.txt'), 'absolute')).toBe('a.txt');
    expect(relOf(link, join(ws, 'a.txt'), 'absolute')).toBe('a.txt');
    expect(refusal(link, join(dirname(out), 'outside/secret.txt'), 'absolute').code).toBe('outside');
  });

  it('does not take the spelled root for the inside once it is another folder', () => {
    const { ws, out } = scratch();
    const link = join(dirname(out), 'link');
    symlinkSync('ws', link);
    const root = openRoot(link);
    execFileSync('bash', ['-c', 'rm link && mkdir link && echo zzz-secret > link/s.txt', '--'], { cwd: dirname(out) });
    symlinkSync('../link/s.txt', join(ws, 'door'));
    expect(() => resolvePath(root, 'door', 'relative')).toThrow('path is outside the workspace: door');
  });
});

describe('roots', () => {
  it('must be a folder that exists', () => {
    const { ws } = scratch({ file: '' });
    expect(() => openRoot(join(ws, 'gone'))).toThrow(`The workspace folder ${join(ws, 'gone')} does not exist.`);
    expect(() => openRoot(join(ws, 'file'))).toThrow(`${join(ws, 'file')} is not a directory.`);
  });

  it('tells when it is gone', async () => {
    const { ws } = scratch({ 'a.txt': '' });
    const workspace = openWorkspace({ root: ws });
    execFileSync('mv', [ws, `${ws}-moved`]);

    await expect(workspace.read(workspace.resolve('a.txt'))).rejects.toMatchObject({
      code: 'missing',
      message: `The workspace folder ${ws} is gone. Nothing in it can be read or written.`,
    });
  });
});

describe('random paths over random trees', () => {
  const name = fc.constantFrom('a', 'b', 'c', '..foo', 'd');
  const target = fc.array(fc.constantFrom('a', 'b', 'c', '..', '.', 'd', '..foo'), { minLength: 1, maxLength: 5 });
  const node = fc.record({
    at: fc.array(name, { minLength: 1, maxLength: 3 }),
    link: fc.option(fc.record({ absolute: fc.constantFrom('no', 'ws', 'top'), to: target })),
  });

  it('agree with realpath on where they lead and refuse exactly what leads out', () => {
    fc.assert(
      fc.property(
        fc.array(node, { maxLength: 12 }),
        fc.array(target, { minLength: 8, maxLength: 8 }),
        (nodes, texts) => {
          const top = tempFolder({ 'outside/secret.txt': 'zzz-secret\n' });
          // Deep, so that no run of `..` reaches what else lies in the folder of all temp folders.
          const ws = join(top, '1/2/3/4/5/ws');
          mkdirSync(ws, { recursive: true });
          for (const { at, link } of nodes) plant(top, ws, at, link);
          const told = texts.map((parts) => refusal(ws, parts.join('/')));
          // A loop leads nowhere, and can keep realpath -m busy for ever.
          const asked = texts.map((parts) => parts.join('/')).filter((_, at) => told[at]!.code !== 'conflict');
          expect(told.filter(({ code }) => code !== 'conflict')).toEqual(reference(ws, asked));
        },
      ),
      runs(60),
    );
  });

  function plant(top: string, ws: string, at: string[], link: { absolute: string; to: string[] } | null): void {
    const path = join(ws, ...at);
    try {
      for (let depth = 1; depth < at.length; depth += 1) {
        const folder = join(ws, ...at.slice(0, depth));
        if (!existsSync(folder)) mkdirSync(folder);
        // Behind a link planted before, where nothing of ours may be left.
        if (!isInside(top, realpathSync(folder))) return;
      }
      if (link === null) mkdirSync(path);
      else symlinkSync(linkText(top, ws, link), path);
    } catch {
      // The name is taken, or lies below a link that leads nowhere.
    }
  }

  function linkText(top: string, ws: string, { absolute, to }: { absolute: string; to: string[] }): string {
    if (absolute === 'no') return to.join('/');
    return `${absolute === 'ws' ? ws : top}/${to.join('/')}`;
  }

  /** `realpath -m` on the lexically cleaned path. */
  function reference(ws: string, texts: string[]): { code: string; text: string }[] {
    const cleaned = texts.map((text) => resolve(ws, text));
    if (cleaned.length === 0) return [];
    const options = { encoding: 'utf8', timeout: 10_000 } as const;
    const lines = execFileSync('realpath', ['-m', '--', ...cleaned], options)
      .trimEnd()
      .split('\n');
    return texts.map((text, at) => {
      const outside = { code: 'outside', text: `path is outside the workspace: ${text}` };
      if (!isInside(ws, cleaned[at]!)) return outside;
      if (!isInside(ws, lines[at]!)) return outside;
      return { code: 'ok', text: lines[at] === ws ? '.' : lines[at]!.slice(ws.length + 1) };
    });
  }

  function isInside(ws: string, abs: string): boolean {
    return abs === ws || abs.startsWith(`${ws}/`);
  }
});

describe('speed', () => {
  it('is linear in a long path', () => {
    const { ws } = scratch();
    const text = `${'a/'.repeat(2000)}z`;
    expect(relOf(ws, text)).toBe(text);
  });
});
