// Streams Markdown at 300 tokens a second for some seconds and prints the share of a core it took, in percent:
// `node --import tsx bench/ui-stream.ts ours|library|library-long SECONDS`.
import { type Terminal as LibraryTerminal, Markdown, type MarkdownTheme, TuiMainScreen } from '@earendil-works/pi-tui';
import { openTerminalUi } from '../src/ui/terminal/terminal-ui.ts';
import { themeFor } from '../src/ui/terminal/theme.ts';

const [, , way = 'ours', seconds = '10'] = process.argv;
const tokensPerSecond = 300;
const size = { columns: 100, rows: 40 };

const tokens = Array.from({ length: 200 }, (_, at) => section(at))
  .join('')
  .match(/[\s\S]{1,4}/g)!;
const put = way === 'ours' ? ours() : library(way === 'library-long' ? 300 : 0);
await new Promise((resolve) => setTimeout(resolve, 1000));
console.log(await share(put, Number(seconds)));
process.exit();

/** Prose, a list, code and a table, as answers have them. */
function section(at: number): string {
  return `## Section ${at}

Some **bold** text with \`code\` and a [link](http://example.test/${at}) that goes on for a while so that it wraps over more than one line of the terminal, as prose does.

- first item ${at}
- second item with *emphasis*
  - nested item

\`\`\`ts
export function f${at}(a: number, b: string): string {
  const x = a + ${at}; // comment
  if (x > 3) return b.repeat(x);
  return b;
}
\`\`\`

| a | b |
|---|---|
| 1 | ${at} |

`;
}

function ours(): (text: string) => void {
  const terminal = { ...size, start() {}, stop: async () => {}, suspend() {}, write() {} };
  const ui = openTerminalUi({ terminal, theme: themeFor({ LANG: 'C.UTF-8', TERM: 'xterm' }) });
  return (text) => ui.event({ type: 'delta', of: 'text', text });
}

function library(earlier: number): (text: string) => void {
  const idle = () => {};
  const terminal = { ...size, start: idle, stop: idle, write: idle, hideCursor: idle, showCursor: idle, moveBy: idle };
  const tui = new TuiMainScreen(terminal as unknown as LibraryTerminal);
  tui.start();
  for (let at = 0; at < earlier; at += 1) tui.addChild(new Markdown(section(at), 0, 0, plainTheme()));
  const answer = new Markdown('', 0, 0, plainTheme());
  tui.addChild(answer);
  let all = '';
  return (text) => {
    all += text;
    answer.setText(all);
    tui.requestRender();
  };
}

function plainTheme(): MarkdownTheme {
  return new Proxy(
    {},
    { get: (_, name) => (name === 'highlightCode' ? undefined : (text: string) => text) },
  ) as MarkdownTheme;
}

function share(feed: (text: string) => void, time: number): Promise<number> {
  const began = performance.now();
  const before = process.cpuUsage();
  let sent = 0;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const passed = (performance.now() - began) / 1000;
      for (const due = Math.floor(passed * tokensPerSecond); sent < due; sent += 1) feed(tokens[sent % tokens.length]!);
      if (passed < time) return;
      clearInterval(timer);
      const { user, system } = process.cpuUsage(before);
      resolve((user + system) / 10_000 / passed);
    }, 3);
  });
}
