/** What has no business with one engine holds in Firefox, too: elements, channel, chains and vault. `FIREFOX_PATH` names another one. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, run } from '../../scripts/command.ts';

const FIREFOX = process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr';
const skip = !existsSync(FIREFOX) && 'apt-get install firefox-esr';

for (const folder of ['elements', 'channel', 'chains', 'wallets'])
  test(`${folder} in Firefox`, { skip }, async () => {
    const files = readdirSync(join(ROOT, 'test/unit', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join('test/unit', folder, name));
    const env = { ENGINE: 'firefox', FIREFOX_PATH: FIREFOX };
    const { code } = await run('wtr', ['--files', ...files], { timeout: 12 * 60_000, env });
    assert.equal(code, 0);
  });
