import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLog } from '../../src/base/log.ts';
import { readWholeLog } from '../../src/base/log-read.ts';
import { tempFolder } from '../support/folders.ts';

describe('reading', () => {
  test('a missing log is empty', () => {
    expect(readWholeLog(join(tempFolder(), 'none.jsonl'))).toEqual({ records: [], warnings: [] });
  });

  test('a run of NUL bytes and a raw U+2028 neither end nor split the history', () => {
    const path = join(tempFolder(), 'session.jsonl');
    writeFileSync(path, `{"id":1}\n${'\0'.repeat(190)}\n{"id":2,"text":"a\u2028b"}\n\0\0{"id":3}\n`);
    expect(readWholeLog(path)).toEqual({
      records: [{ id: 1 }, { id: 2, text: 'a\u2028b' }, { id: 3 }],
      warnings: ['line 2: 190 NUL bytes were skipped', 'line 4: 2 NUL bytes were skipped'],
    });
  });

  test('garbage in the middle costs only itself', () => {
    const path = join(tempFolder(), 'log');
    writeFileSync(path, '{"id":1}\n{"id":\n"text"\n{"id":2}\n');
    expect(readWholeLog(path)).toEqual({
      records: [{ id: 1 }, { id: 2 }],
      warnings: ['line 2: 6 bytes are no record and were skipped', 'line 3: 6 bytes are no record and were skipped'],
    });
  });

  test('a torn last record is reported, a whole one without its line end is read', () => {
    const path = join(tempFolder(), 'log');
    writeFileSync(path, '{"id":1}\n{"id":2');
    expect(readWholeLog(path)).toEqual({
      records: [{ id: 1 }],
      warnings: ['line 2: the last record is torn (7 bytes) and was dropped'],
    });
    appendFileSync(path, '}');
    expect(readWholeLog(path)).toEqual({ records: [{ id: 1 }, { id: 2 }], warnings: [] });
  });

  test('reading on from an earlier end gives what came since', () => {
    const log = openLog(join(tempFolder(), 'log'));
    log.append({ id: 1 });
    const [first] = log.read();
    log.append({ id: 2 });
    expect([...log.read(first!.end)]).toMatchObject([{ type: 'record', value: { id: 2 } }]);
  });
});

describe('appending', () => {
  test('file and folder are owner-only', () => {
    const folder = join(tempFolder(), 'state');
    openLog(join(folder, 'log')).append({ id: 1 }, { sync: true });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'log')).mode & 0o777).toBe(0o600);
  });

  test('a torn last line is cut off first, a whole one gets its line end', () => {
    const path = join(tempFolder(), 'log');
    writeFileSync(path, '{"id":1}\n{"id":');
    openLog(path).append({ id: 2 });
    expect(readFileSync(path, 'utf8')).toBe('{"id":1}\n{"id":2}\n');
    writeFileSync(path, '{"id":1}');
    openLog(path).append({ id: 2 });
    expect(readFileSync(path, 'utf8')).toBe('{"id":1}\n{"id":2}\n');
  });

  test('two openers of one log take turns; a log written anew is found by both', () => {
    const path = join(tempFolder(), 'log');
    const [one, two] = [openLog(path), openLog(path)];
    one.append({ id: 1 });
    two.append({ id: 2 });
    one.rewrite((record) => record.id !== 1);
    two.append({ id: 3 });
    expect(readFileSync(path, 'utf8')).toBe('{"id":2}\n{"id":3}\n');
  });

  test('an exclusive log is refused to a second opener until it is closed', () => {
    const path = join(tempFolder(), 'log');
    const log = openLog(path, { exclusive: true });
    expect(() => openLog(path, { exclusive: true })).toThrow(`${path} is already open here. Close it there first.`);
    log.close();
    openLog(path, { exclusive: true }).close();
  });

  test('seal sees the line before, whoever wrote it', () => {
    const path = join(tempFolder(), 'log');
    const seal = (record: object, previous: string | undefined) => ({ ...record, after: previous ?? null });
    openLog(path, { seal }).append({ id: 1 });
    openLog(path, { seal }).append({ id: 2 });
    expect(readWholeLog(path).records[1]).toEqual({ id: 2, after: '{"id":1,"after":null}' });
  });
});
