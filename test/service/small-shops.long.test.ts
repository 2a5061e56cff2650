/** The same shop in Python, with its packages of PyPI. It needs `python3` with `venv`. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { litecoindPath } from '../../demo/networks/litecoind-path.ts';
import { ROOT } from '../../scripts/command.ts';
import { bitcoin, type Command, dollarsOnTron, tryShop } from './small-shops.ts';

const REQUIREMENTS = join(ROOT, 'demo/shop/small/requirements.txt');

/** Made once for a list of packages. */
async function python(): Promise<Command> {
  const names = readFileSync(REQUIREMENTS, 'utf8').trim().split('\n').join('-');
  const folder = join(ROOT, '.cache/small-shops', names);
  mkdirSync(folder, { recursive: true });
  await promisify(execFile)('python3', ['-m', 'venv', folder]);
  const program = join(folder, 'bin/python3');
  await promisify(execFile)(program, ['-m', 'pip', 'install', '--quiet', '-r', REQUIREMENTS]);
  return {
    line: 'python3 -m flask --app demo/shop/small/shop.py run --port 8080',
    programs: { python3: program },
  };
}

test('the shop in Python takes USDT on Tron', async () => tryShop(await python(), dollarsOnTron));
test(
  'the shop in Python takes Bitcoin',
  {
    skip: litecoindPath() ? false : 'litecoind is not installed',
  },
  async () => tryShop(await python(), bitcoin),
);
