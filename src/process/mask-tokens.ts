import { maskText, type TextFilter } from './text-filter.ts';

/** Longest run of token characters that is held back at the end of a piece. */
const maxToken = 2048;

/**
 * Shapes of tokens that are masked wherever they appear, by their issuers' documented prefixes: Anthropic, OpenAI and
 * OpenRouter keys, GitHub, GitLab, npm, Slack, Google, Hugging Face, Stripe, AWS access key ids, JSON web tokens.
 */
const tokenShapes =
  /\b(?:sk-[A-Za-z0-9_-]{20,512}|gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}|glpat-[A-Za-z0-9_-]{20,255}|npm_[A-Za-z0-9]{36}|xox[abeprs]-[A-Za-z0-9-]{10,255}|AIza[A-Za-z0-9_-]{35}|hf_[A-Za-z0-9]{30,255}|[rs]k_live_[A-Za-z0-9]{16,255}|(?:AKIA|ASIA)[A-Z0-9]{16}|eyJ[A-Za-z0-9_-]{8,1024}\.eyJ[A-Za-z0-9_-]{8,2048}\.[A-Za-z0-9_-]{8,1024})/g;
/** A cheap look whether the expensive one is worth it. */
const tokenHint = /sk-|gh[pousr]_|github_pat|glpat-|npm_|xox|AIza|hf_|k_live_|AKIA|ASIA|eyJ/;

/** Masks what has the shape of a token. */
export function tokenFilter(): TextFilter {
  let held = '';
  const clean = (text: string) => (tokenHint.test(text) ? text.replace(tokenShapes, maskText) : text);
  return {
    push(text) {
      const whole = held + text;
      const cut = whole.length - tokenTail(whole);
      held = whole.slice(cut);
      return clean(whole.slice(0, cut));
    },
    finish() {
      const rest = clean(held);
      held = '';
      return rest;
    },
  };
}

/** How many characters at the end may be the beginning of a token. */
function tokenTail(text: string): number {
  let length = 0;
  while (length < text.length && isTokenCharacter(text.charCodeAt(text.length - 1 - length))) {
    length += 1;
    if (length > maxToken) return 0;
  }
  // An ordinary word or a prompt is shown at once: only a run that begins like a token is worth waiting for.
  const run = text.slice(text.length - length);
  return length > 0 && mayBegin(run) ? length : 0;
}

const prefixes = [
  'sk-',
  'sk_live_',
  'rk_live_',
  'github_pat_',
  'glpat-',
  'npm_',
  'xox',
  'AIza',
  'hf_',
  'AKIA',
  'ASIA',
  'eyJ',
].concat([...'pousr'].map((kind) => `gh${kind}_`));

function mayBegin(run: string): boolean {
  return tokenHint.test(run) || prefixes.some((prefix) => endsWithBeginningOf(run, prefix));
}

function endsWithBeginningOf(text: string, word: string): boolean {
  for (let length = Math.min(word.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(word.slice(0, length))) return true;
  }
  return false;
}

function isTokenCharacter(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95 ||
    code === 45 ||
    code === 46
  );
}
