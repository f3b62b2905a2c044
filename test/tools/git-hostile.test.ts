import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Tool } from '../../src/tool/tool.ts';
import { gitBlame } from '../../src/tools/git-blame.ts';
import { gitDiff } from '../../src/tools/git-diff.ts';
import { udiffGitDiff } from '../../src/tools/git-diff-udiff.ts';
import { gitLog } from '../../src/tools/git-log.ts';
import { gitShow } from '../../src/tools/git-show.ts';
import { gitStatus } from '../../src/tools/git-status.ts';
import { tempFolder } from '../support/folders.ts';
import { repository, sh } from '../support/repository.ts';
import { callTool } from '../support/tool-call.ts';

const every: readonly [Tool, object][] = [
  [gitStatus(), {}],
  [gitDiff(), {}],
  [gitDiff(), { staged: true }],
  [gitDiff(), { path: 'a.txt' }],
  [udiffGitDiff(), {}],
  [gitLog(), {}],
  [gitLog(), { path: 'a.txt' }],
  [gitShow(), { ref: 'HEAD' }],
  [gitShow(), { ref: 'HEAD~1' }],
  [gitBlame(), { path: 'a.txt' }],
];

/** Two commits, a change that is staged, one that is not, a new file, and a program that leaves a trace when it runs. */
function hostile(setup: string): { root: string; trace: string } {
  const trace = join(tempFolder(), 'pwned');
  const program = `#!/bin/sh\necho "$0 $*" >> '${trace}'\nif [ $# -gt 0 ] && [ -f "$1" ]; then cat "$1"; else cat; fi 2>/dev/null\n`;
  const root = repository(
    { 'a.txt': 'one\n', 'b.txt': 'one\n', 'x.sh': program },
    `chmod +x x.sh; git config user.name Dev; git config user.email dev@example.test
     echo two > a.txt; git commit -qam second
     ${setup.replaceAll('EVIL', '"$PWD/x.sh"')}
     echo three > a.txt; git add a.txt 2>/dev/null || true; echo four > a.txt; echo five > b.txt; echo new > new.txt
     rm -f '${trace}'`,
  );
  return { root, trace };
}

async function callAll(root: string): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const [tool, args] of every) texts.push((await callTool(tool, args, { root })).text);
  return texts;
}

const oddFilter = `printf '[filter "e=v.i\\\\"l"]\\n\\tclean = %s\\n\\trequired = true\\n' EVIL >> .git/config`;
const included = `printf '[filter "inc"]\\n\\tclean = %s\\n[core]\\n\\tfsmonitor = %s\\n' EVIL EVIL > inc; git config include.path ../inc`;
const conditional = `printf '[filter "cond"]\\n\\tclean = %s\\n' EVIL > cond; git config includeIf.onbranch:main.path ../cond`;

const settings: readonly (readonly [string, readonly string[]])[] = [
  [
    'fsmonitor, external diff, drivers, a filter, pagers, hooks, signatures, helpers, aliases',
    [
      'echo "*.txt diff=evil filter=evil" > .gitattributes',
      'git config core.fsmonitor EVIL; git config diff.external EVIL; git config diff.evil.command EVIL',
      'git config diff.evil.textconv EVIL; git config diff.evil.cachetextconv true',
      'git config filter.evil.clean EVIL; git config filter.evil.smudge EVIL; git config filter.evil.required true',
      'git config core.pager EVIL; for c in status diff log show blame; do git config pager.$c EVIL; done',
      'mkdir hooks; for h in post-index-change fsmonitor-watchman reference-transaction; do cp x.sh hooks/$h; cp x.sh .git/hooks/$h; done',
      'git config core.hooksPath "$PWD/hooks"',
      'git config log.showSignature true; git config gpg.program EVIL; git config gpg.format openpgp',
      'git config core.sshCommand EVIL; git config core.askPass EVIL; git config core.editor EVIL; git config credential.helper EVIL',
      'git config status.submoduleSummary true; git config diff.submodule log',
      'for c in status diff log show blame config; do git config alias.$c "!$PWD/x.sh"; done',
    ],
  ],
  [
    'filters as processes, with odd names, in included files and in the config of the work tree',
    [
      `printf '%s\\n' 'a.txt filter=e=v.i"l' 'b.txt filter=evil' 'new.txt filter=tree' 'x.sh filter=inc' '.gitattributes filter=cond' > .gitattributes`,
      'mkdir -p .git/info; echo "*.txt diff=evil" > .git/info/attributes; git config diff.evil.command EVIL',
      'git config filter.evil.process EVIL; git config filter.evil.required true',
      oddFilter,
      included,
      conditional,
      'git config extensions.worktreeConfig true; git config --worktree filter.tree.clean EVIL; git config --worktree core.fsmonitor EVIL',
    ],
  ],
];

