import { readlinkSync, readSync } from 'node:fs';
import { systemCode, ToolError } from '../base/error.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { pathOf, quoteName } from './git-path.ts';
import type { Section } from './git-sections.ts';

/** Larger new files are named with their size. */
const maxShown = 1024 * 1024;
const sniffed = 8192;

/** A file that git does not know yet, as the section that `git diff` would show once it is added. */
export async function untrackedSection(workspace: Workspace, name: string): Promise<Section | undefined> {
  // A folder is a repository of its own.
  if (name.endsWith('/')) return { text: `new repository ${quoteName(name)} (not looked into)\n` };
  const path = pathOf(workspace, name);
  if (path === undefined) return undefined;
  try {
    if (path.abs !== `${workspace.root.real}/${name}`) return linkSection(workspace, name);
    return await workspace.open(path, (fd, stats) => {
      const header = headerOf(name, (stats.mode & 0o111) === 0 ? '100644' : '100755');
      if (stats.size > maxShown) {
        return { text: `${header}(${stats.size.toLocaleString('en-US')} bytes, not shown; read it with read_file)\n` };
      }
      return { name, text: header + additions(name, readAll(fd)) };
    });
  } catch (error) {
    // Gone or replaced since it was listed.
    if (error instanceof ToolError || systemCode(error) !== undefined) return undefined;
    throw error;
  }
}

function linkSection(workspace: Workspace, name: string): Section {
  const target = Buffer.from(readlinkSync(`${workspace.root.real}/${name}`));
  return { name, text: headerOf(name, '120000') + additions(name, target) };
}

function headerOf(name: string, mode: string): string {
  return `diff --git ${quoteName(`a/${name}`)} ${quoteName(`b/${name}`)}\nnew file mode ${mode}\n`;
}

function additions(name: string, bytes: Buffer): string {
  if (bytes.length === 0) return '';
  const quoted = quoteName(`b/${name}`);
  if (bytes.subarray(0, sniffed).includes(0)) return `Binary files /dev/null and ${quoted} differ\n`;
  const text = bytes.toString();
  const ended = text.endsWith('\n');
  const lines = (ended ? text.slice(0, -1) : text).split('\n');
  const count = lines.length === 1 ? '1' : `1,${lines.length}`;
  const body = lines.map((line) => `+${line}\n`).join('');
  // git's own form: a tab ends a name that holds a blank.
  const tab = quoted.startsWith('"') || !quoted.includes(' ') ? '' : '\t';
  return `--- /dev/null\n+++ ${quoted}${tab}\n@@ -0,0 +${count} @@\n${body}${ended ? '' : '\\ No newline at end of file\n'}`;
}

function readAll(fd: number): Buffer {
  const buffer = Buffer.allocUnsafe(maxShown + 1);
  let length = 0;
  for (let got = -1; got !== 0 && length < buffer.length; length += got) {
    got = readSync(fd, buffer, length, buffer.length - length, null);
  }
  return buffer.subarray(0, length);
}
