import { claimWords } from './claim-words.ts';
import type { RanCommand } from './receipt.ts';

/** Words after which `0 failures` and `no errors` are good news, not hedges. */
const goodNews = /\b(0|no|without( any)?) (failures?|failed|errors?)\b/gi;

/** The sentences of an answer that say tests, a build or another check passed. */
export function claimsIn(answer: string): string[] {
  return sentences(answer).filter(isClaim);
}

/** Languages have words in common: a sentence claims when none that can read it finds a doubt. */
function isClaim(sentence: string): boolean {
  const text = sentence.replace(goodNews, 'clean');
  const spoken = claimWords.filter(({ subject, success }) => subject.test(text) && success.test(text));
  return spoken.length > 0 && spoken.every(({ hedge }) => !hedge.test(text));
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
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/)
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
