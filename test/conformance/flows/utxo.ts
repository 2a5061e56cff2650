/**
 * Bitcoin and Litecoin from prepare to balance, on a node in regtest behind Esplora's HTTP API. The same tests run on litecoind (`npm test`)
 * and on btcd (`npm run test:nodes`).
 */
import assert from 'node:assert/strict';
import * as btc from '@scure/btc-signer';
import type { LocalUtxo } from '../../../demo/networks/esplora.ts';
import { BITCOIN } from '../../../src/chains/bitcoin/profile.ts';
import type { Known, Node } from '../../../src/chains/terms.ts';
import type { Summary } from '../../../src/chains/approval/summary.ts';
import { bytesOf, hexOf } from '../../../src/base/bytes.ts';
import { LITECOIN } from '../../../src/chains/litecoin/profile.ts';
import { publicKey } from '../../../src/chains/keys/secp256k1.ts';
import { decodeAddress, encodeBase58, p2pkhAddress } from '../../../src/chains/utxo/address.ts';
import type { UtxoProfile } from '../../../src/chains/utxo/profile.ts';
import type { UtxoDraft } from '../../../src/chains/utxo/draft.ts';
import { signTransaction } from '../../../src/chains/utxo/envelope.ts';
import { findIncoming } from '../../../src/chains/utxo/incoming.ts';
import { hash160 } from '../../../src/chains/utxo/script.ts';
import { after, before, test } from '../../groups.ts';
import { poll } from '../../waiting.ts';
import { bitcoin, litecoin } from '../../families.ts';

const NOBODY: Known = { used: [], own: [], reported: [] };

/** What differs between nodes in how they refuse. */
export interface Words {
  wrongSignature: RegExp;
  spent: RegExp;
  dust: RegExp;
  lowFee: RegExp;
  notATransaction: RegExp;
}

interface Scene {
  chain: typeof bitcoin | typeof litecoin;
  params: UtxoProfile;
  start: (options: { port: number }) => Promise<LocalUtxo>;
  /** How addresses are written. */
  network: { bech32: string; pubKeyHash: number; scriptHash: number; wif: number };
  words: Words;
}

export const BITCOIN_SCENE = {
  chain: bitcoin,
  params: BITCOIN,
  network: { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef },
};
export const LITECOIN_SCENE = {
  chain: litecoin,
  params: LITECOIN,
  network: { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef },
};

