/**
 * For web-test-runner: appends the result of each test, as a line of JSON, to the file `TEST_RESULTS`, as soon as its file has ended; see
 * `results.ts`. Without that file it prints the failures and the counts at the end.
 */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

const { TEST_RESULTS } = process.env;

function testsIn({ name = '', tests = [], suites = [] } = {}) {
  const inside = [...tests, ...suites.flatMap(testsIn)];
  return name ? inside.map((test) => ({ ...test, name: `${name} > ${test.name}` })) : inside;
}

/** As `Result` of `results.ts`. A file that failed before its first test counts as one failure. */
function resultsOf(session) {
  const file = relative(process.cwd(), session.testFile);
  const tests = testsIn(session.testResults).map(({ name, duration, skipped, passed, error }) => ({
    file,
    name,
    ms: duration,
    ...(skipped && { skip: 'not in this browser' }),
    ...(!skipped && !passed && { error: error?.message ?? 'It failed without a reason.' }),
  }));
  if (session.passed || tests.some(({ error }) => error !== undefined)) return tests;
  return [...tests, { file, error: session.errors[0]?.message ?? 'It ended before its tests did.' }];
}

export function unitReporter() {
  return {
    reportTestFileResults({ sessionsForTestFile }) {
      if (!TEST_RESULTS) return;
      const lines = sessionsForTestFile.flatMap(resultsOf).map((result) => `${JSON.stringify(result)}\n`);
      appendFileSync(TEST_RESULTS, lines.join(''));
    },
    onTestRunFinished({ sessions, errorCount }) {
      if (TEST_RESULTS) return;
      const results = sessions.flatMap(resultsOf).filter(({ skip }) => !skip);
      const failures = results.filter(({ error }) => error !== undefined);
      for (const { file, name = 'the file itself', error } of failures)
        console.log(`unit failed: ${JSON.stringify({ file, name, error })}`);
      const failed = failures.length + (errorCount ?? 0);
      console.log(`unit: ${results.length - failures.length} passed, ${failed} failed`);
    },
  };
}
