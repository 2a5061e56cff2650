/**
 * `npm run gallery`: writes `.cache/gallery/en/index.html` with pictures of every view and of every state of the elements and the payment
 * page, in each look, with axe's findings. The scenes are those of the unit tests; `npm run gallery -- test/unit/pay/scenes.test.ts` draws
 * one file's. `GALLERY_LOCALES=en,ar` draws them in several languages, a page each; `GALLERY_LOOKS='light,360 px'` in some looks only.
 * `npm run gallery -- --docs` draws the pictures of `docs/images` anew.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Look, Picture } from '../test/unit/gallery.ts';
import { answerHelp } from '../service/help.ts';
import { filesBelow } from './build.ts';
import { ROOT, run } from './command.ts';

/** A folder for each language. */
export const GALLERY = join(ROOT, '.cache/gallery');

/** Of one language. */
const MINUTES = 25;

export const LIGHT: Omit<Look, 'name' | 'locale'> = {
  theme: 'light',
  frame: { width: 400, height: 640 },
  page: { width: 1000, height: 800 },
  zoom: 1,
  forcedColors: false,
};
export const PHONE = { width: 360, height: 640 };

/** The smallest size that allows approvals: a sheet on a short phone. */
const small = { width: 320, height: 568 };

/** At 200 % a window of 1280 × 800 has half as many CSS pixels; the wallet's dialog is 622 × 382 in it. */
const LOOKS: Omit<Look, 'locale'>[] = [
  { ...LIGHT, name: 'light' },
  { ...LIGHT, name: 'dark', theme: 'dark' },
  { ...LIGHT, name: '360 px', frame: PHONE, page: PHONE },
  { ...LIGHT, name: '320 px', frame: { ...small, height: 544 }, page: small },
  { ...LIGHT, name: '200 %', frame: { width: 622, height: 382 }, page: { width: 640, height: 400 }, zoom: 2 },
  { ...LIGHT, name: 'forced colours', forcedColors: true },
];

export const DOCS_IMAGES = join(ROOT, 'docs/images');

/** Of the docs' pictures. A phone's is as narrow as most phones. */
const DOCS_LOOKS = {
  docs: { ...LIGHT, page: { width: 480, height: 900 }, zoom: 2 },
  dark: { ...LIGHT, theme: 'dark', page: { width: 480, height: 900 }, zoom: 2 },
  phone: { ...LIGHT, frame: PHONE, page: PHONE, zoom: 2 },
  'forced colours': { ...LIGHT, forcedColors: true, zoom: 2 },
} as const satisfies Record<string, Omit<Look, 'name' | 'locale'>>;

/** By the file's name: group and scene, and a look other than `docs`. */
export const DOCS_PICTURES: Readonly<Record<string, { scene: string; look?: keyof typeof DOCS_LOOKS }>> = {
  connect: { scene: 'chooser, connect a wallet' },
  'connect-dark': { scene: 'chooser, connect a wallet', look: 'dark' },
  approval: { scene: 'approvals, approve a transfer' },
  'approval-dark': { scene: 'approvals, approve a transfer', look: 'dark' },
  'approval-phone': { scene: 'approvals, approve with the pad open', look: 'phone' },
  'approval-contrast': { scene: 'approvals, approve a transfer', look: 'forced colours' },
  sent: { scene: 'frame views, sent' },
  'sent-dark': { scene: 'frame views, sent', look: 'dark' },
  danger: { scene: 'approvals, approve a danger' },
  call: { scene: 'approvals, approve a call' },
  'sign-in-elsewhere': { scene: 'approvals, sign in elsewhere' },
  'no-funds': { scene: 'approvals, approve without the funds' },
  'not-sent': { scene: 'frame views, not sent, with a reason' },
  'use-a-window': { scene: 'frame views, needs a window' },
  portfolio: { scene: 'wallet views, portfolio, with prices of today' },
  networks: { scene: 'wallet views, choose a network' },
  'receive-bitcoin': { scene: 'wallet views, receive bitcoin' },
  'encrypted-copy': { scene: 'other views, the copy that was found' },
  checkout: { scene: 'payment page, card' },
  'checkout-wallet': { scene: 'payment page, wallet' },
  'checkout-paid': { scene: 'payment page, paid by card' },
  'link-wallets': { scene: 'elements, link-wallets, chips' },
  'manage-wallets': { scene: 'elements, manage-wallets, balances' },
  'sign-request': { scene: 'elements, sign-request, signed' },
  'swap-panel': { scene: 'swap-panel, rates' },
  'transfer-dialog': { scene: 'elements, transfer-dialog, filled in' },
};
/** Bytes of one of them. */
export const LARGEST_IMAGE = 60_000;

