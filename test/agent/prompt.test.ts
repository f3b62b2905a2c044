import { expect, test } from 'vitest';
import { buildPrompt, type PromptParts } from '../../src/agent/prompt.ts';
import type { OfferedTool } from '../../src/gate/gateway.ts';
import { promptParts } from '../support/agent.ts';

const names = {
  core: ['read_file', 'write_file', 'edit_file', 'glob', 'grep', 'bash'],
  git: ['git_status', 'git_diff', 'git_log'],
  session: ['task', 'ask', 'todo_write', 'skill'],
};
const reading = new Set(['read_file', 'glob', 'grep', ...names.git, ...names.session]);
const tools = (...offered: string[]): OfferedTool[] =>
  offered.map((name) => ({ name, description: name, input: {}, readOnly: reading.has(name) }));
const all = tools(...names.core, ...names.git, ...names.session);
const stable = (parts: Partial<PromptParts>, offered: readonly OfferedTool[]) =>
  buildPrompt({ ...promptParts, ...parts }, offered, []).stable;

test('it names only tools that are offered', () => {
  const known = Object.values(names).flat();
  for (const offered of [all, tools(...names.core), tools('read_file'), tools('read', 'write', 'bash'), []]) {
    const text = stable({ attended: true }, offered);
    const named = known.filter((name) => text.includes(`\`${name}\``));
    expect(named.filter((name) => !offered.some((tool) => tool.name === name))).toEqual([]);
  }
});

test('it adapts to what can be written, run and asked', () => {
  const reader = stable({}, tools('read_file', 'grep'));
  expect(reader).not.toMatch(/smallest change|tests or build/);
  expect(stable({}, all)).toMatch(/smallest change/);
  expect(stable({ attended: false }, all)).toContain(
    'Nobody can answer questions now: decide, and state what you assumed.',
  );
  expect(stable({ attended: true }, all)).not.toContain('Nobody can answer');
  expect(stable({ planOnly: true }, tools('read_file'))).toContain('Plan mode: nothing can be changed or run.');
  expect(stable({ git: false }, all)).toContain('not a git repository');
});

test('instructions, notes and skills have their places, the task list comes last and alone', () => {
  const parts = {
    ...promptParts,
    instructions: [{ path: 'AGENTS.md', text: 'Use tabs.\n' }],
    notes: ['tests live in test/'],
    skills: [{ name: 'release', description: 'how to release' }],
    extra: ['# From a plugin'],
  };
  const { stable: text, live } = buildPrompt(parts, all, [{ content: 'mend', status: 'pending' }]);
  const order = [
    'You are benchdog',
    '# From a plugin',
    '# Project instructions',
    '## AGENTS.md\nUse tabs.',
    '# Notes',
    '# Skills',
  ];
  expect(order.map((part) => text.indexOf(part))).toEqual(
    [...order.map((part) => text.indexOf(part))].sort((a, b) => a - b),
  );
  expect(text).toContain('- release: how to release');
  expect(live).toBe('# Task list\n[ ] mend');
  expect(buildPrompt(parts, tools('read_file'), []).stable).not.toContain('release');
});

test('it is small', () => {
  expect(Buffer.byteLength(stable({ attended: true }, all))).toBeLessThan(1900);
  expect(Buffer.byteLength(stable({}, tools(...names.core)))).toBeLessThan(1400);
});
