/** The public API changes only on purpose: its reports, and all that is made of the elements' comments, are compared with the code. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { undocumentedAttributes } from '../../scripts/api/elements.ts';
import { readElements } from '../../scripts/api/manifest.ts';
import { readTypes } from '../../scripts/api/types.ts';
import { generated, httpFiles } from '../../scripts/api.ts';
import * as contract from '../../src/api/routes.ts';
import { ROOT } from '../../scripts/command.ts';

test('api/ has the public API as it is, and what is made of the elements is up to date', async () => {
  const files = await generated();
  assert.deepEqual(
    readdirSync(join(ROOT, 'api')).map((name) => `api/${name}`),
    Object.keys(files)
      .filter((name) => name.startsWith('api/'))
      .sort(),
  );
  for (const [name, now] of Object.entries(files)) {
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

interface Collection {
  variable: { type: string; value: string }[];
  item: { item: { request: { method: string; url: { raw: string } } }[] }[];
}
interface Workspace {
  entry: { collections: { requests: { method: string; url: string }[] }[] };
}

test('the files for Postman and HTTPie have every call, and no secret has a value', async () => {
  const files = Object.values(await httpFiles()).map((text) => JSON.parse(text) as unknown);
  const [postman, httpie] = files as [Collection, Workspace];
  const calls = (requests: { method: string; url: string }[]): string[] =>
    requests.map(({ method, url }) => `${method} ${url.split('?', 1)[0]}`).sort();
  const all = Object.values(contract).map(({ method, path }) => ({
    method,
    url: `{{service}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  }));
  const inPostman = postman.item.flatMap(({ item }) =>
    item.map(({ request: { method, url } }) => ({ method, url: url.raw })),
  );
  assert.deepEqual(calls(inPostman), calls(all));
  assert.deepEqual(calls(httpie.entry.collections.flatMap(({ requests }) => requests)), calls(all));
  for (const { type, value } of postman.variable) assert.ok(type !== 'secret' || value === '');
});
