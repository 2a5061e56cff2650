/** Unit tests in WebKit, which opens one page after the other: those of what is most of the engine. `FOLDERS=channel` runs those alone. */
import { test } from 'node:test';
import { webkitMissing } from '../../scripts/webkit.ts';
import { unitTestsPass } from '../engines/unit-tests.ts';

/** Of `test/unit`. `wallets` is the vault. */
const FOLDERS = ['channel', 'wallets', 'elements', 'chains'];

for (const folder of process.env['FOLDERS']?.split(',') ?? FOLDERS)
  test(`the unit tests of ${folder} pass in WebKit`, { skip: webkitMissing() ?? false }, () =>
    unitTestsPass('webkit', 20, folder),
  );
