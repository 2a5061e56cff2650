/**
 * For `node --test`: what each test and each file took, and whether a test held, as lines of JSON in the file `TEST_TIMES`. Written at
 * once: the runner ends before a stream would.
 */
import { appendFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

export default async function* (events) {
  const files = new Map();
  const write = (value) => appendFileSync(process.env.TEST_TIMES, `${JSON.stringify(value)}\n`);
  for await (const { type, data } of events) {
    if (!data.file || (type !== 'test:pass' && type !== 'test:fail')) continue;
    const file = relative(ROOT, data.file);
    const ms = Math.round(data.details.duration_ms);
    // A suite is as long as its tests, which are listed themselves.
    if (data.details.type !== 'suite') write({ file, name: data.name, ms, held: type === 'test:pass' });
    if (data.nesting === 0) files.set(file, (files.get(file) ?? 0) + ms);
  }
  for (const [file, ms] of files) write({ file, ms });
  yield '';
}
