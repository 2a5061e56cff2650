/** An independent implementation of Bitcoin: btcd in regtest behind Esplora's HTTP API. It has no wallet; it mines to our key. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as btc from '@scure/btc-signer';
import { networks } from 'bitcoinjs-lib';
import { publicKey } from '../../../src/chains/keys/secp256k1.ts';
import { NETWORK } from '../bitcoin.ts';
import { type LocalUtxo, startLocalUtxo } from '../esplora.ts';
import { askNode, type UtxoNode } from '../utxo-node.ts';
import { freePort, startWatched, untilItAnswers } from '../watched.ts';
import { goNode } from './go-nodes.ts';

interface BtcdOptions {
  port: number;
  onBuild?: (what: string) => void;
}

/** The height at which Taproot is active. */
const FIRST_BLOCKS = 450;
/** Fee of each payment of the faucet, in satoshis. */
const FEE = 1_000n;

export async function startBtcdNetwork({ port, onBuild }: BtcdOptions): Promise<LocalUtxo> {
  const path = await goNode('btcd', onBuild);
  return startLocalUtxo({
    asset: 'BTC',
    gift: 10n ** 7n,
    network: NETWORK,
    encodings: [networks.regtest],
    start: () => startBtcd(path),
    port,
    setting: 'BITCOIN_PORT',
  });
}

interface Coin {
  txid: string;
  index: number;
  amount: bigint;
}

async function startBtcd(path: string): Promise<UtxoNode> {
  const folder = mkdtempSync(join(tmpdir(), 'btcd-'));
  const port = await freePort();
  const password = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex');
  const key = btc.utils.randomPrivateKeyBytes();
  const own = btc.p2wpkh(publicKey(key, 'compressed'), { ...networks.regtest, bech32: 'bcrt' });
  const program = startWatched([
    path,
    '--regtest',
    '--notls',
    '--nolisten',
    '--txindex',
    '--rejectnonstd',
    '--debuglevel=error',
    `--datadir=${folder}`,
    `--logdir=${folder}`,
    `--configfile=${join(folder, 'none.conf')}`,
    `--rpclisten=127.0.0.1:${port}`,
    '--rpcuser=demo',
    `--rpcpass=${password}`,
    `--miningaddr=${own.address}`,
  ]);
  const rpc = <T>(method: string, ...params: unknown[]): Promise<T> =>
    askNode(`http://127.0.0.1:${port}/`, `demo:${password}`, method, params);
  const close = async (): Promise<void> => {
    await program.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const mine = async (blocks: number): Promise<void> => {
    await rpc('generate', blocks);
  };
  /** Spendable outputs: mature coinbases, oldest first, and change. */
  let height = 0;
  let coin: Coin = { txid: '', index: 0, amount: 0n };

  async function nextCoin(): Promise<Coin> {
    const hash = await rpc<string>('getblockhash', ++height);
    const { tx } = await rpc<{ tx: [string, ...string[]] }>('getblock', hash, 1);
    const { vout } = await rpc<{ vout: { value: number }[] }>('getrawtransaction', tx[0], 1);
    return { txid: tx[0], index: 0, amount: BigInt(Math.round(vout[0]!.value * 1e8)) };
  }

  async function payNow(script: Uint8Array, amount: bigint): Promise<string> {
    const inputs: Coin[] = [];
    let sum = 0n;
    // Change must exceed dust.
    for (let next = coin; sum < amount + FEE + 10_000n; next = await nextCoin()) {
      if (next.amount === 0n) continue;
      inputs.push(next);
      sum += next.amount;
    }
    const transaction = new btc.Transaction({ allowUnknownOutputs: true });
    for (const { txid, index, amount: value } of inputs)
      transaction.addInput({ txid, index, witnessUtxo: { script: own.script, amount: value } });
    transaction.addOutput({ script, amount });
    transaction.addOutput({ script: own.script, amount: sum - amount - FEE });
    transaction.sign(key);
    transaction.finalize();
    const txid = await rpc<string>('sendrawtransaction', transaction.hex);
    coin = { txid, index: 1, amount: sum - amount - FEE };
    return txid;
  }

  let last: Promise<unknown> = Promise.resolve();
  try {
    await untilItAnswers('btcd', program, () => rpc('getblockcount'));
    await mine(FIRST_BLOCKS);
    return {
      rpc,
      mine,
      // Serialised: each payment spends the last one's change.
      pay(script, amount) {
        const work = () => payNow(script, amount);
        const turn = last.then(work, work);
        last = turn.catch(() => {});
        return turn;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
