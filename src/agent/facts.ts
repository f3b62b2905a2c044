import { eventsOf, isAssistant, isResult, isUser, type ResultRecord, type SessionRecord } from './record.ts';
import { callsOf } from './transcript.ts';
import { commandIn, exitOf } from './turn-records.ts';

const mostLines = 120;
const mostPromptCharacters = 4000;

/**
 * What is certain about a stretch of a session, without a model's help: what the user said, every change and command with
 * its outcome, and how often which tool only looked. Nothing that ran is left unmentioned.
 */
export function factsOf(records: readonly SessionRecord[]): string {
  const sections = [
    section('What the user said', promptsIn(records)),
    section('Changes and commands, in order', deedsIn(records)),
    section('Looked at', looksIn(records)),
  ];
  return sections.filter((text) => text !== '').join('\n\n');
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const shown = lines.slice(-mostLines);
  const left = lines.length - shown.length;
  return [`## ${title}`, ...(left > 0 ? [`- ${left} earlier ones`] : []), ...shown.map((line) => `- ${line}`)].join(
    '\n',
  );
}

function promptsIn(records: readonly SessionRecord[]): string[] {
  return records
    .filter(isUser)
    .flatMap(({ kind, text }) => (kind === 'reminder' ? [] : [cut(text, mostPromptCharacters)]));
}

function deedsIn(records: readonly SessionRecord[]): string[] {
  const started = new Set(eventsOf(records, 'started').map(({ callId }) => callId));
  const commands = commandsById(records);
  return records.filter(isResult).flatMap((result) => {
    const changes = result.changes ?? [];
    if (changes.length === 0 && !started.has(result.callId) && !commands.has(result.callId)) return [];
    return [deed(result, commands.get(result.callId))];
  });
}

function deed(result: ResultRecord, command: string | undefined): string {
  const { tool, code, changes = [] } = result;
  const what = command === undefined ? tool : `${tool} \`${cut(command, 160)}\``;
  const exit = command === undefined ? undefined : exitOf(result);
  const outcome = code ?? (exit === undefined ? 'done' : `exit ${exit ?? 'unknown'}`);
  const touched = changes.map(({ type, path, to }) => `${type} ${path}${to === undefined ? '' : ` -> ${to}`}`);
  return [`${what}: ${outcome}`, ...(touched.length > 0 ? [touched.join(', ')] : [])].join('; ');
}

function commandsById(records: readonly SessionRecord[]): Map<string, string> {
  const commands = new Map<string, string>();
  for (const { parts } of records.filter(isAssistant)) {
    for (const call of callsOf(parts)) {
      const command = call.tool === 'bash' ? commandIn(call.arguments) : undefined;
      if (command !== undefined) commands.set(call.callId, command);
    }
  }
  return commands;
}

function looksIn(records: readonly SessionRecord[]): string[] {
  const counts = new Map<string, number>();
  const deeds = new Set(eventsOf(records, 'started').map(({ callId }) => callId));
  for (const { callId, tool, changes } of records.filter(isResult)) {
    if (deeds.has(callId) || changes !== undefined || tool === 'bash') continue;
    counts.set(tool, (counts.get(tool) ?? 0) + 1);
  }
  return [...counts].map(([tool, count]) => `${tool}, ${count} ${count === 1 ? 'call' : 'calls'}`);
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… (${text.length - most} more characters)` : text;
}
