/**
 * For web-test-runner: at the end, how many tests passed and failed, why each failed, and how long each took, as JSON in the file
 * `TEST_TIMES`, synchronously, because a process that exits may lose the end of what it prints. Without that file it prints all but the times.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

function testsIn({ name = '', tests = [], suites = [] } = {}) {
  const inside = [...tests, ...suites.flatMap(testsIn)];
  return name ? inside.map((test) => ({ ...test, name: `${name} > ${test.name}` })) : inside;
}

const fileOf = ({ testFile = '' }) => ({ file: relative(process.cwd(), testFile) });

export function countReporter() {
  return {
    onTestRunFinished({ sessions, errorCount }) {
      const tests = sessions
        .flatMap((session) => testsIn(session.testResults).map((test) => ({ ...test, ...fileOf(session) })))
        .filter((test) => !test.skipped);
      // A file that failed before its first test has none to count.
      const broken = sessions.filter(
        (session) => !session.passed && testsIn(session.testResults).every((test) => test.passed),
      );
      const failures = [
        ...tests
          .filter((test) => !test.passed)
          .map(({ file, name, error }) => ({ file, name, error: error?.message })),
        ...broken.map((session) => ({
          ...fileOf(session),
          name: 'the file itself',
          error: session.errors[0]?.message,
        })),
      ];
      const passed = tests.filter((test) => test.passed).length;
      const failed = failures.length + (errorCount ?? 0);
      const times = tests
        .filter(({ duration }) => duration)
        .map(({ name, duration }) => ({ name, ms: duration }));
      const { TEST_TIMES } = process.env;
      if (TEST_TIMES)
        return void writeFileSync(TEST_TIMES, JSON.stringify({ passed, failed, failures, times }));
      for (const failure of failures) console.log(`unit failed: ${JSON.stringify(failure)}`);
      console.log(`unit: ${passed} passed, ${failed} failed`);
    },
  };
}
