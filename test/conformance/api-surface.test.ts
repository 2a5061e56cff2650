/** The public API changes only on purpose: its list, and all that is made of the elements' comments, is compared with the code. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { undocumentedAttributes } from '../../scripts/api/elements.ts';
import { readElements } from '../../scripts/api/manifest.ts';
import { readTypes } from '../../scripts/api/types.ts';
import { generated } from '../../scripts/api.ts';
import { ROOT } from '../../scripts/command.ts';

test('docs/api-surface.md lists the public API as it is, and what is made of the elements is up to date', async () => {
  for (const [name, now] of Object.entries(await generated())) {
    const file = join(ROOT, name);
    if (existsSync(file) && now === readFileSync(file, 'utf8')) continue;
    const { stdout } = spawnSync('diff', ['-U2', file, '-'], { input: now, encoding: 'utf8' });
    assert.fail(`${name} changed. If that is meant, run \`npm run api\` and commit the file.\n${stdout}`);
  }
});

test('the comment of an element’s class names its attributes, and says something of everything', async () => {
  const elements = await readElements(readTypes());
  assert.deepEqual(undocumentedAttributes(elements), []);
  const silent = elements.flatMap(({ tagName, members, ...element }) => {
    const { attributes, events, slots = [], cssParts = [], cssProperties = [] } = element;
    const about = new Set(attributes.filter((each) => each.description).map((each) => each.fieldName));
    return [...attributes, ...members, ...events, ...slots, ...cssParts, ...cssProperties]
      .filter(({ name, description }) => !description && !about.has(name))
      .map(({ name }) => `<${tagName}> ${name}`);
  });
  assert.deepEqual(silent, []);
});
