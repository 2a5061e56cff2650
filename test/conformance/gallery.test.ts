/** `npm run gallery` is complete: no view of the wallet is without a scene, and no picture of the docs without a reader. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../scripts/command.ts';
import { DOCS_IMAGES, DOCS_SCENES, LARGEST_IMAGE, sceneFiles, viewsOfFrame } from '../../scripts/gallery.ts';

test('every view of the wallet is in the scenes that are checked and pictured', () => {
  const scenes = sceneFiles()
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n');
  const views = viewsOfFrame();
  assert.ok(views.length > 50);
  const missing = views.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(scenes));
  assert.deepEqual(missing, []);
});

test('the pictures of the docs are small, and each is where somebody sees it', () => {
  const images = readdirSync(DOCS_IMAGES);
  assert.deepEqual(
    images,
    Object.keys(DOCS_SCENES)
      .map((name) => `${name}.webp`)
      .toSorted(),
  );
  const docs = join(ROOT, 'docs');
  const pages = [
    join(ROOT, 'README.md'),
    ...readdirSync(docs)
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(docs, name)),
  ].map((path) => readFileSync(path, 'utf8'));
  for (const image of images) {
    assert.ok(statSync(join(DOCS_IMAGES, image)).size <= LARGEST_IMAGE, image);
    assert.ok(
      pages.some((page) => page.includes(`images/${image}"`)),
      image,
    );
  }
});
