import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bench } from './support.ts';

test.each([
  ['.husky/pre-commit', 'git commands'],
  ['packages/a/.githooks/post-checkout', 'git commands'],
  ['.gitconfig', 'git commands'],
  ['.pre-commit-config.yaml', 'git commands'],
  ['.envrc', 'the next shell'],
  ['sub/.ENVRC', 'the next shell'],
  ['.bashrc', 'the next shell'],
  ['.vscode/tasks.json', 'an editor that opens the folder'],
  ['a.code-workspace', 'an editor that opens the folder'],
  ['.benchdog/skills/a/SKILL.md', 'the next agent that starts here'],
  ['.mcp.json', 'the next agent that starts here'],
  ['.npmrc', 'the package manager'],
])('%s runs code later, so accepting edits does not accept it', (path, who) => {
  const { policy, file } = bench({}, {}, { approve: 'edits' });
  for (const tool of ['write_file', 'edit_file', 'apply_patch', 'move_file', 'write', 'edit']) {
    expect(policy.judge(file(tool, 'write', path))).toMatchObject({
      decision: 'ask',
      by: 'built-in: files that run code',
      reason: `what ${path} says is run by ${who}`,
    });
  }
  expect(policy.explain(file('write_file', 'write', path)).change).toEqual([
    `A row "write_file": { "${path}": "allow" } would allow it.`,
  ]);
});

test('other files are accepted, and so are deleting and what a row or --approve all allows', () => {
  const edits = bench({ write_file: { '.envrc': 'allow' } }, {}, { approve: 'edits' });
  const decisions = ['src/husky/a', 'vscode.json', 'package.json', '.gitignore', '.envrc.md', '.envrc'].map(
    (path) => edits.policy.judge(edits.file('write_file', 'write', path)).decision,
  );
  expect(decisions).toEqual(decisions.map(() => 'allow'));
  expect(edits.policy.judge(edits.file('delete_file', 'delete', '.husky/pre-commit')).decision).toBe('allow');
  const all = bench({}, {}, { approve: 'all' });
  expect(all.policy.judge(all.file('write_file', 'write', '.husky/pre-commit')).decision).toBe('allow');
  const none = bench({}, {}, { approve: 'none' });
  expect(none.policy.judge(none.file('write_file', 'write', '.husky/pre-commit')).decision).toBe('deny');
});

test('by the real name too', () => {
  const { policy, file, root } = bench({}, {}, { approve: 'edits' });
  symlinkSync('.envrc', join(root, 'notes'));
  expect(policy.judge(file('write_file', 'write', 'notes')).decision).toBe('ask');
});
