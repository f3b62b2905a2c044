import type { Effect } from '../tool/tool.ts';
import { type Deed, foreignDeed, pathDeed } from './deed.ts';
import { refusals } from './guards.ts';
import { type JudgeContext, judgeBare, judgeDeed, type RuledEffect } from './judge.ts';
import { judgeDone } from './judge-done.ts';
import { judgeShell } from './judge-shell.ts';
import { refuseOwnFiles, refuseSettings } from './own-files.ts';
import { readable } from './readable.ts';
import { readShellLine } from './shell/command.ts';
import type { ShellLine } from './shell/line.ts';
import type { JudgedCall, JudgedEffect, Verdict } from './verdict.ts';
import { strictest } from './verdict.ts';

/** The deeds of a call by effect; a shell command is a line of them. */
export interface TakenApart {
  readonly parts: readonly (ShellLine | { readonly deeds: readonly Deed[] })[];
  readonly lines: readonly ShellLine[];
}

export function takeCallApart(context: JudgeContext, call: JudgedCall): TakenApart {
  const parts = call.effects.map((effect) => takeApart(context, effect));
  return { parts, lines: parts.filter((part) => 'text' in part) };
}

function takeApart(context: JudgeContext, effect: Effect): ShellLine | { readonly deeds: readonly Deed[] } {
  switch (effect.kind) {
    case 'read':
    case 'write':
    case 'delete':
      return { deeds: [pathDeed(effect.kind, effect.path)] };
    case 'network':
      return { deeds: [{ kind: 'network', subject: effect.host, faces: [{ safe: [effect.host], loose: [] }] }] };
    case 'execute':
      if ('tool' in effect) return { deeds: [foreignDeed(effect.tool, effect.arguments)] };
      return readShellLine(effect.command, effect.shell, effect.cwd.abs, {
        root: context.root,
        readable: (path) => readable(context, path),
        hidden: context.history.hidden,
      });
  }
}

/** What guards, own files and rows say of a call; the strictest decides. */
export function ruleCall(context: JudgeContext, call: JudgedCall, taken: TakenApart): readonly RuledEffect[] {
  const { parts, lines } = taken;
  if (parts.length === 0) return ruleByRows(context, call, taken);
  const deeds = parts.length === 1 ? parts[0]!.deeds : parts.flatMap((part) => part.deeds);
  if (call.done === true)
    return [...ownRefusals(context, deeds), ...deeds.map((deed) => judgeDone(context, call, deed))];
  const refused = refusals(context.guards, deeds, lines, context.root).map((effect) => underNone(context, effect));
  return [...ownRefusals(context, deeds), ...refused, ...ruleByRows(context, call, taken)];
}

function ownRefusals({ own, settings }: JudgeContext, deeds: readonly Deed[]): RuledEffect[] {
  return deeds.flatMap((deed) => {
    const refusal = refuseOwnFiles(own, deed) ?? refuseSettings(settings, deed);
    return refusal === undefined ? [] : [{ kind: deed.kind, subject: deed.subject, ...refusal }];
  });
}

/** The same without guards. */
export function ruleByRows(context: JudgeContext, call: JudgedCall, { parts }: TakenApart): readonly RuledEffect[] {
  if (parts.length === 0) return [{ kind: 'execute', subject: call.subject, ...judgeBare(context, call) }];
  return parts.flatMap((part) =>
    'text' in part ? judgeShell(context, call, part) : part.deeds.map((deed) => judgeDeed(context, call, deed)),
  );
}

/**
 * The strictest effect decides. Guards come first, so of equally strict answers theirs is told; else one that gives a
 * reason.
 */
export function verdictOf(effects: readonly RuledEffect[], shown = effects): Verdict {
  const decision = strictest(effects.map((effect) => effect.decision));
  const strict = effects.filter((effect) => effect.decision === decision);
  const { by, reason } = strict.find((effect) => effect.reason !== undefined) ?? strict[0]!;
  return { decision, by, ...(reason === undefined ? {} : { reason }), effects: shown.map(plainEffect) };
}

function plainEffect({ kind, subject, decision, by, reason }: RuledEffect): JudgedEffect {
  return { kind, subject, decision, by, ...(reason === undefined ? {} : { reason }) };
}

/** A guard's *ask* outlives `--approve all`; where nobody may be asked it is a denial. */
function underNone(context: JudgeContext, effect: RuledEffect): RuledEffect {
  return context.approve === 'none' ? { ...effect, decision: 'deny' } : effect;
}
