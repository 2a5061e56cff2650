/**
 * For `node:test`: appends the result of each test, as a line of JSON, to the file `TEST_RESULTS`; see `results.ts`. Synchronously: the
 * runner exits before a stream is flushed.
 */
import { appendFileSync } from 'node:fs';

const log = process.env.TEST_RESULTS;
// Runs that a test starts have results of their own.
delete process.env.TEST_RESULTS;

/** Of a test that waits for something: a machine may be slow. */
globalThis.showTestProgress = (waits) => appendFileSync(log, `${JSON.stringify({ waits })}\n`);

export default async function* (events) {
  /** Names of the suites around the test. */
  const around = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') around.splice(data.nesting, Infinity, data.name);
    if (type === 'test:dequeue') appendFileSync(log, `${JSON.stringify({ begins: data.name })}\n`);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { error, duration_ms } = data.details;
    const isSuite = data.details.type === 'suite';
    // A suite takes as long as its tests, which have their own lines, and fails by itself only where what comes before or after them does.
    if (isSuite && error?.failureType !== 'hookFailed' && data.skip === undefined) continue;
    const result = {
      name: [...around.slice(0, data.nesting), data.name].join(': '),
      ms: Math.round(duration_ms),
      ...(data.skip !== undefined && { skip: data.skip === true || !data.skip ? 'no reason' : data.skip }),
      ...(type === 'test:fail' && { error: reason(error) }),
    };
    appendFileSync(log, `${JSON.stringify(result)}\n`);
  }
  yield '';
}

/** The first lines of the error. */
function reason(error) {
  const text = String(error.cause?.message ?? error.cause ?? error.message);
  return text.split('\n').slice(0, 8).join('\n').slice(0, 500);
}
