import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one plain line that scripts can read: `N passed, N failed, N skipped`. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      let tests = 0;
      for (const test of module.children.allTests()) {
        tests += 1;
        count[test.result().state] += 1;
      }
      if (tests === 0 && module.state() === 'failed') count.failed += 1;
    }
    // Printed after the default reporter's own summary.
    setImmediate(() => console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`));
  }
}
