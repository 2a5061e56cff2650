/**
 * For web-test-runner: says at the end how many tests passed and failed, so that `scripts/test.ts` can add them up, and which took long.
 */
function testsIn({ name = '', tests = [], suites = [] } = {}) {
  const inside = [...tests, ...suites.flatMap(testsIn)];
  return name ? inside.map((test) => ({ ...test, name: `${name} > ${test.name}` })) : inside;
}

export function countReporter() {
  return {
    onTestRunFinished({ sessions, errorCount }) {
      const tests = sessions
        .flatMap((session) => testsIn(session.testResults))
        .filter((test) => !test.skipped);
      // A file that failed before its first test has none to count.
      const broken = sessions.filter(
        (session) => !session.passed && testsIn(session.testResults).every((test) => test.passed),
      );
      const failed = tests.filter((test) => !test.passed).length + broken.length + (errorCount ?? 0);
      for (const { name, duration } of tests) if (duration) console.log(`unit took ${duration} ms: ${name}`);
      console.log(`unit: ${tests.filter((test) => test.passed).length} passed, ${failed} failed`);
    },
  };
}