const locales = (process.env['GALLERY_LOCALES'] ?? 'en').split(',');
const wanted = process.env['GALLERY_LOOKS']?.split(',');
const looks = LOOKS.filter(({ name }) => wanted?.includes(name) ?? true);

/** Test files with scenes. */
export function sceneFiles(): string[] {
  return filesBelow(join(ROOT, 'test/unit'))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => /^(checkScenes|pictureScenes|pictures)\(/m.test(readFileSync(file, 'utf8')))
    .map((file) => relative(ROOT, file));
}

interface ViewOfFrame {
  /** Of its class, or of the function that makes the question. */
  name: string;
  /** Of its custom element. Questions share one. */
  tag?: string;
  file: string;
}

const VIEW = /@customElement\('([\w-]+)'\)\s+export class (\w+View)\b(?!<)/g;
const QUESTION = /export function (\w+)\([^{]*?\): QuestionView</g;

/** The wallet's views, with its questions. */
export function viewsOfFrame(): ViewOfFrame[] {
  return filesBelow(join(ROOT, 'src/frame')).flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const file = relative(ROOT, path);
    return [
      ...[...text.matchAll(VIEW)].map(([, tag, name]) => ({ name: name!, tag: tag!, file })),
      ...[...text.matchAll(QUESTION)].map(([, name]) => ({ name: name!, file })),
    ];
  });
}

interface Drawn {
  pictures: Picture[];
  /** Every scene was drawn in time. */
  isWhole: boolean;
}

interface Drawing {
  files: readonly string[];
  looks: readonly Look[];
  /** `txt`: what a screen reader meets. */
  type: 'png' | 'webp' | 'txt';
  /** In addition to our own. */
  env?: NodeJS.ProcessEnv;
}

/** Replaces what is in `folder`. */
export async function drawInto(folder: string, { files, looks: chosen, type, env }: Drawing): Promise<Drawn> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // The exit code says nothing: skipped tests count as failed.
  let failed = 0;
  const { timedOut } = await run('wtr', ['--files', ...files], {
    timeout: MINUTES * 60_000,
    env: {
      GALLERY: JSON.stringify(chosen),
      GALLERY_FOLDER: folder,
      GALLERY_TYPE: type,
      TEST_LOCALE: 'en-US',
      // A test that has views drawn reports for itself.
      TEST_RESULTS: '',
      ...env,
    },
    onLine(line) {
      if (/❌|Could not import/.test(line)) failed += 1;
      if (!line.startsWith('unit')) console.log(line);
    },
  });
  if (timedOut) console.error(`Not done in ${MINUTES} minutes.`);
  const pictures = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Picture)
    .sort((a, b) => a.group.localeCompare(b.group) || a.scene.localeCompare(b.scene));
  return { pictures, isWhole: !timedOut && failed === 0 };
}

/** Replaces the pictures of the docs; its diagrams are drawn by hand. */
async function drawForDocs(): Promise<boolean> {
  const folder = join(GALLERY, 'docs');
  const wantedPictures = Object.entries(DOCS_PICTURES);
  const { pictures, isWhole } = await drawInto(folder, {
    files: sceneFiles(),
    looks: Object.entries(DOCS_LOOKS).map(([name, look]) => ({
      ...look,
      name,
      locale: 'en',
      scenes: wantedPictures.flatMap(([, each]) => ((each.look ?? 'docs') === name ? [each.scene] : [])),
    })),
    type: 'webp',
  });
  if (!isWhole) return false;
  let holds = true;
  for (const name of readdirSync(DOCS_IMAGES)) if (name.endsWith('.webp')) rmSync(join(DOCS_IMAGES, name));
  for (const [name, { scene, look: lookName = 'docs' }] of wantedPictures) {
    const drawn = pictures.find((each) => `${each.group}, ${each.scene}` === scene && each.look === lookName);
    const size = drawn ? statSync(join(folder, drawn.file)).size : 0;
    if (drawn) copyFileSync(join(folder, drawn.file), join(DOCS_IMAGES, `${name}.webp`));
    console.log(drawn ? `docs/images/${name}.webp, ${size} bytes` : `There is no scene "${scene}".`);
    holds &&= size > 0 && size <= LARGEST_IMAGE;
  }
  return holds;
}

