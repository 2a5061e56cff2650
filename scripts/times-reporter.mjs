/**
 * For `node:test`: what each test took and why it failed, as lines of JSON in the file `TEST_TIMES`. Written at once: the runner ends
 * before a stream would.
 */
import { appendFileSync } from 'node:fs';

export default async function* (events) {
  /** Of the suites around it. */
  const around = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') around.splice(data.nesting, Infinity, data.name);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    // A suite is as long as its tests, which are listed themselves.
    if (data.details.type === 'suite') continue;
    const line = {
      name: [...around.slice(0, data.nesting), data.name].join(': '),
      ms: Math.round(data.details.duration_ms),
      error: type === 'test:fail' ? reason(data.details.error) : undefined,
    };
    appendFileSync(process.env.TEST_TIMES, `${JSON.stringify(line)}\n`);
  }
  yield '';
}

/** Its first lines. */
function reason(error) {
  const text = String(error.cause?.message ?? error.cause ?? error.message);
  return text.split('\n').slice(0, 8).join('\n').slice(0, 500);
}
