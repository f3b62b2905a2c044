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
    'p',
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

test('of an address the password alone too, as it stands and decoded', () => {
  const text = [
    'DATABASE_URL=postgres://app:pa55w0rdlong@db:5432/main?x=a:b@c',
    'REDIS="redis://:p%40ss%2Fword@cache"',
    'BROKEN=amqp://u:100%long@mq',
    'PLAIN=https://host:8080/path@x',
    'EMPTY=https://u:@host',
  ].join('\n');
  expect(secretValues(text)).toEqual([
    'postgres://app:pa55w0rdlong@db:5432/main?x=a:b@c',
    'pa55w0rdlong',
    'redis://:p%40ss%2Fword@cache',
    'p%40ss%2Fword',
    'p@ss/word',
    'amqp://u:100%long@mq',
    '100%long',
    'https://host:8080/path@x',
    'https://u:@host',
  ]);
  expect(ownSecretValues({ PROXY_TOKEN: 'http://u:zzz-secret@proxy' })).toEqual([
    'http://u:zzz-secret@proxy',
    'zzz-secret',
  ]);
});
