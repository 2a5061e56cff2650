/** Starts litecoind in regtest, where blocks are mined on request, with a funded wallet. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as ecc from '@bitcoinerlab/secp256k1';
import { address as addresses, initEccLib, networks, type Network as Encoding } from 'bitcoinjs-lib';
import { litecoindPath } from './litecoind-path.ts';
import { askNode, type UtxoNode } from './utxo-node.ts';
import { freePort, startWatched, untilItAnswers } from './watched.ts';

// For P2TR addresses.
initEccLib(ecc);

/** How litecoind writes addresses in regtest. */
export const LITECOIN_REGTEST: Encoding = {
  ...networks.regtest,
  messagePrefix: '\x19Litecoin Signed Message:\n',
  bech32: 'rltc',
  pubKeyHash: 0x6f,
  scriptHash: 0x3a,
  wif: 0xef,
};

/** Coinbase outputs mature after 100 blocks. */
const FIRST_BLOCKS = 120;

export async function startLitecoind(...args: string[]): Promise<UtxoNode> {
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
    // Otherwise a new wallet generates 2000 keys, which takes most of the start-up.
    '-keypool=2',
    '-fallbackfee=0.0001',
    // Relay policy of mainnet.
    '-acceptnonstdtxn=0',
    // Litecoin Core disables RBF (https://github.com/litecoin-project/litecoin/pull/772); here it is enabled for tests.
    '-mempoolreplacement=1',
    // Without it, mining stops at the block that would activate MWEB (measured).
    '-vbparams=mweb:0:0',
    ...args,
  ];
  const program = startWatched(command);
  const close = async (): Promise<void> => {
    await program.close();
    rmSync(folder, { recursive: true, force: true });
  };

  const rpc = <T>(method: string, ...params: unknown[]): Promise<T> => {
    const cookie = readFileSync(join(folder, 'regtest', '.cookie'), 'utf8');
    return askNode(`http://127.0.0.1:${port}/`, cookie, method, params);
  };
  const mine = async (blocks: number): Promise<void> => {
    await rpc('generatetoaddress', blocks, await rpc('getnewaddress', '', 'bech32'));
  };

  try {
    // At first there is no cookie and no response, then "Loading block index…".
    await untilItAnswers('litecoind', program, async () => rpc('getblockcount'));
    await rpc('createwallet', 'miner');
    await mine(FIRST_BLOCKS);
    return {
      rpc,
      mine,
      pay: (script, amount) =>
        rpc('sendtoaddress', addresses.fromOutputScript(script, LITECOIN_REGTEST), coins(amount)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Satoshis as a decimal string in coins, which litecoind accepts like a number. */
function coins(amount: bigint): string {
  return `${amount / 100_000_000n}.${(amount % 100_000_000n).toString().padStart(8, '0')}`;
}
