import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../support/folders.ts';
import { applyTo, contentOf } from './patched.ts';

const cases = join(import.meta.dirname, 'cases');
const names = readdirSync(cases, { withFileTypes: true }).filter((entry) => entry.isDirectory());

test.each(names.map(({ name }) => name))('%s', async (name) => {
  const place = (part: string) => join(cases, name, part);
  const root = tempFolder();
  cpSync(place('before'), root, { recursive: true });
  const applying = applyTo(root, readFileSync(place('patch'), 'utf8'));
  if (existsSync(place('error'))) {
    await expect(applying).rejects.toThrow(readFileSync(place('error'), 'utf8').trimEnd());
    expect(contentOf(root)).toEqual(contentOf(place('before')));
    return;
  }
  await applying;
  expect(contentOf(root)).toEqual(contentOf(place('after')));
});
