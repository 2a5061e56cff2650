/**
 * Every view in every look has a picture, in languages with other scripts too, and axe finds nothing in any. `GALLERY_LOCALES=ja` draws one
 * language.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../scripts/command.ts';
import { DEADLINE_MS } from '../waiting.ts';

for (const locale of process.env['GALLERY_LOCALES']?.split(',') ?? ['en', 'ar', 'ja'])
  test(`every view can be looked at in every look, without a finding of axe: ${locale}`, async () => {
    const env = { GALLERY_LOCALES: locale };
    const { code } = await run('npm', ['run', 'gallery'], { timeout: 13 * DEADLINE_MS, env });
    assert.equal(code, 0);
  });
