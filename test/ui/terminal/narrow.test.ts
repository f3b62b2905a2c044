import { expect, test } from 'vitest';
import { busyTurn, standAt } from '../../support/frames.ts';

// The emulator refuses a line that reaches the last column.
test.each([
  [20, 12],
  [20, 5],
  [12, 30],
  [300, 5],
])('at %i columns and %i rows nothing is drawn beyond them', async (columns, rows) => {
  const { ui, terminal, shows } = standAt(columns, rows);
  ui.event({ type: 'session', id: 's', model: 'm', resumed: false });
  await shows('ask first');
  for (const event of busyTurn) ui.event(event);
  await shows('thought');
  expect(terminal.screen().length).toBeLessThanOrEqual(rows);
  await ui.close();
});

test('of a long prompt the beginning is shown; ctrl+o shows it whole', async () => {
  const { ui, terminal, shows } = standAt(80, 30);
  ui.show({ type: 'prompt', text: Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n') });
  const text = await shows('› line 0\n');
  expect(text).toContain('  line 11\n  … 704 more characters (ctrl+o)\n');
  expect(text).not.toContain('line 12\n');
  terminal.key('\x0f');
  await shows('line 99');
  await ui.close();
});
