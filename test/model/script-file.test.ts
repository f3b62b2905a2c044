import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readScript } from '../../src/model/script-file.ts';
import { tempFolder } from '../support/folders.ts';

function script(text: string): string {
  const file = join(tempFolder(), 'script.json');
  writeFileSync(file, text);
  return file;
}

test('a script is an array of replies, or one reply a line', () => {
  const replies = [{ text: 'one' }, { calls: [{ tool: 'bash', arguments: '{broken', id: 'c1' }], finish: 'length' }];
  expect(readScript(script(JSON.stringify(replies, null, 1)))).toEqual(replies);
  expect(readScript(script(`${replies.map((reply) => JSON.stringify(reply)).join('\n\n')}\n`))).toEqual(replies);
  expect(readScript(script(''))).toEqual([]);
});

test.each([
  ['{bad', 'Reply 1 of the script FILE is no JSON: '],
  ['[1', 'The script FILE is no JSON: '],
  ['[{"text":"a"}, null]', "Reply 2 of the script FILE can't be used: "],
  ['"text"', "Reply 1 of the script FILE can't be used: "],
  ['{"text":5}', "Reply 1 of the script FILE can't be used at text: "],
  ['[{"calls":"x"}]', "Reply 1 of the script FILE can't be used at calls: "],
  ['[{"calls":[{"arguments":{}}]}]', "Reply 1 of the script FILE can't be used at calls.0.tool: "],
  ['[{"tool":"x"}]', 'Unrecognized key: "tool". A reply has text, reasoning, calls'],
])('%s is refused by name', (text, message) => {
  const file = script(text);
  expect(() => readScript(file)).toThrow(message.replace('FILE', file));
});

test('a script that is not there', () => {
  expect(() => readScript('/nowhere/script.json')).toThrow("The script /nowhere/script.json can't be read: ENOENT");
});
