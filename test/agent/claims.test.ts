import { expect, test } from 'vitest';
import { claimsIn, isBacked } from '../../src/agent/claims.ts';

test.each([
  'All tests pass.',
  'The build succeeds without errors.',
  'I fixed it and the test suite is green!',
  'Ran the linter: clean, tests passed with 0 failures.',
  '- 12 tests passing, no errors',
  'pytest passes now',
  '`cargo test` is green.',
  'tsc and eslint are clean.',
  'Tests: 12 passed, 0 failed',
  'Verification: all checks passed',
  'Alle Tests bestehen.',
  'Der Build läuft durch, die Tests sind grün.',
  'Tous les tests passent.',
  'La compilation a réussi.',
  'Todas las pruebas pasan.',
  'Os testes passaram com sucesso.',
  'Все тесты прошли успешно.',
  '所有测试均已通过。',
  'テストはすべて成功しました。',
  '모든 테스트가 통과했습니다.',
])('a claim: %s', (text) => {
  expect(claimsIn(text)).toHaveLength(1);
});

test.each([
  'I added a test for it.',
  'The tests were not run.',
  "I couldn't run the tests, so whether they pass is open.",
  'Please check that the build passes.',
  'The tests should pass now.',
  'Two tests still fail; the other 40 pass.',
  'Run `npm test` to see whether it passes.',
  '```\nall tests passed\n```',
  'The user name must pass validation.',
  'Die Tests habe ich nicht ausgeführt; ob sie bestehen, ist offen.',
  'Die Tests sollten nun bestehen.',
  'Les tests ne passent pas encore.',
  'Las pruebas no pasan.',
  'Os testes ainda não passaram.',
  'Тесты не прошли.',
  '我没有运行测试，不知道是否通过。',
  'テストはまだ成功していません。',
  '테스트가 아직 통과하지 않았습니다.',
  'I added tests in three languages.',
])('no claim: %s', (text) => {
  expect(claimsIn(text)).toEqual([]);
});

test.each([
  ['npm test', true],
  ['cd sub && npm run build', true],
  ['set -o pipefail; npm test | tail -5', true],
  ['npm test | tail -5', false],
  ['npm test || true', false],
  ['npm test; echo done', false],
  ['git status', false],
  ['ls && cat a.txt', false],
])('%s shows something: %s', (command, expected) => {
  expect(isBacked([{ command, exit: 0 }])).toBe(expected);
});

test('a red run backs nothing', () => {
  expect(isBacked([{ command: 'npm test', exit: 1 }])).toBe(false);
  expect(isBacked([{ command: 'npm test', exit: null }])).toBe(false);
});
