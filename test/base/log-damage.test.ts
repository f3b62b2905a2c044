import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openLog } from '../../src/base/log.ts';
import { readWholeLog } from '../../src/base/log-read.ts';
import { tempFolder } from '../support/folders.ts';
import { runs } from '../support/runs.ts';

const record = fc.record({ id: fc.nat(), text: fc.string({ unit: 'binary', maxLength: 30 }) });
const garbage = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.nat(64).map((length) => new Uint8Array(length)),
  fc.constantFrom('{"id":', '}\n{', '\n\n', '"', '\ufeff').map((text) => Buffer.from(text)),
);

test('whatever a crash leaves behind a record, nothing before it is lost, and the log goes on', () => {
  const path = join(tempFolder(), 'log.jsonl');
  fc.assert(
    fc.property(fc.array(record, { maxLength: 8 }), garbage, record, (records, torn, next) => {
      writeFileSync(path, '');
      const before = openLog(path);
      for (const one of records) before.append(one);
      before.close();
      writeFileSync(path, Buffer.concat([readFileSync(path), torn]));
      const after = openLog(path);
      after.append(next);
      after.close();
      const read = readWholeLog(path).records;
      expect(read.slice(0, records.length)).toEqual(records);
      expect(read.at(-1)).toEqual(next);
    }),
    runs(300),
  );
});

test('damage in the middle costs only the records it touches', () => {
  const path = join(tempFolder(), 'log.jsonl');
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 8 }), fc.nat(), garbage, (records, place, junk) => {
      const lines = records.map((one) => Buffer.from(`${JSON.stringify(one)}\n`));
      const bytes = Buffer.concat(lines);
      const at = place % bytes.length;
      bytes.set(junk.subarray(0, bytes.length - at), at);
      writeFileSync(path, bytes);
      const read = readWholeLog(path).records;
      let start = 0;
      for (const [index, line] of lines.entries()) {
        // A line whose beginning lost its line feed runs on from the one before.
        const touched = start - 1 < at + junk.length && start + line.length > at;
        if (!touched) expect(read).toContainEqual(records[index]);
        start += line.length;
      }
    }),
    runs(300),
  );
});