export function utxoFlows({ chain, params, start, network, words }: Scene): void {
  let local: LocalUtxo;
  let node: Node;
  let fresh = 0;

  before(async () => {
    local = await start({ port: 0 });
    node = chain.node(local.network);
  });
  after(() => local?.close());

  const newKey = () => new Uint8Array(32).fill(++fresh);
  const addressOf = (key: Uint8Array) => chain.address(key, 'local');
  const rawBalance = async (address: string) => BigInt((await chain.balance(address, node)).rawBalance);
  const prepare = (from: string, to: string, value: bigint, more: object = {}) =>
    chain.prepare({ type: params.type, walletId: 'w', to, value, ...more }, from, node, NOBODY);
  async function wallet(...coins: bigint[]): Promise<{ key: Uint8Array; address: string }> {
    const key = newKey();
    const address = addressOf(key);
    for (const coin of coins) await local.fund(address, coin);
    return { key, address };
  }
  async function send(
    draft: UtxoDraft,
    key: Uint8Array,
  ): Promise<{ hash: string; summary: Summary; raw: string }> {
    const { raw, hash } = await chain.sign(structuredClone(draft), key);
    assert.equal(await chain.broadcast({ raw, hash }, node), hash);
    return { hash, summary: await chain.describe(draft), raw };
  }
  const confirmed = (hash: string): Promise<boolean> =>
    poll(async () => (await chain.status(hash, node)) === 'confirmed', `${hash} to be confirmed`);

  test('sends to every type of address: the receiver gets exactly the amount, the sender pays the fee shown', async () => {
    const pub = publicKey(newKey(), 'compressed');
    const wpkh = btc.p2wpkh(pub, network);
    const p2sh = btc.p2sh(wpkh, network);
    const targets = [
      btc.p2pkh(pub, network).address!,
      p2sh.address!,
      // The form that Litecoin shares with Bitcoin.
      ...params.p2sh.local.slice(1).map((version) => encodeBase58(version, p2sh.hash)),
      wpkh.address!,
      btc.p2wsh(btc.p2pkh(pub, network), network).address!,
      btc.p2tr(pub.slice(1), undefined, network).address!,
    ];
    local.mining = false;
    for (const to of targets) {
      const { key, address } = await wallet(1_000_000n);
      const had = await rawBalance(to);
      const rounds = node.rounds;
      const draft = await prepare(address, to, 123_456n);
      assert.equal(node.rounds - rounds, 1);
      const { hash, summary } = await send(draft, key);
      assert.equal(await rawBalance(to), had + 123_456n, to);
      assert.equal(await rawBalance(address), 1_000_000n - summary.total.raw);
      assert.deepEqual(await chain.receipt(hash, node), { state: 'pending', fee: summary.fee.maximum.raw });
      await local.mine();
      const block = await local.node.rpc<number>('getblockcount');
      assert.deepEqual(await chain.receipt(hash, node), {
        state: 'confirmed',
        mined: { block, confirmations: 1 },
        fee: summary.fee.maximum.raw,
      });
      const { vsize } = await local.node.rpc<{ vsize: number }>('getrawtransaction', hash, 1);
      assert.ok(vsize === draft.size || vsize === draft.size - 1, `${vsize} of ${draft.size}`);
    }
    local.mining = true;
  });

  test('makes a block by itself soon after a transaction', async () => {
    const { key, address } = await wallet(1_000_000n);
    const { hash } = await send(await prepare(address, addressOf(newKey()), 50_000n), key);
    await confirmed(hash);
  });

  test('joins coins after checking what each is worth, in two rounds', async () => {
    const { key, address } = await wallet(40_000n, 50_000n, 60_000n);
    const rounds = node.rounds;
    const draft = await prepare(address, addressOf(newKey()), 120_000n);
    assert.equal(node.rounds - rounds, 2);
    assert.equal(draft.inputs.length, 3);
    await confirmed((await send(draft, key)).hash);
    assert.equal(await rawBalance(address), 150_000n - 120_000n - draft.fee);
  });

  test('spends its own change before it is confirmed, and what others sent only after', async () => {
    local.mining = false;
    try {
      const { key, address } = await wallet(1_000_000n);
      await send(await prepare(address, addressOf(newKey()), 100_000n), key);
      const second = await prepare(address, addressOf(newKey()), 200_000n);
      assert.equal((await chain.describe(second)).shortOf, undefined);
      await send(second, key);

      const other = newKey();
      const payer = await wallet(500_000n);
      await send(await prepare(payer.address, addressOf(other), 300_000n), payer.key);
      const waiting = await chain.describe(await prepare(addressOf(other), address, 100_000n));
      assert.equal(waiting.shortOf?.have, 0n);
      assert.deepEqual(
        waiting.warnings.map(({ code }) => code),
        ['unconfirmed-coins', 'first-recipient'],
      );
      await local.mine();
      await send(await prepare(addressOf(other), address, 100_000n), other);
    } finally {
      local.mining = true;
      await local.mine();
    }
  });

  test('sends everything, to the last satoshi', async () => {
    const { key, address } = await wallet(100_000n, 200_000n, 300_000n);
    const to = addressOf(newKey());
    const value = await chain.maxSpendable!(address, to, node);
    const { hash } = await send(await prepare(address, to, value), key);
    await confirmed(hash);
    assert.equal(await rawBalance(address), 0n);
    assert.equal(await rawBalance(to), value);
    // One satoshi more is more than there is, and the draft tells how much would do.
    const again = await wallet(100_000n);
    const most = await chain.maxSpendable!(again.address, to, node);
    const over = await chain.describe(await prepare(again.address, to, 100_000n));
    assert.equal(over.shortOf!.have - over.fee.maximum.raw, most);
  });

  test('carries data that the node relays, to the last byte that fits', async () => {
    const { key, address } = await wallet(500_000n, 400_000n);
    for (const data of ['6d656d6f', 'ff'.repeat(80)]) {
      const { hash } = await send(
        await prepare(address, addressOf(newKey()), 100_000n, { data: `0x${data}` }),
        key,
      );
      const { vout } = await local.node.rpc<{ vout: { value: number; scriptPubKey: { hex: string } }[] }>(
        'getrawtransaction',
        hash,
        1,
      );
      const { value, scriptPubKey } = vout.at(-1)!;
      assert.deepEqual([value, scriptPubKey.hex.endsWith(data)], [0, true]);
      await confirmed(hash);
    }
  });

  test('lists what came to an address, and not its own change', async () => {
    const me = await wallet(500_000n);
    const other = await wallet(1_000_000n);
    local.mining = false;
    const { hash } = await send(await prepare(other.address, me.address, 200_000n), other.key);
    const list = async () => (await findIncoming(me.address, node, undefined, chain.coin)).items;
    const [waiting, gift, ...rest] = await list();
    assert.deepEqual(
      [waiting?.hash, waiting?.from, waiting?.amount.raw, waiting?.at],
      [hash, other.address, 200_000n, undefined],
    );
    assert.deepEqual([gift?.amount.raw, typeof gift?.at, rest.length], [500_000n, 'number', 0]);
    await local.mine();
    await send(await prepare(me.address, other.address, 100_000n), me.key);
    assert.deepEqual((await list()).map(({ amount }) => amount.raw).sort(), [200_000n, 500_000n]);
    await local.mine();
    local.mining = true;
  });

  test('speeds up and cancels what waits', async () => {
    local.mining = false;
    try {
      const { key, address } = await wallet(500_000n);
      const to = addressOf(newKey());
      const first = await prepare(address, to, 100_000n);
      const slow = await send(first, key);
      const faster = await chain.replace!(first, 'speed-up', node);
      const { hash, summary } = await send(faster, key);
      assert.equal(summary.amount.raw, 100_000n);
      assert.ok(summary.fee.maximum.raw > first.fee);
      assert.equal(await chain.status(slow.hash, node), 'unknown');
      assert.equal(await rawBalance(to), 100_000n);

      const cancelled = await send(await chain.replace!(faster, 'cancel', node), key);
      assert.equal(cancelled.summary.to, address);
      assert.equal(await chain.status(hash, node), 'unknown');
      await local.mine();
      await confirmed(cancelled.hash);
      assert.equal(await rawBalance(to), 0n);
      assert.equal(await rawBalance(address), 500_000n - cancelled.summary.fee.maximum.raw);
      await assert.rejects(
        chain.replace!(faster, 'cancel', node).then((draft) => send(draft, key)),
        {
          code: 'transaction.refused',
        },
      );
    } finally {
      local.mining = true;
    }
  });

  test('takes further coins when the change does not pay for more speed, and never drops a later payment', async () => {
    local.mining = false;
    try {
      const { key, address } = await wallet(200_000n, 90_000n);
      const to = addressOf(newKey());
      const tight = await prepare(address, to, 198_500n);
      assert.equal(tight.inputs.length, 1);
      await send(tight, key);
      const faster = await chain.replace!(tight, 'speed-up', node);
      assert.equal(faster.inputs.length, 2);
      await send(faster, key);
      // The change of that one pays for another: replacing it would undo both.
      await send(await prepare(address, addressOf(newKey()), 40_000n), key);
      await assert.rejects(chain.replace!(faster, 'speed-up', node), {
        code: 'transaction.refused',
        details: { reason: 'change spent' },
      });
    } finally {
      local.mining = true;
      await local.mine();
    }
  });

  test('finds coins at the P2PKH address of the same key, and moves them', async () => {
    const { key, address } = await wallet();
    const other = p2pkhAddress(params, hash160(publicKey(key, 'compressed')), 'local');
    await local.fund(other, 70_000n);
    await local.fund(other, 80_000n);
    const rounds = node.rounds;
    const found = await chain.sweep!.find(address, node);
    assert.equal(node.rounds - rounds, 1);
    assert.equal(found.address, other);
    assert.equal(found.amount.raw, 150_000n);
    const draft = await chain.sweep!.prepare(address, node);
    assert.equal(node.rounds - rounds, 3);
    const { hash, summary } = await send(draft, key);
    assert.equal(summary.from, other);
    await confirmed(hash);
    assert.equal(await rawBalance(address), 150_000n - draft.fee);
    assert.equal((await chain.sweep!.find(address, node)).amount.raw, 0n);
    await assert.rejects(chain.sweep!.prepare(address, node), { code: 'transaction.insufficient-funds' });
  });

  test('words the refusals of the node', async () => {
    const { key, address } = await wallet(300_000n, 300_000n);
    const to = addressOf(newKey());
    const draft = await prepare(address, to, 100_000n);
    const signed = await chain.sign(draft, key);
    // Another amount than the one that was signed.
    const value = (raw: bigint) => {
      const bytes = new Uint8Array(8);
      new DataView(bytes.buffer).setBigUint64(0, raw, true);
      return hexOf(bytes).slice(2);
    };
    const tampered = { ...signed, raw: signed.raw.replace(value(100_000n), value(100_001n)) };
    await assert.rejects(chain.broadcast(tampered, node), {
      code: 'transaction.refused',
      message: words.wrongSignature,
    });
    await chain.broadcast(signed, node);
    assert.equal(await chain.broadcast(signed, node), signed.hash, 'sent once more');
    await local.mine();
    assert.equal(await chain.broadcast(signed, node), signed.hash, 'sent once more after it was mined');
    // Spent coins.
    const late = await chain.sign(
      { ...draft, outputs: [{ ...draft.outputs[0]!, value: draft.value + draft.outputs[1]!.value }] },
      key,
    );
    await assert.rejects(chain.broadcast(late, node), {
      code: 'transaction.refused',
      message: words.spent,
    });
  });

  test('refuses dust and low fees as the node does', async () => {
    const { key, address } = await wallet(300_000n);
    const draft = await prepare(address, addressOf(newKey()), 100_000n);
    const least = chain.secretType === 'BITCOIN' ? 294n : 2940n;
    const spend = async (value: bigint, fee: bigint) => {
      const [coin] = draft.inputs;
      const outputs = [
        { value, script: draft.outputs[0]!.script },
        { value: 300_000n - value - fee, script: coin!.script },
      ];
      const inputs = [{ ...coin!, sequence: 0xfffffffd }];
      const { bytes, txid } = await signTransaction({ version: 2, lockTime: 0, inputs, outputs }, key);
      return { raw: hexOf(bytes), hash: txid };
    };
    await assert.rejects(chain.broadcast(await spend(least - 1n, 1_000n), node), { message: words.dust });
    await assert.rejects(chain.broadcast(await spend(least, 100n), node), { message: words.lowFee });
    await chain.broadcast(await spend(least, 1_000n), node);
  });

  test('answers as electrs does for what it does not know', async () => {
    const ask = async (path: string, init?: RequestInit) => {
      const answer = await fetch(local.url + path, init);
      return `${answer.status} ${answer.headers.get('access-control-allow-origin')} ${await answer.text()}`;
    };
    const none = '00'.repeat(32);
    assert.equal(await ask(`/tx/${none}`), '404 * Transaction not found');
    assert.equal(await ask(`/tx/${none}/status`), '200 * {"confirmed":false}');
    assert.equal(await ask('/tx/xyz'), '400 * Invalid hash string');
    assert.equal(await ask('/block-height/x'), '400 * Invalid number');
    assert.equal(await ask('/block-height/99999999'), '404 * Block not found');
    assert.equal(
      await ask('/address/bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'),
      '400 * Address on invalid network',
    );
    assert.equal(await ask('/fee-estimates'), '200 * {}');
    assert.match(await ask('/blocks/tip/height'), /^200 \* \d+$/);
    assert.match(await ask('/tx', { method: 'POST', body: '00' }), words.notATransaction);
  });

  test('is not used when it belongs to another network', async () => {
    const elsewhere = chain.node({ ...local.network, genesis: '12'.repeat(32) });
    await assert.rejects(chain.balance(addressOf(newKey()), elsewhere), { code: 'node.unreachable' });
  });

  test('knows its own keys', () => {
    const key = newKey();
    const { script } = decodeAddress(params, addressOf(key))!;
    assert.equal(script.slice(6), hexOf(hash160(publicKey(key, 'compressed'))).slice(2));
    assert.equal(bytesOf(script).length, 22);
  });
}
