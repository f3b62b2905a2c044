import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import { unknownName } from '../base/suggest.ts';
import { capText } from '../base/text.ts';
import { defineTool, type Tool } from '../tool/tool.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { builtInSkills } from './built-in-skills.ts';
import type { SkillText } from './skill-file.ts';

export interface SkillOptions {
  /** The real path of the workspace. */
  readonly root: string;
  /** Only a trusted project's skills are looked at. */
  readonly trusted: boolean;
  /** The user's configuration folder; its `skills` are the user's own. */
  readonly home: string;
}

export interface Skill {
  readonly name: string;
  readonly description: string;
  /** Reads the instructions as they are now. */
  load(): Promise<string>;
  /** The folder whose files the instructions may name. */
  readonly folder?: string;
}

export interface Skills {
  readonly list: readonly Skill[];
  /** For `openWorkspace`: each skill's own files, read-only, as `@skills/NAME/…`. */
  readonly mounts: Readonly<Record<string, string>>;
  /** Files that could not be used, and why. */
  readonly notices: readonly string[];
}

const projectFolders = ['.benchdog/skills', '.agents/skills', '.claude/skills'];
const legalName = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/;
const maxBytes = 256 * 1024;
const maxEntries = 200;

/** Finds the skills of the project, then the user's, then our own; of two with one name the first counts. */
export async function findSkills({ root, trusted, home }: SkillOptions): Promise<Skills> {
  const notices: string[] = [];
  const found = new Map<string, Skill>();
  const add = (skills: readonly Skill[]) => {
    for (const skill of skills) if (!found.has(skill.name)) found.set(skill.name, skill);
  };
  if (trusted) {
    const workspace = openWorkspace({ root });
    for (const folder of projectFolders) add(await skillsIn(workspace, folder, join(root, folder), notices));
  }
  const own = join(home, 'skills');
  if (existsSync(own)) add(await ownSkills(own, notices));
  add(builtInSkills);
  const list = [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  const mounts = list.flatMap(({ name, folder }) => (folder === undefined ? [] : [[`@skills/${name}`, folder]]));
  return { list, mounts: Object.fromEntries(mounts), notices };
}

/** `skill`: loads what a skill says. Undefined where there is none to load. */
export function skillTool({ list }: Skills): Tool | undefined {
  if (list.length === 0) return undefined;
  return defineTool({
    name: 'skill',
    description: 'Load the instructions of a skill.',
    input: z.strictObject({ name: z.string() }),
    readOnly: true,
    prepare: ({ name }) => ({
      effects: [],
      subject: name,
      plan: async () => ({ type: 'answer', text: await loadSkill(list, name) }),
    }),
  });
}

async function loadSkill(list: readonly Skill[], name: string): Promise<string> {
  const skill = list.find((one) => one.name === name);
  if (skill !== undefined) return skill.load();
  const names = list.map((one) => one.name);
  throw new ToolError('missing', unknownName('skill', name, names));
}

/** The skills of a folder in a workspace, whose jail keeps links from leading out. */
async function skillsIn(workspace: Workspace, folder: string, shown: string, notices: string[]): Promise<Skill[]> {
  const skills: Skill[] = [];
  for (const name of await entriesOf(workspace, folder)) {
    const skill = await readSkill(workspace, `${folder}/${name}`, join(shown, name), notices);
    if (skill !== undefined) skills.push(skill);
  }
  return skills;
}

/** The user's own: they may be links to wherever the user keeps them. */
async function ownSkills(folder: string, notices: string[]): Promise<Skill[]> {
  const skills: Skill[] = [];
  for (const name of await entriesOf(openWorkspace({ root: folder }), '.')) {
    const shown = join(folder, name);
    if (!existsSync(shown)) continue;
    const real = realpathSync(shown);
    const skill = await readSkill(openWorkspace({ root: dirname(real) }), basename(real), shown, notices);
    if (skill !== undefined) skills.push(skill);
  }
  return skills;
}

async function entriesOf(workspace: Workspace, folder: string): Promise<string[]> {
  try {
    const entries = await workspace.list(workspace.resolve(folder));
    return entries
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('.'))
      .slice(0, maxEntries);
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
}

/** `NAME/SKILL.md` or `NAME.md`; anything else is no skill and no error. */
async function readSkill(
  workspace: Workspace,
  path: string,
  shown: string,
  notices: string[],
): Promise<Skill | undefined> {
  try {
    const isFolder = workspace.stat(workspace.resolve(path))?.isDirectory() ?? false;
    if (!isFolder && (!path.endsWith('.md') || path.endsWith('README.md'))) return undefined;
    const file = isFolder ? `${path}/SKILL.md` : path;
    const read = () => readText(workspace, file);
    const text = await read();
    const name = text.name ?? basename(shown, isFolder ? '' : '.md');
    if (!legalName.test(name))
      throw new ToolError('invalid', `has the name ${JSON.stringify(name)}, which is not allowed`);
    const { description } = text;
    if (!isFolder) return { name, description, load: async () => capText((await read()).body) };
    const folder = workspace.resolve(path).abs;
    return { name, description, folder, load: async () => capText(withPlace((await read()).body, name)) };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    notices.push(
      `The skill ${shown} is left out: it ${error.code === 'invalid' ? error.message : `can't be read (${error.message})`}.`,
    );
    return undefined;
  }
}

async function readText(workspace: Workspace, file: string): Promise<SkillText> {
  const path = workspace.resolve(file);
  if (!path.rel.toLowerCase().endsWith('.md'))
    throw new ToolError('invalid', `is a link to ${path.rel}, which is no .md file`);
  const { bytes } = await workspace.read(path, { maxBytes });
  // The YAML parser is loaded by those who have skills.
  const { parseSkill } = await import('./skill-file.ts');
  return parseSkill(bytes.toString('utf8'));
}

function withPlace(body: string, name: string): string {
  return `${body}\n\n(Files that this skill names are below @skills/${name}/)`;
}
