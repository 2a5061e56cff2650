/**
 * For web-test-runner: says at the end how many tests passed and failed, so that `scripts/test.ts` can add them up, which took long, and
 * why each failed, by file.
 */
import { relative } from 'node:path';

function testsIn({ name = '', tests = [], suites = [] } = {}) {
  const inside = [...tests, ...suites.flatMap(testsIn)];
  return name ? inside.map((test) => ({ ...test, name: `${name} > ${test.name}` })) : inside;
}

const fileOf = ({ testFile = '' }) => ({ file: relative(process.cwd(), testFile) });

export function countReporter() {
  return {
    onTestRunFinished({ sessions, errorCount }) {
      const tell = (failure) => console.log(`unit failed: ${JSON.stringify(failure)}`);
      const tests = sessions
        .flatMap((session) => testsIn(session.testResults).map((test) => ({ ...test, ...fileOf(session) })))
        .filter((test) => !test.skipped);
      // A file that failed before its first test has none to count.
      const broken = sessions.filter(
        (session) => !session.passed && testsIn(session.testResults).every((test) => test.passed),
      );
      for (const { file, name, passed, error } of tests)
        if (!passed) tell({ file, name, error: error?.message });
      for (const session of broken)
        tell({ ...fileOf(session), name: 'the file itself', error: session.errors[0]?.message });
      const failed = tests.filter((test) => !test.passed).length + broken.length + (errorCount ?? 0);
      for (const { name, duration } of tests) if (duration) console.log(`unit took ${duration} ms: ${name}`);
      console.log(`unit: ${tests.filter((test) => test.passed).length} passed, ${failed} failed`);
    },
  };
}
