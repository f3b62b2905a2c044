import { expect, test } from 'vitest';
import { describeResult } from '../../src/extend/mcp-result.ts';

const esc = '\u001b';

test('a server’s text reaches the model and the terminal without terminal sequences, whichever kind of content holds it', () => {
  const text = `${esc}[2J${esc}]0;title\u0007plain\ttext\n${esc}[31mred${esc}[0m\u0000`;
  expect(describeResult({ content: [{ type: 'text', text }] })).toEqual({ text: 'plain\ttext\nred' });
  const resource = { uri: `file:///${esc}[1ma`, text };
  expect(describeResult({ content: [{ type: 'resource', resource }] }).text).toBe(
    '[resource: file:///a]\nplain\ttext\nred',
  );
  expect(describeResult({ content: [{ type: 'resource_link', name: text, uri: 'x:y' }] }).text).toBe(
    '[resource: plain\ttext\nred x:y]',
  );
  expect(describeResult({ content: [{ type: 'image', data: '', mimeType: `${esc}[5mimage/png` }] }).text).toBe(
    "[image: image/png, 0 bytes; it can't be shown here]",
  );
});

test('text of sequences alone is no output', () => {
  expect(describeResult({ content: [{ type: 'text', text: `${esc}[2J` }], isError: true })).toEqual({
    text: '(no output)',
    code: 'failed',
  });
});
