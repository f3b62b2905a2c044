import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSkill } from '../../src/extend/skill-file.ts';
import { findSkills, skillTool } from '../../src/extend/skills.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from '../support/folders.ts';
import { callTool } from '../support/tool-call.ts';

const skill = (description: string, body = 'Do it.', more = '') =>
  `---\ndescription: ${description}\n${more}---\n${body}\n`;
const named = (list: readonly { name: string; description: string }[]) =>
  list.filter(({ name }) => name !== 'benchdog-setup').map(({ name, description }) => `${name}: ${description}`);

test('skills come from the project’s three places, then the user’s, then our own; the first of a name counts', async () => {
  const root = tempFolder({
    '.benchdog/skills/one.md': skill('one of benchdog'),
    '.agents/skills/one/SKILL.md': skill('one of agents'),
    '.agents/skills/two/SKILL.md': skill('two of agents'),
    '.claude/skills/three.md': skill('three of claude', 'x', 'name: drei\n'),
    '.claude/skills/README.md': 'Not a skill.',
    '.claude/skills/notes.txt': 'Not a skill.',
  });
  const home = tempFolder({ 'skills/two.md': skill('two of the user'), 'skills/four.md': skill('four of the user') });
  const { list, notices } = await findSkills({ root, trusted: true, home });
  expect(named(list)).toEqual([
    'drei: three of claude',
    'four: four of the user',
    'one: one of benchdog',
    'two: two of agents',
  ]);
  expect(list.map(({ name }) => name)).toContain('benchdog-setup');
  expect(notices).toEqual([]);
});

test('a project that is not trusted has none', async () => {
  const root = tempFolder({ '.benchdog/skills/one.md': skill('one'), '.benchdog/skills/bad.md': 'x' });
  const { list, notices } = await findSkills({ root, trusted: false, home: tempFolder() });
  expect(named(list)).toEqual([]);
  expect(notices).toEqual([]);
});

test('bad files are told of and cost no other skill', async () => {
  const root = tempFolder({
    '.benchdog/skills/bare.md': 'Just text.',
    '.benchdog/skills/empty/other.md': 'No SKILL.md here.',
    '.benchdog/skills/good.md': skill('good'),
    '.benchdog/skills/named.md': skill('x', 'y', 'name: "../../etc"\n'),
    '.benchdog/skills/open.md': '---\ndescription: x\n',
    '.benchdog/skills/yaml.md': '---\ndescription: [1\n---\n',
    '.benchdog/skills/big.md': skill('big', 'x'.repeat(300_000)),
  });
  symlinkSync('/etc/passwd', join(root, '.benchdog/skills/out.md'));
  const { list, notices } = await findSkills({ root, trusted: true, home: tempFolder() });
  expect(named(list)).toEqual(['good: good']);
  const told = (name: string) => notices.find((notice) => notice.includes(`skills/${name}`));
  expect(told('bare.md')).toBe(
    `The skill ${root}/.benchdog/skills/bare.md is left out: it has no front matter: begin it with a line --- and a description.`,
  );
  expect(told('named.md')).toContain('has the name "../../etc", which is not allowed');
  expect(told('open.md')).toContain('does not end with a line ---');
  expect(told('yaml.md')).toContain('is not valid YAML');
  for (const name of ['empty', 'big.md', 'out.md']) expect(told(name)).toContain('can’t be read'.replace('’', "'"));
  expect(notices).toHaveLength(7);
});

test('a user’s skill may be a link to wherever it is kept', async () => {
  const home = tempFolder();
  mkdirSync(join(home, 'skills'));
  symlinkSync(tempFolder({ 'SKILL.md': skill('linked') }), join(home, 'skills', 'linked'));
  symlinkSync('/no/such/place', join(home, 'skills', 'dangling.md'));
  const { list, notices } = await findSkills({ root: tempFolder(), trusted: false, home });
  expect(named(list)).toEqual(['linked: linked']);
  expect(notices).toEqual([]);
});

test('the tool loads a skill as it is now, and its files are readable below its mount', async () => {
  const root = tempFolder({
    '.benchdog/skills/deploy/SKILL.md': skill('deploys', 'Run steps.txt.'),
    '.benchdog/skills/deploy/steps.txt': 'step one\n',
  });
  const skills = await findSkills({ root, trusted: true, home: tempFolder() });
  const tool = skillTool(skills)!;
  const load = (name: string) => callTool(tool, { name }, { root });
  expect((await load('deploy')).text).toBe('Run steps.txt.\n\n(Files that this skill names are below @skills/deploy/)');
  writeFileSync(join(root, '.benchdog/skills/deploy/SKILL.md'), skill('deploys', 'Changed.'));
  expect((await load('deploy')).text).toMatch(/^Changed\./);
  expect(await load('deplyo')).toMatchObject({
    code: 'missing',
    text: 'unknown skill "deplyo". Did you mean "deploy"? Valid: benchdog-setup, deploy.',
  });
  const workspace = openWorkspace({ root, mounts: skills.mounts });
  const { bytes } = await workspace.read(workspace.resolve('@skills/deploy/steps.txt'));
  expect(bytes.toString()).toBe('step one\n');
  expect(() => workspace.resolve('@skills/deploy/../../../x')).toThrow();
});

describe('front matter', () => {
  test('may have CRLF, a byte order mark and other keys; a description on several lines is one', () => {
    const text =
      '\uFEFF---\r\nname: x\r\ndescription: >\r\n  one\r\n  two\r\nallowed-tools: [bash]\r\n---\r\nBody\r\n---\r\nmore\r\n';
    expect(parseSkill(text)).toEqual({ name: 'x', description: 'one two', body: 'Body\r\n---\r\nmore' });
  });

  test.each([
    ['a bomb of aliases', `a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\ndescription: [*c,*c]`],
    ['very deep nesting', `description: ${'['.repeat(5000)}`],
    ['a key that stands twice', 'description: a\ndescription: b'],
    ['no object', '- a'],
    ['no description', 'name: x'],
    ['a description that is no text', 'description: [a]'],
    ['a name that is no text', 'name: 5\ndescription: x'],
    ['more than 16 KB', `description: x\nother: ${'x'.repeat(20_000)}`],
  ])('with %s is refused', (_, yaml) => {
    expect(() => parseSkill(`---\n${yaml}\n---\nbody`)).toThrow(/^has /);
  });
});

test('a skill is no way around the rules: not by a link to a secret, not by a second name of one', async () => {
  const root = tempFolder({
    '.env': 'KEY=a-secret-value',
    'x.env': skill('a secret'),
    '.benchdog/skills/one/SKILL.md': skill('one'),
    '.benchdog/skills/two/x': '',
  });
  symlinkSync('../../../x.env', join(root, '.benchdog/skills/two/SKILL.md'));
  linkSync(join(root, '.env'), join(root, '.benchdog/skills/one/more.md'));
  const { list, notices, mounts } = await findSkills({ root, trusted: true, home: tempFolder() });
  expect([named(list), notices]).toEqual([
    ['one: one'],
    [`The skill ${join(root, '.benchdog/skills/two')} is left out: it is a link to x.env, which is no .md file.`],
  ]);
  const workspace = openWorkspace({ root, mounts, visible: ({ rel }) => !rel.endsWith('.env') });
  await expect(workspace.read(workspace.resolve('@skills/one/more.md'))).rejects.toThrow(
    'Reading @skills/one/more.md is denied: it is another name (a hard link) of .env.',
  );
});
