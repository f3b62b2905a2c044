import { createRequire } from 'node:module';
import type * as Unbash from 'unbash';

let grammar: typeof Unbash | undefined;

/** The shell grammar, loaded when the first command line is judged: most starts never need it. */
export function shellGrammar(): typeof Unbash {
  grammar ??= createRequire(import.meta.url)('unbash') as typeof Unbash;
  return grammar;
}

/** What POSIX `sh` reads otherwise than bash, or not at all. `source` is the line the node was read from. */
export function isBashOnly(node: Unbash.SyntaxNode, source: string): boolean {
  if (bashTypes.has(node.type)) return true;
  switch (node.type) {
    case 'Redirect':
      return node.operator.startsWith('&') || node.descriptor?.type === 'FileDescriptorVariable' || isDupToFile(node);
    case 'Pipeline':
      return node.operators.includes('|&');
    case 'Function':
      return source.startsWith('function', node.pos);
    case 'Assignment':
      return node.append === true || node.index !== undefined;
    case 'CommandExpansion':
      return node.text.startsWith('${');
    case 'ParameterExpansion':
      return node.operation !== undefined && !posixOperations.has(node.operation.type);
    case 'CaseItem':
      return node.terminator === ';&' || node.terminator === ';;&';
    default:
      return false;
  }
}

const bashTypes: ReadonlySet<string> = new Set([
  'TestCommand',
  'ArithmeticCommand',
  'ArithmeticFor',
  'Select',
  'Coproc',
  'ProcessSubstitution',
  'HereString',
  'AnsiCQuoted',
  'LocaleString',
  'BraceExpansion',
  'ExtendedGlob',
  'ArrayValue',
  'Time',
]);

const posixOperations: ReadonlySet<string> = new Set(['Default', 'Remove']);

/** `>&file` writes a file in bash and is an error elsewhere. */
function isDupToFile(node: Unbash.Redirect): boolean {
  return node.operator === '>&' && !/^(?:\d+|-)$/.test(node.target?.value ?? '');
}

/** What is read once more for what it holds. */
export const holders: ReadonlySet<string> = new Set([
  'CommandExpansion',
  'ProcessSubstitution',
  'ParameterExpansion',
  'ArithmeticExpansion',
]);
