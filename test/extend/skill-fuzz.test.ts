import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ToolError } from '../../src/base/error.ts';
import { parseSkill } from '../../src/extend/skill-file.ts';
import { runs } from '../support/runs.ts';

const piece = fc.oneof(
  fc.constantFrom(
    '---\n',
    '---',
    '\r\n',
    'name: x\n',
    'description: does things\n',
    '&a [*a]\n',
    '<<: *a\n',
    '\ufeff',
    '  - ',
    '"',
    '!!js/function ',
    '? ',
  ),
  fc.string({ maxLength: 12 }),
);

test('a skill file is read or refused in one line, whatever it holds', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('');
      try {
        const skill = parseSkill(text);
        expect(skill.description).not.toBe('');
        expect(skill.description).not.toMatch(/\n/);
      } catch (error) {
        expect(error).toBeInstanceOf(ToolError);
        expect((error as ToolError).message).not.toMatch(/\n/);
      }
    }),
    runs(500),
  );
});
