import { describe, expect, it } from 'vitest';
import { foldName, foldsNames, type NameLookup, trueName } from '../../src/workspace/spelling.ts';
import { windowsNameProblem } from '../../src/workspace/windows-name.ts';
import { tempFolder } from '../support/folders.ts';

/** A file system in which letter case, Unicode composition and short names do not count. */
function folding(files: Record<string, readonly string[]>, short: Record<string, string> = {}): NameLookup {
  const find = (folder: string, name: string) => {
    const long = short[name.toUpperCase()] ?? name;
    return files[folder]?.find((one) => foldName(one) === foldName(long));
  };
  return {
    names: (folder) => files[folder] ?? [],
    identity: (path) => {
      const at = path.lastIndexOf('/');
      const folder = path.slice(0, at) || '/';
      const name = find(folder, path.slice(at + 1));
      return name === undefined ? undefined : `${folder}/${name}`;
    },
  };
}

/** A file system in which every spelling is its own file. */
function exact(files: Record<string, readonly string[]>): NameLookup {
  return {
    names: (folder) => files[folder] ?? [],
    identity: (path) => {
      const at = path.lastIndexOf('/');
      return files[path.slice(0, at) || '/']?.includes(path.slice(at + 1)) ? path : undefined;
    },
  };
}

describe('foldsNames', () => {
  it('finds out without writing', () => {
    expect(foldsNames('/ws', folding({ '/ws': ['README.md'] }))).toBe(true);
    expect(foldsNames('/ws', exact({ '/ws': ['README.md'] }))).toBe(false);
  });

  it('is not fooled by two files that differ in case only', () => {
    expect(foldsNames('/ws', exact({ '/ws': ['a', 'A', 'b'] }))).toBe(false);
  });

  it('asks about the folder itself when it is empty', () => {
    expect(foldsNames('/Users/ws', folding({ '/Users': ['ws'] }))).toBe(true);
    expect(foldsNames('/Users/ws', exact({ '/Users': ['ws'] }))).toBe(false);
    expect(foldsNames('/1/2', exact({ '/1': ['2'] }))).toBe(false);
  });

  it.runIf(process.platform === 'linux')('is false on the usual file systems of Linux', () => {
    expect(foldsNames(tempFolder({ 'A.txt': '' }))).toBe(false);
  });
});

describe('trueName', () => {
  const lookup = folding({ '/ws': ['Readme.md', 'caf\u00e9.txt', 'LongFolderName'] }, { 'LONGFO~1': 'LongFolderName' });

  it.each([
    ['Readme.md', 'Readme.md'],
    ['README.MD', 'Readme.md'],
    ['cafe\u0301.txt', 'caf\u00e9.txt'],
    ['LONGFO~1', 'LongFolderName'],
    ['new.txt', 'new.txt'],
  ])('spells %s as listed: %s', (asked, listed) => {
    expect(trueName('/ws', asked, lookup)).toBe(listed);
  });

  it('never takes one of two names for the other where they are two files', () => {
    const both = exact({ '/ws': ['a', 'A'] });
    expect([trueName('/ws', 'a', both), trueName('/ws', 'A', both)]).toEqual(['a', 'A']);
  });
});

describe('windowsNameProblem', () => {
  it.each(['CON', 'nul', 'aux.c', 'Com1.txt', 'lpt\u00b9', 'con .x', 'conin$', 'prn:'])(
    'refuses the device %j',
    (name) => {
      expect(windowsNameProblem(name)).toBe(`"${name}" is the name of a device on Windows`);
    },
  );

  it('refuses streams, drives, dropped ends and forbidden characters', () => {
    expect(windowsNameProblem('a.txt:evil')).toBe('"a.txt:evil" names an alternate data stream or a drive');
    expect(windowsNameProblem('C:')).toBe('"C:" names an alternate data stream or a drive');
    expect(windowsNameProblem('.env.')).toBe('Windows drops the dots and blanks at the end of ".env."');
    expect(windowsNameProblem('.env ')).toBe('Windows drops the dots and blanks at the end of ".env "');
    expect(windowsNameProblem('a?b')).toBe('"a?b" holds a character that Windows allows in no file name');
  });

  it.each(['console.ts', 'com10', 'auxiliary', 'nul_', '.gitignore', '..foo', 'a b', 'LONGFO~1'])(
    'takes %j',
    (name) => {
      expect(windowsNameProblem(name)).toBeUndefined();
    },
  );
});
