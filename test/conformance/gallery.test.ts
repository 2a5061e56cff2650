/** `npm run gallery` is complete: no view of the wallet is without a scene. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../scripts/command.ts';
import { sceneFiles, viewsOfFrame } from '../../scripts/gallery.ts';

test('every view of the wallet is in the scenes that are checked and pictured', () => {
  const scenes = sceneFiles()
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n');
  const views = [...viewsOfFrame()];
  assert.ok(views.length > 40);
  const missing = views.filter(([, file]) => {
    const [, name] = /export class (\w+View)\b/.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
    return !new RegExp(`\\b${name}\\b`).test(scenes);
  });
  assert.deepEqual(missing, []);
});
