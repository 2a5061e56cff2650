/** Starts litecoind in regtest, where blocks are made on request, with a wallet that holds coins. */
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface Litecoind {
  /** Rejects with `RpcFailure`. */
  rpc<T>(method: string, ...params: unknown[]): Promise<T>;
  close(): Promise<void>;
}

/** Where litecoind is; undefined where it is not installed. `LITECOIND` names it outside of the PATH. */
export function litecoindPath(): string | undefined {
  const named = process.env['LITECOIND'];
  const places = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'litecoind'));
  return (named ? [named] : places).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * `sh` waits for our end of its standard input to close, so that litecoind ends with us even when we are killed. Nothing that it would
 * still write is kept.
 */
const WATCH =
  'exec 3<&0; "$@" </dev/null & child=$!; { cat <&3 >/dev/null; kill -9 "$child"; } 2>/dev/null & wait "$child"';

/** Coins of a block can be spent after 100 more. */
const FIRST_BLOCKS = 120;

export async function startLitecoind(...args: string[]): Promise<Litecoind> {
  const path = litecoindPath();
  if (!path)
    throw new Error('litecoind is not installed. Debian: apt-get install --no-install-recommends litecoind');
  const folder = mkdtempSync(join(tmpdir(), 'litecoind-'));
  const port = await freePort();
  const command = [
    path,
    '-regtest',
    `-datadir=${folder}`,
    `-rpcport=${port}`,
    '-server',
    '-listen=0',
    '-connect=0',
    '-printtoconsole=0',
    '-txindex=1',
    // A new wallet makes 2000 keys at once otherwise, which takes most of the start.
    '-keypool=2',
    '-fallbackfee=0.0001',
    // The rules for what is passed on are those of the live network.
    '-acceptnonstdtxn=0',
    // Litecoin Core has replacements turned off (https://github.com/litecoin-project/litecoin/pull/772): here they can be tried.
    '-mempoolreplacement=1',
    // Without it, mining stops at the block that would begin MWEB (measured).
    '-vbparams=mweb:0:0',
    ...args,
  ];
  const child = spawn('sh', ['-c', WATCH, 'sh', ...command], { stdio: ['pipe', 'ignore', 'pipe'] });
  let words = '';
  let running = true;
  child.stderr.on('data', (data: Buffer) => (words = (words + data.toString()).slice(-2_000)));
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      running = false;
      resolve();
    }),
  );
  const close = async (): Promise<void> => {
    child.stdin.destroy();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };

  const rpc = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const cookie = readFileSync(join(folder, 'regtest', '.cookie'), 'utf8');
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(cookie).toString('base64')}` },
      body: JSON.stringify({ id: 1, method, params }),
    });
    const { result, error } = (await answer.json()) as {
      result: T;
      error: { code: number; message: string } | null;
    };
    if (error) throw new RpcFailure(error.code, error.message);
    return result;
  };

  try {
    const deadline = Date.now() + 30_000;
    for (;;) {
      if (!running) throw new Error(`litecoind ended: ${words.trim()}`);
      // No cookie and no answer at first, then "Loading block index…".
      if (
        await rpc('getblockcount')
          .then(() => true)
          .catch(() => false)
      )
        break;
      if (Date.now() > deadline) throw new Error(`litecoind did not start in 30 s: ${words.trim()}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await rpc('createwallet', 'miner');
    await rpc('generatetoaddress', FIRST_BLOCKS, await rpc('getnewaddress', '', 'bech32'));
    return { rpc, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** litecoind's refusal in its own words. */
export class RpcFailure extends Error {
  override name = 'RpcFailure';
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
