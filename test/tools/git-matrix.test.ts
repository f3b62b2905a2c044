import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
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

const tools: Readonly<Record<string, readonly [Tool, object]>> = {
  git_status: [gitStatus(), {}],
  git_diff: [gitDiff(), {}],
  'git_diff staged': [gitDiff(), { staged: true }],
  'git_diff of udiff': [udiffGitDiff(), {}],
  git_log: [gitLog(), { path: 'a.txt' }],
  git_show: [gitShow(), { ref: 'HEAD' }],
  git_blame: [gitBlame(), { path: 'a.txt' }],
};

/** Every key that makes git start a program. */
const keys =
  `core.fsmonitor diff.external diff.evil.command diff.evil.textconv filter.evil.clean filter.evil.smudge filter.evil.process
  core.pager pager.status pager.diff pager.log pager.show pager.blame core.sshCommand core.alternateRefsCommand core.gitProxy core.editor
  core.askPass credential.helper gpg.program gpg.ssh.program gpg.ssh.defaultKeyCommand remote.origin.uploadpack remote.origin.receivepack
  uploadpack.packObjectsHook sequence.editor interactive.diffFilter merge.evil.driver trailer.evil.command trailer.evil.cmd
  alias.status alias.diff alias.log alias.show alias.blame alias.config alias.rev-parse alias.cat-file`.split(/\s+/);
const switches = ['filter.evil.required', 'diff.evil.cachetextconv', 'log.showSignature', 'log.mailmap'];

function configText(program: string, hooks: string, included: string): string {
  const line = (key: string, value: string) => {
    const [section, ...rest] = key.split('.');
    const name = rest.pop()!;
    return `[${section}${rest.length === 0 ? '' : ` "${rest.join('.')}"`}]\n\t${name} = ${value}\n`;
  };
  return [
    ...keys.map((key) => line(key, program)),
    ...switches.map((key) => line(key, 'true')),
    line('core.hooksPath', hooks),
    line('include.path', included),
  ].join('');
}

interface Place {
  readonly root: string;
  readonly trace: string;
}

/** Lays the traps in config, an included file, attributes and hooks; by then something is staged, and after it something is changed. */
function trap(root: string, bare = false): Place {
  const home = tempFolder({ 'hooks/x': '' });
  const [trace, program, included] = ['trace', 'evil.sh', 'included'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${trace}'\nexec cat\n`, { mode: 0o755 });
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction']) {
    copyFileSync(program, join(home, 'hooks', hook));
  }
  writeFileSync(included, `[diff]\n\texternal = ${program}\n[filter "late"]\n\tclean = ${program}\n`);
  if (!bare) sh(root, 'echo three > a.txt; git add a.txt');
  const [config, info] = sh(root, 'git rev-parse --git-path config --git-path info').trim().split('\n');
  appendFileSync(resolve(root, config!), configText(program, join(home, 'hooks'), included));
  mkdirSync(resolve(root, info!), { recursive: true });
  writeFileSync(resolve(root, info!, 'attributes'), '* diff=evil filter=evil merge=evil\n');
  if (!bare) writeFileSync(join(root, 'a.txt'), 'four\n');
  return { root, trace };
}

const two = () => repository({ 'a.txt': 'one\n' }, 'echo two > a.txt; git commit -qam second');

const places: Readonly<Record<string, () => Place>> = {
  'a work tree': () => trap(two()),
  'a detached head': () => {
    const root = two();
    sh(root, 'git checkout -q --detach HEAD');
    return trap(root);
  },
  'a second work tree': () => {
    const root = `${tempFolder()}/tree`;
    sh(two(), `git worktree add -q '${root}'`);
    return trap(root);
  },
  'a submodule': () => {
    const root = repository({ x: '' }, `git -c protocol.file.allow=always submodule add -q '${two()}' mod`);
    return trap(join(root, 'mod'));
  },
  'a separate git folder': () => {
    const root = two();
    sh(root, `git init -q --separate-git-dir='${tempFolder()}/repository'`);
    return trap(root);
  },
  'no commits yet': () => {
    const root = tempFolder({ 'a.txt': 'two\n' });
    sh(root, 'git init -q . ; git add a.txt');
    return trap(root);
  },
  'a bare repository': () => {
    const root = `${tempFolder()}/bare`;
    sh('/', `git clone -q --bare '${two()}' '${root}'`);
    return trap(root, true);
  },
};

