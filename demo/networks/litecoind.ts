/** Starts litecoind in regtest, where blocks are made on request, with a wallet that holds coins. */
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort, startWatched, untilItAnswers } from './watched.ts';

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
  const program = startWatched(command);
  const close = async (): Promise<void> => {
    await program.close();
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
    // No cookie and no answer at first, then "Loading block index…".
    await untilItAnswers('litecoind', program, () => rpc('getblockcount'));
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