async function draw(locale: string): Promise<boolean> {
  const folder = join(GALLERY, locale);
  const chosen = process.argv.slice(2);
  const { pictures, isWhole } = await drawInto(folder, {
    files: chosen.length ? chosen : sceneFiles(),
    looks: looks.map((look) => ({ ...look, locale })),
    type: 'png',
  });
  writeFileSync(join(folder, 'index.html'), page(pictures, locale));

  const drawn = new Set(pictures.flatMap(({ elements }) => elements));
  const missing = chosen.length ? [] : viewsOfFrame().filter(({ tag }) => tag && !drawn.has(tag));
  for (const { tag, file } of missing) console.error(`No picture of <${tag}>: add a scene of it (${file}).`);
  const found = pictures.filter(({ findings }) => findings.length > 0);
  for (const { group, scene, look, findings } of found)
    console.error(`${group}, ${scene}, ${look}, ${locale}: ${findings.join('; ')}`);
  console.log(
    `${pictures.length} pictures, ${found.length} with findings of axe: ${join(folder, 'index.html')}`,
  );
  return isWhole && pictures.length > 0 && missing.length === 0 && found.length === 0;
}

const drawnLanguages = (): string[] =>
  readdirSync(GALLERY).filter((name) => existsSync(join(GALLERY, name, 'index.html')));

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** One row per scene, one column per look. */
function page(pictures: Picture[], locale: string): string {
  const groups = [...new Set(pictures.map(({ group }) => group))];
  const rows = (group: string): string => {
    const scenes = new Map<string, Picture[]>();
    for (const picture of pictures.filter((each) => each.group === group))
      scenes.set(picture.scene, [...(scenes.get(picture.scene) ?? []), picture]);
    return [...scenes]
      .map(([scene, all]) => {
        const cells = looks.map(({ name }) => {
          const picture = all.find(({ look }) => look === name);
          if (!picture) return '<td></td>';
          const notes = picture.findings.map((each) => `<p>${escape(each)}</p>`).join('');
          return `<td><a href="${picture.file}"><img loading="lazy" src="${picture.file}" alt="${escape(`${scene}, ${name}`)}"></a>${notes}</td>`;
        });
        return `<tr><th scope="row">${escape(scene)}</th>${cells.join('')}</tr>`;
      })
      .join('\n');
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Every view of Carabiner</title>
<style>
body { margin: 16px; font: 14px/1.4 system-ui, sans-serif; color: #14181f; background: #f5f6f8; }
table { border-collapse: collapse; }
th, td { padding: 8px; vertical-align: top; text-align: start; }
thead th { position: sticky; top: 0; background: #f5f6f8; }
tbody th { position: sticky; left: 0; width: 140px; background: #f5f6f8; font-weight: 400; }
img { display: block; width: 260px; border: 1px solid #e0e4ea; }
td p { margin: 4px 0 0; max-width: 260px; overflow-wrap: anywhere; color: #a8231c; }
</style>
</head>
<body>
<main>
<h1>Every view, ${locale}</h1>
<nav>${drawnLanguages()
    .filter((each) => each !== locale)
    .map((each) => `<a href="../${each}/index.html">${each}</a>`)
    .join(' · ')}</nav>
<nav>${groups.map((group, at) => `<a href="#g${at}">${escape(group)}</a>`).join(' · ')}</nav>
${groups
  .map(
    (group, at) =>
      `<h2 id="g${at}">${escape(group)}</h2><table><thead><tr><th scope="col">Scene</th>${looks.map(({ name }) => `<th scope="col">${escape(name)}</th>`).join('')}</tr></thead><tbody>${rows(group)}</tbody></table>`,
  )
  .join('\n')}
</main>
</body>
</html>
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  answerHelp({
    usage: ['gallery', 'gallery -- <test file> …', 'gallery -- --docs'],
    does: 'Draws every view in every look into .cache/gallery/en/, checked by axe; 5 minutes.',
    options: { '--docs': 'only the pictures of docs/images, which it replaces' },
    environment: {
      GALLERY_LOCALES: 'languages: en,ar,ja; en without it',
      GALLERY_LOOKS: 'looks: light,360 px; all without it',
      CHROME_PATH: 'the browser, if it is not installed in a usual place',
    },
    exits: { 0: 'every view passes', 1: 'axe found something, or a scene failed' },
  });
  if (process.argv.includes('--docs')) process.exit((await drawForDocs()) ? 0 : 1);
  let passed = true;
  for (const locale of locales) passed = (await draw(locale)) && passed;
  process.exit(passed ? 0 : 1);
}
