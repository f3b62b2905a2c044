import { expect, test } from 'vitest';
import { type Mode, policyInModes } from '../../src/gate/modes.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from '../support/folders.ts';

function policy() {
  const root = tempFolder({ 'a.txt': 'a', '.env': 'KEY=secret' });
  const workspace = openWorkspace({ root });
  let mode: Mode = 'ask';
  const rows = [{ tool: 'write_file', pattern: 'locked/**', decision: 'deny' as const }];
  const made = policyInModes({ root, rows }, () => mode);
  const write = (path: string) =>
    made.judge({
      tool: 'write_file',
      readOnly: false,
      subject: path,
      effects: [{ kind: 'write', path: workspace.resolve(path) }],
      arguments: {},
    });
  return { made, write, set: (next: Mode) => (mode = next) };
}

test('what is asked is asked, allowed or refused as the mode is at that moment', () => {
  const { write, set } = policy();
  expect(write('a.txt').decision).toBe('ask');
  set('edits');
  expect(write('a.txt').decision).toBe('allow');
  set('plan');
  expect(write('a.txt')).toMatchObject({ decision: 'deny', by: '--plan' });
  set('ask');
  expect(write('a.txt').decision).toBe('ask');
});

test('no mode lifts a deny row', () => {
  const { write, set } = policy();
  for (const mode of ['ask', 'edits', 'all', 'plan'] as const) {
    set(mode);
    expect(write('locked/x').decision).toBe('deny');
  }
});

test('a grant that was given in one mode holds in the others that ask', () => {
  const { write, set, made } = policy();
  set('edits');
  made.grant('write_file', 'a.txt');
  set('ask');
  expect(write('a.txt').decision).toBe('allow');
  set('plan');
  expect(write('a.txt').decision).toBe('deny');
});
