import type { RanCommand } from './receipt.ts';

const subject =
  /\b(tests?|test suite|specs?|builds?|compiles?|compilation|type-?checks?|lint(s|ing|er)?|everything|all checks|CI|pytest|jest|vitest|mocha|rspec|phpunit|ctest|tox|tsc|eslint|biome|ruff|mypy|clippy|(npm|yarn|pnpm|cargo|go|make|mvn|gradle|dotnet) (test|check|build))\b/i;
const success =
  /\b(pass(es|ed|ing)?|green|succeed(s|ed)?|successful(ly)?|clean(ly)?|compiles|builds|without (any )?errors|no (errors|failures)|0 (errors|failures|failed))\b/i;
const hedge =
  /\b(not|never|no longer|should|would|could|can(not)?|may|might|if|once|when|until|before|please|fail(s|ed|ing|ure)?|unable|untested|unverified|expect(ed)?|will|need(s|ed)?|want|ensure|make sure|run|verify|so that|claim(s|ed)?|assum(e|ed|ing))\b|n['’]t\b|\?/i;
/** Words after which `0 failures` and `no errors` are good news, not hedges. */
const goodNews = /\b(0|no|without( any)?) (failures?|failed|errors?)\b/gi;

/** The sentences of an answer that say tests, a build or another check passed. */
export function claimsIn(answer: string): string[] {
  return sentences(answer).filter(
    (sentence) => subject.test(sentence) && success.test(sentence) && !hedge.test(sentence.replace(goodNews, 'clean')),
  );
}

/** Whether one of the commands, run after the last change, can have shown it: it ended with 0 and its exit code is its own. */
export function isBacked(commands: readonly RanCommand[]): boolean {
  return commands.some(({ command, exit }) => exit === 0 && isCheck(command));
}

/** Looking around proves nothing, and behind a pipe or `|| true` the exit code is another's. */
function isCheck(command: string): boolean {
  const parts = command
    .split(/&&|;|\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  const masked = /\|\|/.test(command) || (last.includes('|') && !/pipefail/.test(command));
  const hidden = /;|\n/.test(command) && !/^set -[a-z]*e|;?\s*set -e/.test(command) && isIdle(last);
  return !masked && !hidden && parts.some((part) => !isIdle(part));
}

const idle =
  /^(ls|cat|head|tail|echo|printf|pwd|cd|true|:|git|grep|rg|find|fd|wc|sed|awk|diff|stat|which|type|env|export|set|date|du|tree|sleep|mkdir|touch|cp|mv|rm|chmod)\b/;

function isIdle(part: string): boolean {
  return idle.test(part);
}

function sentences(text: string): string[] {
  const prose = withoutCode(text);
  return prose
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.replace(/^[\s>*#-]+/, '').trim())
    .filter((sentence) => sentence !== '' && sentence.length < 600);
}

/** Fenced blocks quote output; they claim nothing. */
function withoutCode(text: string): string {
  return text
    .split('```')
    .filter((_, at) => at % 2 === 0)
    .join('\n');
}
