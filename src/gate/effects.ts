import type { Effect } from '../tool/tool.ts';
import { type Deed, foreignDeed, pathDeed } from './deed.ts';
import type { JudgeContext } from './judge.ts';
import type { JudgedCall } from './verdict.ts';

/** Takes a call apart into deeds: a shell line becomes its commands and the files they touch. */
export function deedsOf(call: JudgedCall, context: JudgeContext): readonly Deed[] {
  return call.effects.flatMap((effect) => deedsOfEffect(effect, context));
}

function deedsOfEffect(effect: Effect, _context: JudgeContext): readonly Deed[] {
  switch (effect.kind) {
    case 'read':
    case 'write':
    case 'delete':
      return [pathDeed(effect.kind, effect.path)];
    case 'network':
      return [{ kind: 'network', subject: effect.host, faces: [{ safe: [effect.host], loose: [] }] }];
    case 'execute':
      return 'tool' in effect ? [foreignDeed(effect.tool, effect.arguments)] : [unreadLine(effect.command)];
  }
}

function unreadLine(command: string): Deed {
  const line = command.trim();
  return {
    kind: 'execute',
    subject: line,
    faces: [{ safe: [line], loose: [] }],
    doubt: 'the command line was not taken apart',
  };
}
