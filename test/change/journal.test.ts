import { spawnSync } from 'node:child_process';
import { chownSync, closeSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commit } from '../../src/change/commit.ts';
import type { JournalOptions } from '../../src/change/journal.ts';
import { openJournal } from '../../src/change/recover.ts';
import { digestOf, fileState } from '../../src/workspace/file-state.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from '../support/folders.ts';

const gone = spawnSync(process.execPath, ['-e', '0']).pid;

async function bench(limits: Partial<JournalOptions> = {}) {
  const folder = tempFolder({ a: 'first' });
  const home = tempFolder();
  const workspace = openWorkspace({ root: folder });
  const open = () => openJournal({ home, root: workspace.root, ...limits });
  const journal = await open();
  const path = workspace.resolve('a');
  const write = async (text: string, callId = 'c', onStep?: (step: string) => void) => {
    const before = await workspace.read(path);
    const origin = { callId, session: 's', tool: 'write_file' };
    await commit([{ type: 'modify', path, before, after: fileState(Buffer.from(text), before.mode) }], {
      workspace,
      journal,
      origin,
      summaries: [{ type: 'modify', path: 'a', added: 3, removed: 2 }],
      ...(onStep ? { onStep } : {}),
    });
  };
  /** Leaves the commit as a process that died at `step` would. */
  const dieAt = async (text: string, step: string) => {
    let dead = false;
    const onStep = (name: string) => {
      dead ||= name.startsWith(step);
      if (dead) throw new Error('dead');
    };
    await write(text, 'c', onStep).catch(() => {});
    const log = join(journal.folder, 'entries.jsonl');
    writeFileSync(log, readFileSync(log, 'utf8').replaceAll(`"pid":${process.pid},`, `"pid":${gone},`));
  };
  return { folder, home, journal, open, write, dieAt, blobs: () => readdirSync(join(journal.folder, 'blobs')) };
}

