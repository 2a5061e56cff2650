/**
 * `npm run pictures`: compares pictures of forty views, in four looks, with those of `test/pictures`, and writes a page with the
 * differences. `npm run pictures -- --refresh` replaces them. One version of Chromium and the fonts of `dejavu-fonts-ttf` draw them, so that
 * they are the same on every machine.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { spawnSync } from 'node:child_process';
import pixelmatch from 'pixelmatch';
import sharp from 'sharp';
import type { Look, Picture } from '../test/unit/gallery.ts';
import { answerHelp } from '../service/help.ts';
import { findBrowser } from './browser.ts';
import { ROOT } from './command.ts';
import { drawInto, GALLERY, LIGHT, PHONE, sceneFiles } from './gallery.ts';

/** By group: scenes of the unit tests. */
const SCENES: Readonly<Record<string, readonly string[]>> = {
  chooser: ['connect a wallet'],
  elements: [
    'link-wallets, chips',
    'link-wallets, list',
    'manage-wallets, balances',
    'sign-request, signed',
    'transfer-dialog, filled in',
    'transfer-dialog, errors',
  ],
  'swap-panel': ['rates', 'review', 'to another chain'],
  'payment page': [
    'card',
    'card, declined',
    'wallet',
    'wallet, which coin',
    'wallet, from another app',
    'paid by card',
  ],
  receipts: ['wallet, with refunds'],
  approvals: [
    'approve a transfer',
    'approve with the pad open',
    'approve a call',
    'approve a swap between chains',
    'approve a danger',
    'sign a message',
    'list',
  ],
  'frame views': [
    'first use',
    'choose a PIN',
    'enter the PIN, wrong',
    'back up, shown',
    'settings',
    'send',
    'sent',
    'not sent, with a reason',
    'inside another app',
    'the address book',
  ],
  'wallet views': ['portfolio', 'link', 'manage', 'receive'],
  activity: ['of many kinds'],
  'other views': ['use my passkey'],
};

const scenes = Object.entries(SCENES).flatMap(([group, names]) => names.map((name) => `${group}, ${name}`));

const LOOKS: readonly Look[] = [
  { ...LIGHT, name: 'light', locale: 'en', scenes },
  { ...LIGHT, name: 'dark', theme: 'dark', locale: 'en', scenes },
  { ...LIGHT, name: '360 px', frame: PHONE, page: PHONE, locale: 'en', scenes },
  { ...LIGHT, name: 'Arabic', locale: 'ar', scenes },
];

/** How far a colour may be from the other, of 1; and how many pixels of a picture may be farther. */
const COLOUR_TOLERANCE = 0.1;
const PIXEL_TOLERANCE = 20;

const BASELINES = join(ROOT, 'test/pictures');
const FONTS = join(BASELINES, 'fonts.conf');
const FOLDER = join(GALLERY, 'compared');
const REFRESH = 'npm run pictures -- --refresh';

/** A picture that is not as it was: files in `FOLDER`. */
interface Difference {
  name: string;
  reason: string;
  files: string[];
}

const nameOf = ({ group, scene, look }: Picture): string =>
  `${group}, ${scene}, ${look}`.replaceAll(/[^a-zA-Z0-9]+/g, '-').toLowerCase();

/** `chromium-156`. */
function browserVersion(): string {
  const { stdout } = spawnSync(findBrowser(), ['--version', '--no-sandbox'], { encoding: 'utf8' });
  return `chromium-${/(\d+)\.\d/.exec(stdout)![1]!}`;
}

/** The pictures of today. Throws if a scene is not there or was not drawn. */
async function drawAll(): Promise<Picture[]> {
  const drawn = await drawInto(FOLDER, {
    files: sceneFiles(),
    looks: LOOKS,
    type: 'png',
    env: { FONTCONFIG_FILE: FONTS, WHOLE_BROWSER: 'yes' },
  });
  const names = new Set(drawn.pictures.map(({ group, scene }) => `${group}, ${scene}`));
  const missing = scenes.filter((scene) => !names.has(scene));
  if (missing.length > 0) throw new Error(`Not drawn: ${missing.join('; ')}`);
  if (!drawn.isWhole) throw new Error('Not all was drawn.');
  return drawn.pictures;
}

interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

