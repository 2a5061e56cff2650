/** `npm run gallery` is complete: no view of the wallet is without a scene, and no picture of the docs without a reader. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../scripts/command.ts';
import {
  DOCS_IMAGES,
  DOCS_PICTURES,
  LARGEST_IMAGE,
  sceneFiles,
  viewsOfFrame,
} from '../../scripts/gallery.ts';

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
    images.filter((name) => !name.endsWith('.svg')),
    Object.keys(DOCS_PICTURES)
      .map((name) => `${name}.webp`)
      .toSorted(),
  );
  const docs = join(ROOT, 'docs');
  const pages = [
    join(ROOT, 'README.md'),
    join(ROOT, 'demo/page/index.html'),
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

test('a diagram says what it shows, and is drawn for light and dark', () => {
  for (const name of readdirSync(DOCS_IMAGES).filter((each) => each.endsWith('.svg'))) {
    const svg = readFileSync(join(DOCS_IMAGES, name), 'utf8');
    assert.match(svg, /<title[^>]*>[^<]+<\/title>\s*<desc[^>]*>[^<]+<\/desc>/, name);
    assert.match(svg, /prefers-color-scheme: dark/, name);
    assert.doesNotMatch(svg, /https?:(?!\/\/www\.w3\.org)/, name);
  }
});

/** Lists that a program writes. */
const WITHOUT_PICTURE = ['dependencies.md'];

test('every guide opens with a picture or a diagram', () => {
  const guides = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  const without = guides.filter((name) => {
    const [opening, first] = readFileSync(join(ROOT, 'docs', name), 'utf8').split(/^## /m);
    return !/<img |^```mermaid/m.test(`${opening}${first}`);
  });
  assert.deepEqual(without, WITHOUT_PICTURE);
});
