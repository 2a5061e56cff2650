/**
 * Finds a full Chromium: `CHROME_PATH`, else an installed one. `npm test` installs Debian's if there is none and it may.
 * Playwright and Puppeteer would download their own builds; the tests should run in the one that users have.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Flags for every browser the tests start: no network chatter, no sandbox (tests may run as root). */
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Features that the tests switch off by `--disable-features`. Chromium prepares a process for the next page, and in each window two
 * invisible pages of its address bar, which together cost as much as the page under test.
 */
export const UNSEEN = 'SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup';

const NAMES = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome'];

function runs(path: string): boolean {
  const { status, stdout } = spawnSync(path, ['--version', '--no-sandbox'], {
    encoding: 'utf8',
    timeout: 15_000,
  });
  return status === 0 && /Chrom/.test(stdout);
}

const FIREFOXES = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** Chromium's headless shell. */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell'];

/**
 * For pages that need no browser window: the headless shell has the same engine and takes a third less CPU time. The full browser if it is
 * not installed.
 */
export function findShell(): string {
  return (process.env['CHROME_PATH'] ? undefined : installed(SHELLS)) ?? findBrowser();
}

function installed(names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  for (const name of names)
    for (const folder of folders) {
      const path = join(folder, name);
      if (existsSync(path) && runs(path)) return path;
    }
  return undefined;
}

/** Absolute path of a Chromium that starts. Throws an error that says what was tried and what to do. */
export function findBrowser(): string {
  const chosen = process.env['CHROME_PATH'];
  if (chosen) {
    if (runs(chosen)) return chosen;
    throw new Error(`CHROME_PATH is set to ${chosen}, which does not start.`);
  }
  const found = installed(NAMES);
  if (found) return found;
  throw new Error(
    `No Chromium found. Tried CHROME_PATH and ${NAMES.join(', ')} on PATH. Set CHROME_PATH, or run: apt-get install --no-install-recommends chromium`,
  );
}

function firefox(): string | undefined {
  return process.env['FIREFOX_PATH'] ?? FIREFOXES.find((path) => existsSync(path));
}

/** Why nothing can run in Firefox here. */
export function firefoxMissing(): string | undefined {
  return firefox()
    ? undefined
    : `No Firefox found. Tried FIREFOX_PATH and ${FIREFOXES.join(', ')}. Debian: apt-get install firefox-esr`;
}

export function findFirefox(): string {
  const path = firefox();
  if (path) return path;
  throw new Error(firefoxMissing());
}
