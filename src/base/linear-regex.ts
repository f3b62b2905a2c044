import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

let engine: typeof RE2JS | undefined;

/**
 * Compiles an expression in RE2 syntax: linear time, whatever it is. `^` and `$` are the ends of the text, with `lines` those of
 * any line in it. The engine is loaded with the first one, since few runs need any. Throws the engine's own error for what is
 * no expression.
 */
export function compileLinear(pattern: string, anchors: 'text' | 'lines' = 'text'): RE2JS {
  engine ??= (createRequire(import.meta.url)('re2js') as { RE2JS: typeof RE2JS }).RE2JS;
  return engine.compile(pattern, anchors === 'lines' ? engine.MULTILINE : 0);
}
