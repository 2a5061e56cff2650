/** A message of 120 kB in Chromium: how soon it can be read, and whether scrolling through it stutters. */
import type { Page } from 'playwright-core';
import { table } from '../scripts/sizes.ts';
import { median } from './median.ts';

const TURNS = 5;
/** Limit of frames. Pieces of invisible characters are small: scrolling through all of them would take minutes. */
const FRAMES = 300;

const TEXTS = {
  'text, 120 kB': 'A line of the terms that somebody signs.\n'.repeat(2927),
  'invisible characters, 120 kB': '\u200b'.repeat(40_000),
};

export async function longText(page: Page): Promise<string> {
  const rows: string[][] = [];
  for (const [name, text] of Object.entries(TEXTS)) {
    const turns = [];
    for (let turn = 0; turn < TURNS; turn++)
      turns.push(await page.evaluate(([of, most]) => window.draw(of, most), [text, FRAMES] as const));
    rows.push([
      name,
      median(turns.map(({ first }) => first)).toFixed(1),
      Math.max(...turns.map(({ longest }) => longest)).toFixed(0),
      String(Math.max(...turns.map(({ frames }) => frames))),
    ]);
  }
  return table(['a long message, milliseconds', 'to its beginning', 'longest frame', 'frames'], rows);
}
