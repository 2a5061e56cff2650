/** What tests need beside npm's packages: a Chromium, which is installed where that is possible, and, for some tests, other programs. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { litecoindPath } from '../../demo/networks/litecoind-path.ts';
import { findBrowser, firefoxMissing } from '../browser.ts';
import { beforeEnd, run } from '../command.ts';

const APT = 'apt-get install --no-install-recommends';

/** What is missing of what only some tests need, as sentences. */
export function missingPrograms(): string[] {
  const firefox = firefoxMissing() && `Firefox is missing: its tests are skipped. Debian: ${APT} firefox-esr`;
  const litecoind =
    !litecoindPath() &&
    `litecoind is missing: tests of Bitcoin and Litecoin on a node are skipped. Debian: ${APT} litecoind`;
  return [firefox, litecoind].filter((sentence) => typeof sentence === 'string');
}

/** Makes sure that there is a Chromium. Throws an error with one sentence if not. */
export async function ensureBrowser(say: (text: string) => void): Promise<void> {
  try {
    findBrowser();
    return;
  } catch (error) {
    if (process.env['CHROME_PATH'] || !existsSync('/etc/debian_version') || process.getuid?.() !== 0)
      throw error;
  }
  say(`Chromium is missing. Installing Debian’s: ${APT} chromium`);
  await installPackage('chromium');
  findBrowser();
}

/** Of `apt-get`, which prints much: all of it, if it fails. */
async function installPackage(name: string): Promise<void> {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const args = ['install', '-y', '-qq', '--no-install-recommends'];
  for (const download of [
    ['update', '-qq'],
    [...args, '--download-only', name],
  ]) {
    const lines: string[] = [];
    const keep = (line: string): void => void lines.push(line);
    const { code } = await run('apt-get', download, { env, onLine: keep, onErrorLine: keep });
    if (code !== 0) throw new Error(`apt-get ${download.join(' ')} failed:\n${lines.join('\n')}`);
  }
  await unpack([...args, '--no-download', name], env);
}

/**
 * Killing dpkg would leave the system's packages half installed. So it is no process of the run, and the end of the run waits for it.
 */
function unpack(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { CARABINER_RUN: _run, TMPDIR: _folder, ...others } = process.env;
  const child = spawn('apt-get', args, {
    env: { ...others, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  beforeEnd(async () => void (await ended));
  return ended.then((code) => {
    if (code !== 0) throw new Error(`apt-get ${args.join(' ')} failed:\n${output}`);
  });
}
