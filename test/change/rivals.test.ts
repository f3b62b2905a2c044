import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWholeLog } from '../../src/base/log-read.ts';
import { openJournal } from '../../src/change/recover.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { builtChild } from './support/build-child.ts';
import { quickFolder } from './support/scene-places.ts';

const child = builtChild('rival-child');

async function rival(root: string, home: string, name: string, lines: number): Promise<void> {
  const started = spawn(process.execPath, [child, root, home, name, String(lines)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  started.stderr.on('data', (text) => {
    errors += text;
  });
  const [code] = await once(started, 'close');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
}

test('processes that change one file at the same time: each change lands or is told that it is stale', async () => {
  const [root, home] = [quickFolder(), quickFolder()];
  writeFileSync(join(root, 'shared'), '');
  const names = ['one', 'two', 'three'];
  await Promise.all(names.map((name) => rival(root, home, name, 15)));
  const expected = names.flatMap((name) => Array.from({ length: 15 }, (_, count) => `${name} ${count}`)).sort();
  expect(readFileSync(join(root, 'shared'), 'utf8').trim().split('\n').sort()).toEqual(expected);

  const journal = await openJournal({ home, root: openWorkspace({ root }).root });
  expect(
    journal
      .entries()
      .map((entry) => entry.origin.callId.trim())
      .sort(),
  ).toEqual(expected);
  expect(journal.notices).toEqual([]);

  const { records, warnings } = readWholeLog(join(home, 'log.jsonl'));
  expect(warnings).toEqual([]);
  expect(records.length).toBe(45);
  for (const [index, record] of records.entries()) {
    expect(record.previous).toBe(index === 0 ? 0 : JSON.stringify(records[index - 1]).length);
  }
});