test.each(settings)('no program runs by %s', async (_, setup) => {
  const { root, trace } = hostile(setup.join('\n'));
  sh(root, 'git --no-optional-locks diff > /dev/null || true');
  expect(existsSync(trace)).toBe(true);
  rmSync(trace);
  const texts = await callAll(root);
  expect(existsSync(trace) ? readFileSync(trace, 'utf8') : '').toBe('');
  expect(texts[1]).toContain('+four');
  expect(texts[9]).toContain('four');
});

test('a signed commit is shown without checking its signature', async () => {
  const { root, trace } = hostile('git config log.showSignature true; git config gpg.program EVIL');
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----';
  const commit = sh(root, 'git cat-file commit HEAD').replace('\n\n', `\n${signature}\n\n`);
  writeFileSync(join(root, 'commit'), commit);
  sh(root, 'git update-ref HEAD $(git hash-object -t commit -w commit)');
  for (const at of [5, 7]) await callTool(...every[at]!, { root });
  expect(existsSync(trace)).toBe(false);
});

test('a partial clone fetches nothing', async () => {
  const { root, trace } = hostile('true');
  const bare = `${root}-bare`;
  sh(root, `git clone -q --bare . '${bare}'; git -C '${bare}' config uploadpack.allowFilter true`);
  const clone = `${root}-clone`;
  sh(
    root,
    `git -c protocol.file.allow=always clone -q --no-local --filter=blob:none --no-checkout 'file://${bare}' '${clone}'`,
  );
  sh(
    clone,
    `git config remote.origin.url 'ext::${root}/x.sh %S'; git config protocol.ext.allow always; git config protocol.allow always; git config core.sshCommand '${root}/x.sh'; git config remote.origin.uploadpack '${root}/x.sh'; git config core.alternateRefsCommand '${root}/x.sh'`,
  );
  sh(clone, 'timeout -s KILL 2 git show HEAD < /dev/null > /dev/null 2>&1 || true');
  expect(existsSync(trace)).toBe(true);
  rmSync(trace);
  for (const more of ['true', `git config remote.origin.url '${bare}'`, 'git config remote.origin.vcs evil']) {
    sh(clone, more);
    for (const at of [1, 7]) expect((await callTool(...every[at]!, { root: clone })).code).toBe('failed');
  }
  expect(existsSync(trace)).toBe(false);
  sh(root, `rm -r '${bare}' '${clone}'`);
});

test('a submodule with a hostile config of its own', async () => {
  const inner = repository({ 'in.txt': 'one\n' });
  const { root, trace } = hostile(
    `git -c protocol.file.allow=always submodule add -q '${inner}' mod; git commit -qm mod
     git config -f .git/modules/mod/config core.fsmonitor EVIL
     git config -f .git/modules/mod/config filter.evil.clean EVIL
     git config -f .git/modules/mod/config diff.external EVIL
     echo '* filter=evil' > .git/modules/mod/info/attributes
     git config diff.submodule diff; git config diff.ignoreSubmodules none; git config submodule.mod.ignore none; git config submodule.recurse true
     echo changed > mod/in.txt`,
  );
  await callAll(root);
  for (const at of [0, 1, 9]) await callTool(...every[at]!, { root: join(root, 'mod') });
  expect(existsSync(trace)).toBe(false);
});

test('variables around us do not reach git', async () => {
  const { root, trace } = hostile('true');
  const program = join(root, 'x.sh');
  const variables = {
    GIT_EXTERNAL_DIFF: program,
    GIT_PAGER: program,
    GIT_SSH_COMMAND: program,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'diff.external',
    GIT_CONFIG_VALUE_0: program,
    GIT_DIR: '/nowhere',
    GIT_TRACE: join(root, 'trace'),
  };
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    expect((await callTool(...every[1]!, { root })).text).toContain('+four');
  } finally {
    process.env = before;
  }
  expect(existsSync(trace)).toBe(false);
  expect(existsSync(join(root, 'trace'))).toBe(false);
});

test('a program named git in the workspace is not taken for git', async () => {
  const { root, trace } = hostile('cp x.sh git');
  const before = { ...process.env };
  process.env.PATH = `:.:${process.env.PATH}`;
  try {
    await callAll(root);
  } finally {
    process.env = before;
  }
  expect(existsSync(trace)).toBe(false);
});

test('core.worktree does not move the tools to another folder', async () => {
  const secret = tempFolder({ 'a.txt': 'zzz-secret\n' });
  const { root } = hostile('true');
  sh(root, `git config core.worktree '${secret}'`);
  for (const text of await callAll(root)) expect(text).not.toContain('zzz-secret');
});

test('a .git that points to another repository is not followed', async () => {
  const other = repository({ 'a.txt': 'zzz-secret\n' });
  const pointer = tempFolder({ '.git': `gitdir: ${other}/.git\n`, 'a.txt': 'x\n' });
  const link = tempFolder({ 'a.txt': 'x\n' });
  sh(link, `ln -s '${other}/.git' .git`);
  for (const root of [pointer, link]) {
    for (const at of [1, 4, 7]) {
      const { text, code } = await callTool(...every[at]!, { root });
      expect(code).toBe('denied');
      expect(text).not.toContain('zzz-secret');
    }
  }
});

