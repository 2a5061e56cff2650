/** Views look as they did. `npm run pictures` shows what differs, and `npm run pictures -- --refresh` keeps it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { run } from '../../scripts/command.ts';
import { pixelsThatDiffer } from '../../scripts/pictures.ts';

const white = { channels: 3, background: '#fff' } as const;

/** A picture of 100 × 100 with a black bar of so many pixels, in a file's bytes. */
const bar = (width: number): Promise<Buffer> =>
  sharp({ create: { width: 100, height: 100, ...white } })
    .composite([
      { input: { create: { width, height: 1, channels: 3, background: '#000' } }, left: 20, top: 20 },
    ])
    .png()
    .toBuffer();

test('each pixel of another colour counts, and so does another size', async () => {
  const none = await sharp({ create: { width: 100, height: 100, ...white } })
    .png()
    .toBuffer();
  assert.equal((await pixelsThatDiffer(none, none)).count, 0);
  assert.equal((await pixelsThatDiffer(none, await bar(30))).count, 30);
  const larger = await sharp({ create: { width: 100, height: 101, ...white } })
    .png()
    .toBuffer();
  assert.equal((await pixelsThatDiffer(none, larger)).count, Infinity);
});

test('forty views look as they did, in light, in dark, at 360 px and in Arabic', async () => {
  const lines: string[] = [];
  const { code } = await run('npm', ['run', '-s', 'pictures'], {
    onLine: (line) => lines.push(line),
    onErrorLine: (line) => lines.push(line),
  });
  assert.equal(code, 0, lines.slice(-40).join('\n'));
});