describe.each(Object.entries(places))('in %s', (name, make) => {
  test('no tool runs a program, and each says what it should', async () => {
    const { root, trace } = make();
    const answers: Record<string, string> = {};
    for (const [tool, [value, args]] of Object.entries(tools)) {
      const { text, code } = await callTool(value, args, { root });
      answers[tool] = code === undefined ? text : `${code}: ${text}`;
      expect([tool, existsSync(trace) ? readFileSync(trace, 'utf8') : '']).toEqual([tool, '']);
    }
    const shown = Object.entries(expected[name] ?? {}).map(([tool, part]) => [tool, answers[tool]!.includes(part)]);
    expect({ shown, answers }).toEqual({ shown: shown.map(([tool]) => [tool, true]), answers });
  });
});

const usual = {
  git_status: 'a.txt  (staged modified, modified)',
  git_diff: '+four',
  'git_diff staged': '+three',
  'git_diff of udiff': '+four',
  git_log: 'second',
  git_show: '+two',
  git_blame: '1: four',
};

const expected: Readonly<Record<string, Partial<typeof usual>>> = {
  'a work tree': usual,
  'a detached head': { ...usual, git_status: 'On detached HEAD at ' },
  'a second work tree': usual,
  'a submodule': usual,
  'a separate git folder': usual,
  'no commits yet': {
    git_status: '(no commits yet)',
    git_diff: '+four',
    'git_diff staged': '+three',
    'git_diff of udiff': 'Diff (no commits yet, everything is new):',
    git_log: 'No commits yet.',
    git_show: 'failed: ',
    git_blame: 'failed: ',
  },
  'a bare repository': {
    git_status: 'failed: This is a bare repository: it has no files to compare.',
    git_diff: 'failed: ',
    'git_diff of udiff': 'failed: workspace is not a git repository, cannot verify changes',
    git_log: 'second',
    git_show: '+two',
    git_blame: '1: two',
  },
};

test('what the environment around us says of git reaches no tool', async () => {
  const { root, trace } = trap(two());
  const evil = join(trace, '../evil.sh');
  const programs = [
    'EXTERNAL_DIFF',
    'PAGER',
    'SSH',
    'SSH_COMMAND',
    'EDITOR',
    'SEQUENCE_EDITOR',
    'ASKPASS',
    'PROXY_COMMAND',
  ];
  const folders = [
    'DIR',
    'WORK_TREE',
    'INDEX_FILE',
    'OBJECT_DIRECTORY',
    'ALTERNATE_OBJECT_DIRECTORIES',
    'COMMON_DIR',
    'NAMESPACE',
  ];
  const others = {
    CONFIG: evil,
    CONFIG_GLOBAL: evil,
    CONFIG_PARAMETERS: `'diff.external=${evil}'`,
    EXEC_PATH: '/nowhere',
    TRACE: trace,
  };
  const named = { ...Object.fromEntries([...programs, ...folders].map((name) => [name, evil])), ...others };
  const before = { ...process.env };
  Object.assign(process.env, Object.fromEntries(Object.entries(named).map(([name, value]) => [`GIT_${name}`, value])));
  try {
    for (const [tool, [value, args]] of Object.entries(tools)) {
      const { text } = await callTool(value, args, { root });
      expect([tool, text.includes(usual[tool as keyof typeof usual])]).toEqual([tool, true]);
    }
  } finally {
    process.env = before;
  }
  expect(existsSync(trace)).toBe(false);
});

test('the traps are traps: plain git falls into them', () => {
  const { root, trace } = trap(two());
  sh(root, 'git -c alias.x=true diff > /dev/null 2>&1 || true');
  expect(existsSync(trace)).toBe(true);
});
