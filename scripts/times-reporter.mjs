/**
 * For `node:test`: appends how long each test took and why it failed, as a line of JSON, to the file `TEST_TIMES`. Synchronously: the runner
 * exits before a stream is flushed.
 */
import { appendFileSync } from 'node:fs';

const log = process.env.TEST_TIMES;
// Runs that a test starts have reports of their own.
delete process.env.TEST_TIMES;

export default async function* (events) {
  /** Names of the suites around the test. */
  const around = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') around.splice(data.nesting, Infinity, data.name);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { error, duration_ms } = data.details;
    const isSuite = data.details.type === 'suite';
    // A suite takes as long as its tests, which have their own lines, and fails by itself only where what comes before or after them does.
    if (isSuite && error?.failureType !== 'hookFailed') continue;
    const line = {
      name: [...around.slice(0, data.nesting), data.name].join(': '),
      ms: isSuite ? undefined : Math.round(duration_ms),
      error: type === 'test:fail' ? reason(error) : undefined,
      type: error?.failureType === 'cancelledByParent' ? 'cancelled' : error?.cause?.name,
    };
    appendFileSync(log, `${JSON.stringify(line)}\n`);
  }
  yield '';
}

/** The first lines of the error. */
function reason(error) {
  const text = String(error.cause?.message ?? error.cause ?? error.message);
  return text.split('\n').slice(0, 8).join('\n').slice(0, 500);
}