describe('the journal', () => {
  test('keeps who asked, what changed and the old content, owner-only, outside the workspace', async () => {
    const b = await bench();
    await b.write('second', 'call-7');
    const [entry] = b.journal.byCall('call-7');
    expect(entry).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{10}$/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      origin: { callId: 'call-7', session: 's', tool: 'write_file' },
      changes: [
        {
          type: 'modify',
          path: 'a',
          added: 3,
          removed: 2,
          before: { kind: 'file', digest: digestOf(Buffer.from('first')), size: 5, mode: 0o644 },
          after: { kind: 'file', digest: digestOf(Buffer.from('second')), size: 6, mode: 0o644 },
        },
      ],
    });
    expect(await b.journal.content(digestOf(Buffer.from('first')))).toEqual(Buffer.from('first'));
    expect(b.journal.byCall('other')).toEqual([]);
    for (const name of readdirSync(b.home, { recursive: true }) as string[]) {
      const stats = statSync(join(b.home, name));
      expect(stats.mode & 0o777, name).toBe(stats.isDirectory() ? 0o700 : 0o600);
    }
    expect(readdirSync(b.folder)).toEqual(['a']);
  });

  test('is found again by the next process, and holds another workspace’s entries apart', async () => {
    const b = await bench();
    await b.write('second');
    expect((await b.open()).entries()).toEqual(b.journal.entries());
    const other = openWorkspace({ root: tempFolder() });
    expect((await openJournal({ home: b.home, root: other.root })).entries()).toEqual([]);
  });

  test('sees what another opener adds meanwhile', async () => {
    const b = await bench();
    const other = await b.open();
    await b.write('second');
    expect(other.entries().length).toBe(1);
  });

  test('keeps a content that several entries share once, until the last of them is dropped', async () => {
    const b = await bench({ maxEntries: 4 });
    for (const text of ['x', 'first', 'x', 'first']) await b.write(text);
    expect(b.blobs().sort()).toEqual(['x', 'first'].map((text) => digestOf(Buffer.from(text))).sort());
    await b.write('y');
    await b.write('z');
    await b.write('zz');
    expect(b.journal.entries().length).toBe(3);
    expect(b.blobs().sort()).toEqual(['first', 'y', 'z'].map((text) => digestOf(Buffer.from(text))).sort());
  });

  test('stays below its size, oldest first; the newest entry stays however big', async () => {
    const b = await bench({ maxBytes: 3000 });
    for (let index = 0; index < 9; index += 1) await b.write(`${index}`.repeat(1000));
    expect(b.blobs().length).toBeLessThanOrEqual(3);
    expect(b.journal.entries().at(-1)!.changes[0]!.after!.digest).toBe(digestOf(Buffer.from('8'.repeat(1000))));
    await b.write('9'.repeat(9000));
    await b.write('small');
    expect(b.blobs()).toEqual([digestOf(Buffer.from('9'.repeat(9000)))]);
  });

  test('does not hand out a content that was damaged', async () => {
    const b = await bench();
    await b.write('second');
    const digest = digestOf(Buffer.from('first'));
    writeFileSync(join(b.journal.folder, 'blobs', digest), 'other');
    expect(await b.journal.content(digest)).toBe(undefined);
  });

  test('hands out the old content as it was, though a program goes on writing into the replaced file', async () => {
    const b = await bench();
    const log = openSync(join(b.folder, 'a'), 'a');
    await b.write('second');
    writeSync(log, ' and more');
    closeSync(log);
    expect(await b.journal.content(digestOf(Buffer.from('first')))).toEqual(Buffer.from('first'));
    expect(readFileSync(join(b.folder, 'a'), 'utf8')).toBe('second');
  });

  test('keeps the replaced file itself where it can, a copy where the old file has another owner', async () => {
    const b = await bench();
    const { ino } = statSync(join(b.folder, 'a'));
    await b.write('second');
    expect(statSync(join(b.journal.folder, 'blobs', digestOf(Buffer.from('first')))).ino).toBe(ino);
    if (process.geteuid?.() !== 0) return;
    chownSync(join(b.folder, 'a'), 12_345, 12_345);
    const foreign = statSync(join(b.folder, 'a')).ino;
    await b.write('third');
    const kept = statSync(join(b.journal.folder, 'blobs', digestOf(Buffer.from('second'))));
    expect([kept.uid, kept.ino === foreign]).toEqual([0, false]);
  });

  test('reads on behind damage and says so', async () => {
    const b = await bench();
    await b.write('second');
    const log = join(b.journal.folder, 'entries.jsonl');
    writeFileSync(log, `${readFileSync(log, 'utf8')}${'\0'.repeat(8)}\n{"type":"begin","id":"x"}\n{"type":"beg`);
    const next = await b.open();
    expect(next.notices).toEqual([
      'The journal is damaged in places: line 3: 8 NUL bytes were skipped.',
      'The journal is damaged in places: line 5: the last record is torn (12 bytes) and was dropped.',
    ]);
    expect([next.entries().length, next.unfinished()]).toEqual([1, []]);
    await b.write('third');
    expect(b.journal.entries().length).toBe(2);
  });
});

describe('recovery', () => {
  test('says what it undid, what it finished, and by which tool', async () => {
    const b = await bench();
    await b.dieAt('second', 'create');
    expect((await b.open()).notices).toEqual([
      expect.stringMatching(
        /^An interrupted change \(write_file, \d{4}-.*Z, [0-9a-f]{10}\) was undone; as before: a\.$/,
      ),
    ]);
    await b.dieAt('second', 'rename');
    expect((await b.open()).notices).toEqual([expect.stringMatching(/ was completed: a\.$/)]);
    expect(readFileSync(join(b.folder, 'a'), 'utf8')).toBe('second');
    expect((await b.open()).notices).toEqual([]);
    expect(readdirSync(b.folder)).toEqual(['a']);
  });

  test('leaves alone and names what somebody changed meanwhile', async () => {
    const b = await bench();
    await b.dieAt('second', 'rename');
    writeFileSync(join(b.folder, 'a'), 'theirs');
    expect((await b.open()).notices).toEqual([
      expect.stringMatching(/ was undone; as before: a\. Changed by somebody else since and left as it is: a\.$/),
    ]);
    expect(readFileSync(join(b.folder, 'a'), 'utf8')).toBe('theirs');
    expect(readdirSync(b.folder)).toEqual(['a']);
  });

  test('does not touch the commit of a process that is alive', async () => {
    const b = await bench();
    let seen: readonly string[] | undefined;
    await b.write('second', 'c', (step) => {
      if (step.startsWith('rename')) void b.open().then((other) => (seen = other.notices));
    });
    expect(seen).toEqual([]);
    expect(readFileSync(join(b.folder, 'a'), 'utf8')).toBe('second');
  });
});
