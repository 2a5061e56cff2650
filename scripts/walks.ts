/**
 * `npm run walks`: what a screen reader meets in each view of a flow, in order, compared with the texts of `test/walks`. The views are scenes
 * of the unit tests, in which time stands still; the tree is the browser's own, so the chain from markup to role, name and state is in it.
 * `npm run walks -- --refresh` replaces the texts.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Look } from '../test/unit/gallery.ts';
import { answerHelp } from '../service/help.ts';
import { ROOT } from './command.ts';
import { drawInto, GALLERY, LIGHT } from './gallery.ts';

/** By flow: its views, in the order in which a user meets them, as group and scene. */
export const FLOWS: Readonly<Record<string, readonly string[]>> = {
  link: [
    'chooser, connect a wallet',
    'frame views, first use',
    'frame views, choose a PIN',
    'wallet views, link',
    'elements, link-wallets, list',
  ],
  'approve-a-payment': [
    'elements, transfer-dialog, filled in',
    'approvals, approve a transfer',
    'approvals, approve after a wrong PIN',
    'frame views, waiting for confirmation',
    'frame views, sent',
  ],
  send: [
    'wallet views, portfolio',
    'frame views, send',
    'frame views, known recipients',
    'frame views, sent',
  ],
  swap: [
    'swap-panel, rates',
    'swap-panel, review',
    'approvals, approve a swap between chains',
    'swap-panel, done',
  ],
  'sign-in': ['approvals, sign in', 'approvals, sign in elsewhere', 'elements, sign-request, signed'],
  'pay-by-wallet': [
    'payment page, wallet, which coin',
    'payment page, wallet',
    'payment page, wallet, sent',
    'payment page, card, more time',
    'payment page, paid by wallet',
  ],
  'back-up': [
    'frame views, back up, hidden',
    'frame views, back up, shown',
    'frame views, check your copy, one wrong',
    'other views, backed up just now',
  ],
  restore: ['frame views, restore', 'frame views, import words, one unknown', 'other views, use my passkey'],
};

/** Test files with these scenes. */
const FILES = [
  'actions/chooser',
  'elements/accessibility',
  'elements/swap-panel-states',
  'frame/accessibility',
  'frame/approve/approve-view',
  'frame/more-views',
  'frame/wallets/wallet-views',
  'pay/scenes',
].map((name) => `test/unit/${name}.test.ts`);

const WALKS = join(ROOT, 'test/walks');
export const REFRESH = 'npm run walks -- --refresh';

export const fileOf = (flow: string): string => join(WALKS, `${flow}.txt`);

/** The text of each flow as it is now. Throws if a scene is not there or was not drawn. */
export async function walkAll(): Promise<Map<string, string>> {
  const scenes = [...new Set(Object.values(FLOWS).flat())];
  const look: Look = { ...LIGHT, name: 'walk', locale: 'en', scenes };
  const folder = join(GALLERY, 'walks');
  const { pictures, isWhole } = await drawInto(folder, {
    files: FILES,
    looks: [look],
    type: 'txt',
    env: { WHOLE_BROWSER: 'yes' },
  });
  const trees = new Map(
    pictures.map(({ group, scene, file }) => [
      `${group}, ${scene}`,
      readFileSync(join(folder, file), 'utf8'),
    ]),
  );
  const missing = scenes.filter((scene) => !trees.has(scene));
  if (missing.length > 0) throw new Error(`Not drawn: ${missing.join('; ')}`);
  if (!isWhole) throw new Error('Not all was drawn.');
  return new Map(
    Object.entries(FLOWS).map(([flow, views]) => [
      flow,
      views.map((view) => `== ${view}\n${trees.get(view)!}`).join('\n'),
    ]),
  );
}

async function compareAll(): Promise<boolean> {
  const walks = await walkAll();
  if (process.argv.includes('--refresh')) {
    rmSync(WALKS, { recursive: true, force: true });
    mkdirSync(WALKS, { recursive: true });
    for (const [flow, text] of walks) writeFileSync(fileOf(flow), text);
    console.log(`${walks.size} walks in ${WALKS}`);
    return true;
  }
  const changed = [...walks].filter(
    ([flow, text]) => !existsSync(fileOf(flow)) || readFileSync(fileOf(flow), 'utf8') !== text,
  );
  for (const [flow] of changed) console.error(`${flow} is not as in ${fileOf(flow)}.`);
  console.log(`${walks.size} walks, ${changed.length} differ`);
  if (changed.length > 0) console.error(`If they should: ${REFRESH}, and read the difference.`);
  return changed.length === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  answerHelp({
    usage: ['walks', 'walks -- --refresh'],
    does: 'Compares what a screen reader meets in each flow with the texts of test/walks; 20 seconds.',
    options: { '--refresh': 'replaces those of test/walks' },
    environment: { CHROME_PATH: 'the browser, if it is not installed in a usual place' },
    exits: { 0: 'all are as they were', 1: 'some differ' },
  });
  process.exit((await compareAll()) ? 0 : 1);
}
