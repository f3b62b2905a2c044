import { expect, test, vi } from 'vitest';
import { lookalikesIn } from '../../../src/base/visible.ts';
import { charsetOf, encodeFor } from '../../../src/ui/terminal/charset.ts';
import { completions, rankPaths } from '../../../src/ui/terminal/completions.ts';
import { createFrames } from '../../../src/ui/terminal/frame.ts';
import { createQuitting } from '../../../src/ui/terminal/quitting.ts';
import { statusLine } from '../../../src/ui/terminal/status-line.ts';
import { subjectOf } from '../../../src/ui/terminal/subject.ts';
import { themeFor } from '../../../src/ui/terminal/theme.ts';
import { createTyping } from '../../../src/ui/terminal/typing.ts';

test('paths: the beginning of the path, then of the name, then of a folder, then anywhere; shorter ones first', () => {
  const paths = ['lib/main/x.ts', 'docs/remain.md', 'src/main.ts', 'main.go', 'main/deep/other.ts', 'none'];
  expect(rankPaths(paths, 'MAIN')).toEqual([
    'main.go',
    'main/deep/other.ts',
    'src/main.ts',
    'lib/main/x.ts',
    'docs/remain.md',
  ]);
});

test('completing: a command at the beginning, a path behind @, with what it replaces', async () => {
  const provider = completions({
    commands: [
      { name: 'diff', description: 'd' },
      { name: 'undo', argument: '[N]', description: 'u' },
    ],
    paths: async () => ['src/a.ts', 'b/src.md'],
  });
  const options = { signal: new AbortController().signal };
  expect(await provider.getSuggestions(['/un'], 0, 3, options)).toEqual({
    prefix: '/un',
    items: [{ value: '/undo', label: '/undo [N]', description: 'u' }],
  });
  const paths = await provider.getSuggestions(['see @src'], 0, 8, options);
  expect(paths?.items.map(({ value }) => value)).toEqual(['@src/a.ts', '@b/src.md']);
  expect(provider.applyCompletion(['see @src now'], 0, 8, paths!.items[0]!, '@src')).toEqual({
    lines: ['see @src/a.ts now'],
    cursorLine: 0,
    cursorCol: 13,
  });
  expect(await provider.getSuggestions(['mail me@src'], 0, 11, options)).toBeNull();
});

test('completing: a name with blanks stands in quotes, one with what can not be seen is shown', async () => {
  const paths = ['my shot.png', 'x\x1b[31m.txt'];
  const provider = completions({ commands: [], paths: async () => paths });
  const options = { signal: new AbortController().signal };
  const items = async (text: string) => (await provider.getSuggestions([text], 0, text.length, options))?.items;
  const quoted = [{ value: '@"my shot.png"', label: 'my shot.png' }];
  expect(await items('see (@my')).toEqual(quoted);
  expect(await items('@"my sh')).toEqual(quoted);
  expect(await items('@my shot.png')).toBeUndefined();
  expect(await items('see @"my shot.png')).toBeUndefined();
  expect(await items('@x')).toEqual([{ value: '@x\x1b[31m.txt', label: 'x\\u001b[31m.txt' }]);
});