test('a workspace that is itself laid out as a repository runs nothing', async () => {
  const { trace, root: source } = hostile('true');
  const root = tempFolder();
  sh(root, 'git init -q --bare .');
  writeFileSync(
    join(root, 'config'),
    `[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfsmonitor = ${source}/x.sh\n\tpager = ${source}/x.sh\n[diff]\n\texternal = ${source}/x.sh\n`,
  );
  mkdirSync(join(root, 'hooks'), { recursive: true });
  chmodSync(join(source, 'x.sh'), 0o755);
  await callAll(root);
  expect(existsSync(trace)).toBe(false);
});

test('an order of files that is not there fails no diff', async () => {
  const { root } = hostile('git config diff.orderFile missing.txt');
  for (const [tool, args] of every) expect((await callTool(tool, args, { root })).text).not.toContain('orderfile');
});

test('files that config names are neither printed nor read without end', async () => {
  const secret = join(tempFolder({ secret: 'zzz-secret\n' }), 'secret');
  for (const file of [secret, '/dev/zero']) {
    const keys = ['mailmap.file', 'blame.ignoreRevsFile', 'core.attributesFile', 'diff.orderFile'];
    const { root } = hostile('true');
    sh(root, keys.map((key) => `git config ${key} '${file}'`).join('; '));
    const texts = await callAll(root);
    expect(texts.join('\n')).not.toContain('zzz-secret');
    expect(texts.filter((text) => text.includes('fatal'))).toEqual([]);
  }
});

test.each([
  ['core.abbrev abc', 'bad numeric config value'],
  ['core.compression 99', '(core.compression, core.looseCompression or pack.compression)'],
  ['log.date garbage', '(log.date or blame.date)'],
  ['core.repositoryFormatVersion 99', '(core.repositoryFormatVersion or extensions.*)'],
])(
  'config that git refuses is named, and is not taken for a repository without commits: %s',
  async (setting, named) => {
    const { root } = hostile('true');
    sh(root, `git config ${setting}`);
    const { text, code } = await callTool(gitLog(), {}, { root });
    expect(code).toBe('failed');
    expect(text).toContain(named);
    expect(text).toContain('git refuses this configuration, so nothing was read.');
  },
);

test('the other half of a renamed denied file is left out too', async () => {
  const root = repository(
    { '.env': 'A=zzz-secret-1\nB=zzz-secret-2\n', a: '1\n' },
    'git mv .env plain.txt; git commit -qm hide',
  );
  const visible = (path: { given: string }) => !path.given.endsWith('.env');
  const note = 'note: left out (reading is denied, or it leads out of the workspace): .env, plain.txt';
  const { text } = await callTool(gitShow(), { ref: 'HEAD' }, { root, visible });
  expect(text).toContain(note);
  expect(text).not.toContain('zzz-secret');
  sh(root, 'git mv plain.txt conf.env');
  for (const args of [{}, { staged: true }]) {
    const diff = (await callTool(gitDiff(), args, { root, visible })).text;
    expect(diff).toBe(
      `No ${'staged' in args ? 'staged' : 'uncommitted'} changes.\n${note.replace('.env, plain', 'plain').replace('plain.txt', 'plain.txt, conf.env')}`,
    );
  }
});

test('a repository of --separate-git-dir is followed, unless it has a work tree of its own or is bare', async () => {
  const [work, other, bare] = [tempFolder(), repository({ a: 'zzz-secret\n' }), tempFolder()];
  const separate = join(tempFolder(), 'repository');
  sh(work, `git init -q --separate-git-dir='${separate}' . && echo new > a`);
  expect((await callTool(gitDiff(), {}, { root: work })).text).toContain('+new');
  sh(bare, 'git init -q --bare .');
  sh(other, `git config core.worktree '${other}'; mv .git renamed; echo "gitdir: renamed" > .git`);
  for (const target of [bare, join(other, 'renamed')]) {
    writeFileSync(join(work, '.git'), `gitdir: ${target}\n`);
    expect((await callTool(gitLog(), {}, { root: work })).code).toBe('denied');
  }
});

test('a path in a submodule is not called unchanged', async () => {
  const inner = repository({ 'in.txt': 'one\n' });
  const root = repository(
    { a: '1\n' },
    `git -c protocol.file.allow=always submodule add -q '${inner}' mod; git commit -qm mod; echo two > mod/in.txt`,
  );
  expect((await callTool(gitDiff(), { path: 'mod/in.txt' }, { root })).text).toBe(
    'mod is a submodule: its files are not compared here. Use git in it through bash, or open it as the workspace.',
  );
});
