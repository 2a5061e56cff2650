/** The catalogues that `npm run strings` makes of the translations. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ProjectCopy } from '../pages.ts';

test('catalogues are written if a translation has changed, and only then', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-catalogues-'));
  try {
    const { folder: copy } = new ProjectCopy(join(folder, 'copy'), [
      'locales',
      'scripts',
      'service',
      'src',
      'package.json',
    ]);
    const write = () =>
      execFileSync(process.execPath, ['--import', 'tsx', 'scripts/strings.ts', '--catalogues'], {
        cwd: copy,
      });
    const german = join(copy, 'src/locales/pay/de.ts');
    const french = join(copy, 'src/locales/pay/fr.ts');
    rmSync(join(copy, 'src/locales'), { recursive: true });
    write();
    const before = readFileSync(german, 'utf8');
    const writtenAt = statSync(french).mtimeMs;
    const xliff = join(copy, 'locales/de.xlf');
    writeFileSync(xliff, readFileSync(xliff, 'utf8').replaceAll('>Kartendaten<', '>Daten der Karte<'));
    write();
    assert.equal(readFileSync(german, 'utf8'), before.replace('"Kartendaten"', '"Daten der Karte"'));
    assert.notEqual(readFileSync(german, 'utf8'), before);
    assert.equal(statSync(french).mtimeMs, writtenAt);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