async function pixelsOf(file: string | Buffer): Promise<Pixels> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** How many: infinitely many if the sizes differ. `marked`: they, over the picture. Takes files, or their bytes. */
export async function pixelsThatDiffer(
  before: string | Buffer,
  after: string | Buffer,
): Promise<{ count: number; marked?: Pixels }> {
  const [old, { data, width, height }] = await Promise.all([pixelsOf(before), pixelsOf(after)]);
  if (old.width !== width || old.height !== height) return { count: Infinity };
  const marked = Buffer.alloc(data.length);
  const count = pixelmatch(old.data, data, marked, width, height, { threshold: COLOUR_TOLERANCE });
  return { count, marked: { data: marked, width, height } };
}

/** Undefined if they are alike. */
async function compare(picture: Picture, baseline: string): Promise<Difference | undefined> {
  const name = nameOf(picture);
  if (!existsSync(baseline)) return { name, reason: 'new', files: [picture.file] };
  const { count, marked } = await pixelsThatDiffer(baseline, join(FOLDER, picture.file));
  if (count <= PIXEL_TOLERANCE) return undefined;
  const files = [`${name}-before.png`, picture.file];
  await sharp(baseline).png().toFile(join(FOLDER, files[0]!));
  if (!marked) return { name, reason: 'another size', files };
  const { data, ...size } = marked;
  files.push(`${name}-difference.png`);
  await sharp(data, { raw: { ...size, channels: 4 } })
    .png()
    .toFile(join(FOLDER, files[2]!));
  return { name, reason: `${count} pixels`, files };
}

/** Before, now, and where they differ. */
function page(differences: readonly Difference[]): string {
  const rows = differences.map(
    ({ name, reason, files }) =>
      `<h2>${name}</h2><p>${reason}</p>${files.map((file) => `<img src="${file}" alt="${file}">`).join('')}`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Pictures that differ</title>
<style>
body { margin: 16px; font: 14px/1.4 system-ui, sans-serif; background: #f5f6f8; }
img { margin: 4px; border: 1px solid #e0e4ea; vertical-align: top; }
</style>
<h1>${differences.length} pictures differ: before, now, difference</h1>
${rows.join('\n')}
</html>
`;
}

async function refresh(pictures: readonly Picture[], folder: string): Promise<void> {
  mkdirSync(BASELINES, { recursive: true });
  for (const name of readdirSync(BASELINES))
    if (name.startsWith('chromium-')) rmSync(join(BASELINES, name), { recursive: true });
  mkdirSync(folder);
  for (const picture of pictures)
    await sharp(join(FOLDER, picture.file))
      .webp({ lossless: true, effort: 6 })
      .toFile(join(folder, `${nameOf(picture)}.webp`));
  console.log(`${pictures.length} pictures in ${folder}`);
}

async function compareAll(): Promise<boolean> {
  const version = browserVersion();
  const baselines = join(BASELINES, version);
  const wantsRefresh = process.argv.includes('--refresh');
  if (!wantsRefresh && !existsSync(baselines)) {
    console.error(`There are no pictures of ${version} in ${BASELINES}. Look at the views, then: ${REFRESH}`);
    return false;
  }
  const pictures = await drawAll();
  if (wantsRefresh) {
    await refresh(pictures, baselines);
    return true;
  }
  const differences: Difference[] = [];
  for (const picture of pictures) {
    const difference = await compare(picture, join(baselines, `${nameOf(picture)}.webp`));
    if (difference) differences.push(difference);
  }
  const index = join(FOLDER, 'index.html');
  writeFileSync(index, page(differences));
  for (const { name, reason } of differences) console.error(`${name}: ${reason}`);
  console.log(`${pictures.length} pictures, ${differences.length} differ: ${index}`);
  if (differences.length > 0) console.error(`If they should: ${REFRESH}`);
  return differences.length === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  answerHelp({
    usage: ['pictures', 'pictures -- --refresh'],
    does: 'Compares pictures of forty views in light, dark, at 360 px and in Arabic with those of test/pictures; 2 minutes.',
    options: { '--refresh': 'replaces those of test/pictures' },
    environment: { CHROME_PATH: 'the browser, if it is not installed in a usual place' },
    exits: { 0: 'all are as they were', 1: 'some differ, or were made by another version of Chromium' },
  });
  process.exit((await compareAll()) ? 0 : 1);
}
