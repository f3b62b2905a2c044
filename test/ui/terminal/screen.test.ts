import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScreen } from '../../../src/ui/terminal/screen.ts';
import { emulator } from '../../support/emulator.ts';

const word = fc.stringMatching(/^[a-z]{0,12}$/);
const lines = fc.array(word, { maxLength: 6 });
const live = fc.record({ lines: fc.array(word, { minLength: 1, maxLength: 8 }), row: fc.nat(7), column: fc.nat(10) });
const steps = fc.array(fc.record({ finished: lines, live }), { minLength: 1, maxLength: 30 });

test('whatever is drawn: every finished line once, in order, then the live part, with the cursor in its place', () => {
  fc.assert(
    fc.property(steps, (drawn) => {
      const terminal = emulator(40, 10);
      const screen = createScreen((text) => terminal.write(text));
      const finished: string[] = [];
      for (const step of drawn) {
        const row = Math.min(step.live.row, step.live.lines.length - 1);
        screen.draw(step.finished, { lines: step.live.lines, cursor: { row, column: step.live.column } });
        finished.push(...step.finished);
        const wanted = [...finished, ...step.live.lines];
        while (wanted.at(-1) === '') wanted.pop();
        expect(terminal.all()).toEqual(wanted);
        expect(terminal.cursor().column).toBe(step.live.column);
      }
    }),
    { numRuns: 300 },
  );
});

test('the cursor stands where the live part wants it', () => {
  const terminal = emulator(40, 10);
  const screen = createScreen((text) => terminal.write(text));
  screen.draw(['done'], { lines: ['one', 'two', 'three'], cursor: { row: 1, column: 2 } });
  expect(terminal.cursor()).toEqual({ row: 2, column: 2 });
  screen.draw([], { lines: ['one', 'two', 'three'], cursor: { row: 2, column: 0 } });
  expect(terminal.cursor()).toEqual({ row: 3, column: 0 });
});

test('what did not change is not written again', () => {
  const written: string[] = [];
  const screen = createScreen((text) => written.push(text));
  const same = { lines: ['alpha', 'beta', 'gamma'], cursor: { row: 2, column: 0 } };
  screen.draw([], same);
  screen.draw([], same);
  screen.draw([], { ...same, lines: ['alpha', 'beta', 'delta'] });
  expect(written.length).toBe(2);
  expect(written[1]).toContain('delta');
  expect(written[1]).not.toContain('beta');
});

test('clearing takes the live part away and nothing else', () => {
  const terminal = emulator(40, 10);
  const screen = createScreen((text) => terminal.write(text));
  screen.draw(['kept'], { lines: ['a', 'b'], cursor: { row: 0, column: 0 } });
  screen.clear();
  expect([terminal.all(), terminal.cursor()]).toEqual([['kept'], { row: 1, column: 0 }]);
});
