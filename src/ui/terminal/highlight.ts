import type { HLJSApi, LanguageFn } from 'highlight.js';
import type { Style, Theme } from './theme.ts';

type Load = () => Promise<{ readonly default: LanguageFn }>;

/** The languages that can be coloured, each loaded when it first appears. */
const languages: Readonly<Record<string, Load>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  css: () => import('highlight.js/lib/languages/css'),
  go: () => import('highlight.js/lib/languages/go'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  python: () => import('highlight.js/lib/languages/python'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  sql: () => import('highlight.js/lib/languages/sql'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};

const aliases: Readonly<Record<string, string>> = {
  cc: 'cpp',
  h: 'c',
  hpp: 'cpp',
  html: 'xml',
  js: 'javascript',
  jsonc: 'json',
  jsx: 'javascript',
  mjs: 'javascript',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  svg: 'xml',
  ts: 'typescript',
  tsx: 'typescript',
  yml: 'yaml',
  zsh: 'bash',
};

/** Colours code. What is not loaded yet comes back plain, and is loaded for the next time. */
export interface Highlighter {
  highlight(code: string, language: string | undefined): string[];
  /** Loads a language, if it is a known one. */
  load(language: string): Promise<void>;
}

/** Code longer than this stays plain: its colours would cost more than they tell. */
const mostCharacters = 100_000;

export function createHighlighter(theme: Theme): Highlighter {
  let core: HLJSApi | undefined;
  const load = async (given: string): Promise<void> => {
    const name = nameOf(given);
    if (name === undefined || !theme.color || core?.getLanguage(name) !== undefined) return;
    const [api, language] = await Promise.all([import('highlight.js/lib/core'), languages[name]!()]);
    core = api.default;
    core.registerLanguage(name, language.default);
  };
  return {
    load,
    highlight(code, given) {
      const name = given === undefined ? undefined : nameOf(given);
      if (name === undefined || code.length > mostCharacters) return code.split('\n');
      if (core?.getLanguage(name) === undefined) {
        void load(name).catch(() => {});
        return code.split('\n');
      }
      return paintHtml(core.highlight(code, { language: name, ignoreIllegals: true }).value, theme).split('\n');
    },
  };
}

function nameOf(given: string): string | undefined {
  const word = given.toLowerCase();
  const name = Object.hasOwn(aliases, word) ? aliases[word]! : word;
  return Object.hasOwn(languages, name) ? name : undefined;
}

const styles: Readonly<Record<string, Style>> = {
  keyword: 'keyword',
  built_in: 'name',
  type: 'name',
  literal: 'number',
  number: 'number',
  string: 'string',
  regexp: 'string',
  subst: 'string',
  comment: 'muted',
  doctag: 'muted',
  title: 'name',
  attr: 'name',
  attribute: 'name',
  name: 'keyword',
  tag: 'keyword',
  meta: 'muted',
  variable: 'accent',
  symbol: 'string',
};

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" };

/** The highlighter's HTML as terminal text: each line carries its own colours. */
function paintHtml(html: string, theme: Theme): string {
  const open: (Style | undefined)[] = [];
  let out = '';
  for (const [token] of html.matchAll(/<span class="[^"]*">|<\/span>|[^<]+/g)) {
    if (token === '</span>') open.pop();
    else if (token.startsWith('<span')) open.push(styleOf(token));
    else
      out += paintText(
        token,
        open.findLast((style) => style !== undefined),
        theme,
      );
  }
  return out;
}

/** `<span class="hljs-title function_">` */
function styleOf(tag: string): Style | undefined {
  const scope = /hljs-(\w+)/.exec(tag)?.[1];
  return scope !== undefined && Object.hasOwn(styles, scope) ? styles[scope] : undefined;
}

function paintText(html: string, style: Style | undefined, theme: Theme): string {
  const text = html.replace(/&(lt|gt|amp|quot|#x27);/g, (_, name: string) => entities[name]!);
  if (style === undefined) return text;
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : theme.paint(style, line)))
    .join('\n');
}
