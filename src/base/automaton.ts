/**
 * A step of a compiled pattern. `one` eats one character that `takes` accepts; `fork` goes on at several places at once.
 * A program matches a text when it reaches its end exactly where the text ends.
 */
export type Step =
  | { readonly kind: 'one'; readonly takes: (code: number) => boolean }
  | { readonly kind: 'fork'; readonly to: readonly number[] };

/**
 * Runs a program over all of `text`, in time `steps × characters` whatever the pattern: all places it can be at are
 * carried along together, nothing is ever tried twice. Characters are code points.
 */
export function accepts(program: readonly Step[], text: string): boolean {
  const seen = new Uint32Array(program.length + 1);
  let now: number[] = [];
  let next: number[] = [];
  reach(program, 0, now, seen, 1);
  for (let at = 0, round = 2; at < text.length && now.length > 0; round += 1) {
    const code = text.codePointAt(at)!;
    at += code > 0xffff ? 2 : 1;
    next.length = 0;
    for (const place of now) {
      const step = program[place];
      if (step?.kind === 'one' && step.takes(code)) reach(program, place + 1, next, seen, round);
    }
    [now, next] = [next, now];
  }
  return now.includes(program.length);
}

/** Adds to `found` every place reachable from `start` without eating a character, each once a round. */
function reach(program: readonly Step[], start: number, found: number[], seen: Uint32Array, round: number): void {
  const pending = [start];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (seen[place] === round) continue;
    seen[place] = round;
    const step = program[place];
    if (step?.kind === 'fork') pending.push(...step.to);
    else found.push(place);
  }
}

/** Builds a program piece by piece; a piece is written for the place where it will stand. */
export interface ProgramBuilder {
  one(takes: (code: number) => boolean): void;
  text(characters: string): void;
  /** Any number of characters, none included, that `takes` accepts. */
  many(takes: (code: number) => boolean): void;
  /** What `write` adds, or nothing. */
  maybe(write: () => void): void;
  /** What `left` adds, or what `right` adds. */
  either(left: () => void, right: () => void): void;
  done(): readonly Step[];
}

/** @param fold ASCII letters match in either case */
export function programBuilder(fold = false): ProgramBuilder {
  const steps: Step[] = [];
  const one: ProgramBuilder['one'] = (takes) => void steps.push({ kind: 'one', takes });
  const fork = (...to: number[]): Step => ({ kind: 'fork', to });
  const maybe: ProgramBuilder['maybe'] = (write) => {
    const at = steps.push(fork()) - 1;
    write();
    steps[at] = fork(at + 1, steps.length);
  };
  return {
    one,
    text(characters) {
      for (const character of characters) one(takesCharacter(character, fold));
    },
    many(takes) {
      const at = steps.length;
      maybe(() => {
        one(takes);
        steps.push(fork(at));
      });
    },
    maybe,
    either(left, right) {
      const at = steps.push(fork()) - 1;
      left();
      const end = steps.push(fork()) - 1;
      steps[at] = fork(at + 1, steps.length);
      right();
      steps[end] = fork(steps.length);
    },
    done: () => steps,
  };
}

function takesCharacter(character: string, fold: boolean): (code: number) => boolean {
  const code = character.codePointAt(0)!;
  const other = fold && /[a-z]/i.test(character) ? code ^ 0x20 : code;
  return (found) => found === code || found === other;
}
