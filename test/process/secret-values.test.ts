import { expect, test } from 'vitest';
import { childEnvironment } from '../../src/process/environment.ts';
import { ownSecretValues, secretValues } from '../../src/process/secret-values.ts';

test('the values of KEY=VALUE lines, without quotes and comments', () => {
  const file = [
    '# comment=no',
    'PLAIN=abcdefgh',
    'export EXPORTED="with blank # no comment"',
    "SINGLE='it is'",
    'COMMENTED=value12345 # why',
    'EMPTY=',
    '  INDENTED = spaced out ',
    'no assignment',
    'URL=https://u:p@host/x?a=b',
    'MULTI="first line',
    'second line"',
    'AFTER=back to normal',
  ].join('\r\n');
  expect(secretValues(file)).toEqual([
    'abcdefgh',
    'with blank # no comment',
    'it is',
    'value12345',
    'spaced out',
    'https://u:p@host/x?a=b',
    'first line',
    'second line',
    'back to normal',
  ]);
});

test('our own keys, not the providers’ addresses', () => {
  const env = {
    OPENAI_API_KEY: 'key-one-1',
    my_token: 'key-two-2',
    OPENAI_BASE_URL: 'http://localhost:1',
    HOME: '/home/x',
  };
  expect(ownSecretValues(env)).toEqual(['key-one-1', 'key-two-2']);
  expect(Object.keys(childEnvironment(env))).toEqual(expect.arrayContaining(['HOME']));
  expect(Object.keys(childEnvironment(env)).filter((name) => name in env)).toEqual(['HOME']);
  expect(childEnvironment(env, ['my_token']).my_token).toBe('key-two-2');
});