test('a question takes keys only when nobody has typed for a moment', () => {
  vi.useFakeTimers();
  try {
    const drawn = vi.fn();
    const typing = createTyping(drawn);
    typing.key(false);
    typing.asked();
    expect(typing.settled()).toBe(false);
    vi.advanceTimersByTime(500);
    typing.key(true);
    vi.advanceTimersByTime(500);
    expect(typing.settled()).toBe(false);
    vi.advanceTimersByTime(200);
    expect([typing.settled(), drawn.mock.calls.length]).toEqual([true, 1]);
    vi.advanceTimersByTime(5000);
    typing.asked();
    expect(typing.settled()).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('frames: many changes are one frame, and what is dear to draw is drawn less often', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    let cost = 0;
    const draw = vi.fn(() => void vi.advanceTimersByTime(cost));
    const frames = createFrames(draw);
    for (let ms = 0; ms < 1000; ms += 1) {
      frames.request();
      vi.advanceTimersByTime(1);
    }
    expect(draw.mock.calls.length).toBeLessThanOrEqual(32);
    cost = 20;
    draw.mockClear();
    for (let ms = 0; ms < 2000; ms += 1) {
      frames.request();
      vi.advanceTimersByTime(1);
    }
    expect(draw.mock.calls.length).toBeLessThanOrEqual(12);
    frames.stop();
  } finally {
    vi.useRealTimers();
  }
});

test('quitting: at once where nothing is lost, else at the second time, unless another key came between', () => {
  const quit = vi.fn();
  const quitting = createQuitting(quit);
  quitting.ask('what you typed');
  expect([quit.mock.calls.length, quitting.hint()]).toEqual([0, 'again to quit; what you typed would be lost']);
  quitting.forget();
  quitting.ask('what you typed');
  expect(quit).not.toHaveBeenCalled();
  quitting.ask('what you typed');
  expect(quit).toHaveBeenCalledTimes(1);
  quitting.ask(undefined);
  expect(quit).toHaveBeenCalledTimes(2);
});

test('the status line keeps what matters most when it is narrow', () => {
  const theme = themeFor({ NO_COLOR: '1', LANG: 'C.UTF-8' });
  const status = {
    model: 'openai/gpt',
    dialect: 'native',
    mode: 'edits',
    sandbox: 'bubblewrap',
    contextTokens: 64_000,
    room: 128_000,
    cost: 1.5,
  } as const;
  expect(statusLine(status, '', 100, theme)).toBe(
    'accept edits · 50% of 128k · $1.50 · openai/gpt · native · sandbox: bubblewrap',
  );
  expect(statusLine(status, 'esc stops', 40, theme)).toBe('accept edits · 50% of 128k     esc stops');
});

test('a call in one line: what it is about', () => {
  expect(subjectOf('{"path":"a.ts","content":"x"}')).toBe('a.ts');
  expect(subjectOf('{"command":"ls\\n-la"}')).toBe('ls -la');
  expect(subjectOf('{"files":[{"path":"a"},{"path":"b"}]}')).toBe('a, b');
  expect(subjectOf('{"pa')).toBe('{"pa');
  expect(subjectOf('{}')).toBe('');
});

test('letters that look like others are named with the word they stand in', () => {
  expect(lookalikesIn('c\u0430t a\u00a0b x')).toEqual([
    { character: '\u0430', code: 'U+0430', word: 'c\u0430t' },
    { character: '\u00a0', code: 'U+00A0', word: 'a\u00a0b' },
  ]);
  expect(lookalikesIn('echo привет größe 日本')).toEqual([]);
});

test('the charset is the locale’s; where it lacks a character, one ASCII character stands for it', () => {
  expect(charsetOf({ LANG: 'de_DE.UTF-8' }, 'linux')).toBe('utf-8');
  expect(charsetOf({}, 'linux')).toBe('utf-8');
  expect(charsetOf({ LANG: 'de_DE.UTF-8', LC_ALL: 'C' }, 'linux')).toBe('ascii');
  expect(charsetOf({ LANG: 'de_DE.ISO-8859-1' }, 'linux')).toBe('latin-1');
  expect(encodeFor('ascii', '┌─ü…漢').toString('latin1')).toBe('+-?.?');
  expect(encodeFor('latin-1', 'ü─漢')).toEqual(Buffer.from([0xfc, 0x2d, 0x3f]));
});

test('the theme: sixteen colours, none with NO_COLOR, and no yellow on a light background', () => {
  expect(themeFor({ TERM: 'xterm' }).paint('warn', 'x')).toBe('\x1b[33mx\x1b[39m');
  expect(themeFor({ TERM: 'xterm', COLORFGBG: '0;15' }).paint('warn', 'x')).toBe('\x1b[35mx\x1b[39m');
  expect(themeFor({ NO_COLOR: '1' }).paint('warn', 'x')).toBe('x');
});
