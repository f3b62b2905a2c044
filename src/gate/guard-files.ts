import { readdirSync } from 'node:fs';
import type { FilePath, Root } from '../workspace/path.ts';
import type { Refusal } from './refusal.ts';
import { namedFiles } from './shell/files.ts';
import type { PlainCommand } from './shell/line.ts';
import { type OptionTable, readArguments } from './shell/options.ts';
import { plainText, plainWord, type ShellWord, startOf } from './shell/word.ts';

/** Deleting whole folders, and writing to devices. */
export function guardFiles(command: PlainCommand, root: Root): Refusal | undefined {
  if (command.name === 'rm') return refuseRemoval(command, root);
  if (command.name === 'find') return refuseFindDelete(command, root);
  if (command.name === 'chmod' || command.name === 'chown' || command.name === 'chgrp')
    return refuseModes(command, root);
  return refuseDevice(command);
}

function refuseRemoval(command: PlainCommand, root: Root): Refusal | undefined {
  const read = readArguments(command.args, removing);
  const has = (...names: string[]) => read.options.some(({ name }) => names.includes(name));
  if (!has('-r', '-R', '--recursive')) return refuseDevice(command);
  let asked: Refusal | undefined;
  for (const word of read.operands) {
    const refusal = refuseTarget(word, command, root);
    if (refusal?.decision === 'deny') return refusal;
    asked ??= refusal;
  }
  return asked;
}

const removing: OptionTable = { runs: '--recursive --force --no-preserve-root' };

const by = 'guard: rm -r';

function refuseTarget(word: ShellWord, command: PlainCommand, root: Root): Refusal | undefined {
  const folder = folderOfAll(word);
  if (folder !== undefined) return refuseTarget(folder, command, root);
  if (word.kind === 'open')
    return deny(`which folder ${word.raw} is, is known only when it runs. Write the folder out`);
  if (word.kind === 'glob' && !startOf(word).replace(/^\.\//, '').includes('/')) {
    return deny(`${word.raw} means everything here. Name what is to go`);
  }
  let asked: Refusal | undefined;
  for (const file of namedFiles(root, word, command.folders)) {
    if (file.where === 'unknown')
      return deny(`which folder ${file.raw} is, is known only when it runs. Write the folder out`);
    if (file.where === 'outside') return deny(`${file.abs} is outside the workspace. Delete inside it only`);
    if (file.where !== 'inside') continue;
    if (file.path.rel === '.' || /(?:^|\/)\.git(?:\/|$)/i.test(file.path.rel)) {
      return deny(
        `it would delete ${file.path.rel === '.' ? 'the whole workspace' : 'the history of git'}. Name what is to go`,
      );
    }
    if (!isBuildOutput(file.path) && holdsSomething(file.path)) asked ??= ask(file.path);
  }
  return asked;
}

/** `src/*` is `src` as far as it holds anything. */
function folderOfAll(word: ShellWord): ShellWord | undefined {
  if (word.kind !== 'glob' || word.pieces.length !== 2 || word.pieces[1]!.type !== 'star') return undefined;
  const start = startOf(word);
  return /[^./]\/+$/.test(start) ? plainWord(start) : undefined;
}

function deny(reason: string): Refusal {
  return { decision: 'deny', by, reason };
}

function ask(path: FilePath): Refusal {
  return {
    decision: 'ask',
    by,
    reason: `${path.given} is no build output, and a deleted folder can’t be brought back. Delete single files instead`,
  };
}

/** What a build or a package manager makes again. */
function isBuildOutput({ rel }: FilePath): boolean {
  return rel.split('/').some((part) => output.has(part) || part.endsWith('.egg-info'));
}

const output: ReadonlySet<string> = new Set(
  (
    'node_modules dist build out target coverage tmp temp .cache .next .nuxt .output .svelte-kit .turbo .parcel-cache __pycache__ .pytest_cache ' +
    '.mypy_cache .ruff_cache .tox .nyc_output .gradle .venv venv htmlcov storybook-static'
  ).split(' '),
);

function holdsSomething({ abs }: FilePath): boolean {
  try {
    return readdirSync(abs).length > 0;
  } catch {
    // A file or nothing at all: the rules decide.
    return false;
  }
}

/** `find / -delete`: from outside, or with nothing that narrows it. */
function refuseFindDelete(command: PlainCommand, root: Root): Refusal | undefined {
  const texts = command.args.map((word) => plainText(word) ?? '');
  if (!texts.includes('-delete')) return undefined;
  const opened = texts.some((text) => text === '-o' || text === '-or' || text === ',');
  const narrowed = !opened && texts.some((text, at) => narrows(text, texts[at - 1], texts[at + 1]));
  const starts = command.args.filter((_word, at) => at < texts.findIndex((text) => /^[-(!]/.test(text)));
  const outside = starts.some((word) =>
    namedFiles(root, word, command.folders).some((file) => file.where !== 'inside'),
  );
  if (!outside && narrowed) return undefined;
  return {
    decision: 'deny',
    by: 'guard: find -delete',
    reason: 'it deletes whole trees. Narrow it by -name inside the workspace',
  };
}

/** `-type f` spares the folders and nothing else; what is negated spares one thing. */
function narrows(test: string, before: string | undefined, value: string | undefined): boolean {
  if (before === '!' || before === '-not') return false;
  if (/^-(?:i?name|i?path|i?wholename)$/.test(test)) return !/^[*?./]*$/.test(value ?? '');
  return /^-(?:i?regex|empty|[amc]time|size|newer|[amc]min)/.test(test);
}

function refuseModes(command: PlainCommand, root: Root): Refusal | undefined {
  const read = readArguments(command.args, removing);
  if (!read.options.some(({ name }) => name === '-R' || name === '--recursive')) return undefined;
  const wide = read.operands
    .slice(1)
    .some((word) => namedFiles(root, word, command.folders).some((file) => file.where === 'outside'));
  return wide
    ? {
        decision: 'deny',
        by: `guard: ${command.name} -R`,
        reason: 'it changes whole trees outside the workspace. Name single files',
      }
    : undefined;
}

/** `dd of=/dev/sda`, `cp image /dev/sdb`: whatever was on the disk is gone. */
function refuseDevice(command: PlainCommand): Refusal | undefined {
  const writes = command.args.some((word) => disk.test((plainText(word) ?? '').replace(/^of=/, '')));
  const reads = command.args.every((word) => !/^of=/.test(plainText(word) ?? '')) && readers.has(command.name!);
  if (!writes || reads) return undefined;
  return { decision: 'deny', by: 'guard: device', reason: 'it writes to a disk device. Write to a file instead' };
}

export const disk =
  /^\/dev\/(?:[shv]d[a-z]|nvme\d|mmcblk\d|disk\d|rdisk\d|mapper\/|dm-\d|md\d|loop\d|mem$|kmem$|port$)/;

const readers: ReadonlySet<string> = new Set(
  'ls stat file lsblk blkid df mount smartctl hdparm udevadm cat head test ['.split(' '),
);
