import type * as Unbash from 'unbash';

/**
 * What a line computes. Bash evaluates the value of a variable in arithmetic, as a subscript and behind `!` or `@P`
 * once more: with the value `a[$(cmd)]` it runs `cmd`, which no grammar sees.
 */
export interface Evaluation {
  /** A value is evaluated somewhere. */
  evaluates: boolean;
  /** A variable or parameter gets a value that may hold a subscript or a substitution. */
  sets: boolean;
}

export const evaluatedText = 'it computes with a value that the line sets, and bash may run commands in it';

export function startEvaluation(): Evaluation {
  return { evaluates: false, sets: false };
}

/** Notes what one node evaluates or sets. */
export function noteEvaluation(evaluation: Evaluation, node: Unbash.SyntaxNode): void {
  switch (node.type) {
    case 'ArithmeticWord':
      noteComputed(evaluation, node.value);
      break;
    case 'ParameterExpansion':
      noteParameter(evaluation, node);
      break;
    case 'TestBinary':
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator))
        noteComputed(evaluation, `${node.left.text} ${node.right.text}`);
      break;
    case 'TestUnary':
      if (node.operator === '-v' || node.operator === '-R') noteComputed(evaluation, node.operand.text);
      break;
    case 'Assignment':
      if (node.index !== undefined) noteComputed(evaluation, node.index.text);
      if (node.value.type === 'Word') noteValue(evaluation, node.value);
      else for (const element of node.value.elements) noteValue(evaluation, element);
      break;
    case 'For':
    case 'Select':
      if (node.wordlist === undefined) evaluation.sets = true;
      for (const word of node.wordlist ?? []) noteValue(evaluation, word);
      break;
    case 'Function':
      // Its parameters are whatever it is called with.
      evaluation.sets = true;
      break;
    case 'Command':
      noteCommand(evaluation, node);
      break;
    default:
  }
}

/** Names are evaluated. Some of them hold text of the line itself, set by nobody. */
function noteComputed(evaluation: Evaluation, text: string): void {
  const rest = text.replaceAll(/\$\{?[#?$!]\}?|\b\d[\w#@]*/g, '');
  if (!/[\w$`[]/.test(rest)) return;
  evaluation.evaluates = true;
  if (/\[|`|\$[({\d@*_]|\b(?:_|BASH\w*|REPLY|DIRSTACK|FUNCNAME|\w*PWD|OPTARG)\b/.test(rest)) evaluation.sets = true;
}

function noteParameter(evaluation: Evaluation, node: Unbash.ParameterExpansionPart): void {
  const { operation, index } = node;
  if (index !== undefined && !/^[@*]$/.test(index.text)) noteComputed(evaluation, index.text);
  if (operation?.type === 'Slice') noteComputed(evaluation, `${operation.offset.text} ${operation.length?.text ?? ''}`);
  const indirect = node.prefix === '!' && operation?.type !== 'Names' && index === undefined;
  if (indirect || (operation?.type === 'Transform' && /P/.test(operation.operand.text))) evaluation.evaluates = true;
  if (operation?.type === 'Default' && operation.operator.endsWith('=')) noteValue(evaluation, operation.operand);
}

/** A value without a subscript, or one that bash has computed, can hold no command. */
function noteValue(evaluation: Evaluation, word: Unbash.Word): void {
  const text = word.text.replaceAll(/\$\(\([\w\s+*/%()<>=!&|^~?:,$-]*\)\)|\$\{?[#?$!]\}?/g, '');
  if (!/^[\w\s.,:/+%='"-]*$/.test(text)) evaluation.sets = true;
}

const setters: ReadonlySet<string> = new Set(
  'read mapfile readarray getopts export declare typeset local readonly set printf source . let'.split(' '),
);

function noteCommand(evaluation: Evaluation, node: Unbash.Command): void {
  const name = node.name?.value;
  if (name === undefined || !setters.has(name)) return;
  if (name === 'let') for (const arg of node.args) noteComputed(evaluation, arg.text);
  else if (['read', 'mapfile', 'readarray', 'source', '.'].includes(name)) evaluation.sets = true;
  else for (const arg of node.args) if (arg.type === 'Word') noteValue(evaluation, arg);
}
