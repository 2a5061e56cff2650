/** Transactions of Bitcoin and Litecoin, byte for byte against @scure/btc-signer, and checked by bitcoinjs-lib. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as ecc from '@bitcoinerlab/secp256k1';
import * as btc from '@scure/btc-signer';
import { opcodes, script as scripts, Transaction } from 'bitcoinjs-lib';
import fc from 'fast-check';
import { BITCOIN } from '../../src/chains/bitcoin/profile.ts';
import { bytesOf, hexOf } from '../../src/base/bytes.ts';
import { LITECOIN } from '../../src/chains/litecoin/profile.ts';
import { publicKey } from '../../src/chains/keys/secp256k1.ts';
import { decodeAddress, p2pkhAddress, p2pkhScript } from '../../src/chains/utxo/address.ts';
import type { UtxoDraft } from '../../src/chains/utxo/draft.ts';
import { signTransaction } from '../../src/chains/utxo/envelope.ts';
import { hash160, dustLimit, feeFor } from '../../src/chains/utxo/script.ts';
import { CASES } from './cases.ts';
import { fakeEsplora, networkOf } from '../unit/chains/utxo/fake-esplora.ts';
import { bitcoin, bitcoinPayloads, litecoin, litecoinPayloads } from '../families.ts';

/** Mostly such as people have; some that are not worth their fee, or only just. */
const coinValue = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: 20_000n, max: 10n ** 12n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 5_000n }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 60 }), fc.constantFrom(-1n, 0n, 1n))
      .map(([perByte, more]) => 68n * BigInt(perByte) + more),
  },
);

const NOBODY = { used: [], own: [], reported: [] };
const KEYS = [1, 2, 3, 4].map((fill) => new Uint8Array(32).fill(fill));

const CHAINS = [
  {
    chain: bitcoin,
    payloads: bitcoinPayloads,
    params: BITCOIN,
    field: 'feePerByte',
    network: { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef },
  },
  {
    chain: litecoin,
    payloads: litecoinPayloads,
    params: LITECOIN,
    field: 'feePerKiloByte',
    network: { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef },
  },
] as const;

/** A recipient of each type, with the addresses from btc-signer. */
function recipients(network: (typeof CHAINS)[number]['network'], seed: number): string[] {
  const key = new Uint8Array(32).fill(seed);
  const pub = publicKey(key, 'compressed');
  const wpkh = btc.p2wpkh(pub, network);
  return [
    btc.p2pkh(pub, network).address!,
    btc.p2sh(wpkh, network).address!,
    wpkh.address!,
    btc.p2wsh(btc.p2pkh(pub, network), network).address!,
    btc.p2tr(pub.slice(1), undefined, network).address!,
  ];
}

/** The transaction of a draft as btc-signer builds and signs it. */
function reference(draft: UtxoDraft, key: Uint8Array): Uint8Array {
  const transaction = new btc.Transaction({ version: 2, lockTime: 0, allowUnknownOutputs: true });
  for (const { txid, vout, value, script, previous } of draft.inputs as (UtxoDraft['inputs'][number] & {
    previous?: string;
  })[])
    transaction.addInput({
      txid,
      index: vout,
      sequence: 0xfffffffd,
      ...(previous
        ? { nonWitnessUtxo: bytesOf(`0x${previous}`) }
        : { witnessUtxo: { amount: value, script: bytesOf(script) } }),
    });
  for (const { value, script } of draft.outputs)
    transaction.addOutput({ amount: value, script: bytesOf(script) });
  transaction.sign(key);
  transaction.finalize();
  return transaction.extract();
}

/** Throws unless bitcoinjs-lib accepts every signature. Returns how much shorter, in weight units, the signatures are than the longest. */
function verified(
  raw: string,
  draft: UtxoDraft,
  key: Uint8Array,
): { transaction: Transaction; shorter: number } {
  const transaction = Transaction.fromHex(raw.slice(2));
  const owner = publicKey(key, 'compressed');
  let shorter = 0;
  for (const [i, { script, value }] of draft.inputs.entries()) {
    const segwit = script.startsWith('0x0014');
    const input = transaction.ins[i]!;
    const [signature, shown] = segwit
      ? input.witness
      : (scripts.decompile(input.script) as [Uint8Array, Uint8Array]);
    assert.equal(hexOf(shown!), hexOf(owner));
    const code = segwit ? p2pkhScript(hash160(owner)) : bytesOf(script);
    const digest = segwit
      ? transaction.hashForWitnessV0(i, code, value, Transaction.SIGHASH_ALL)
      : transaction.hashForSignature(i, code, Transaction.SIGHASH_ALL);
    const decoded = scripts.signature.decode(signature!);
    assert.equal(decoded.hashType, Transaction.SIGHASH_ALL);
    assert.ok(ecc.verify(digest, owner, decoded.signature, true), `input ${i}`);
    // A byte of an input's script has four times the weight of a witness byte.
    shorter += (72 - signature!.length) * (segwit ? 1 : 4);
  }
  return { transaction, shorter };
}

/** Fee, by the weights of BIP-141 alone, of so many P2WPKH coins with signatures of the greatest length, to one output. */
function feeToOne(coins: number, script: string, perByte: number, data?: number): bigint {
  const outputBytes = 8 + 1 + (script.length - 2) / 2 + (data === undefined ? 0 : 8 + 1 + data);
  const count = coins < 253 ? 1 : 3;
  const weight = 4 * (4 + count + 41 * coins + 1 + outputBytes + 4) + 2 + coins * (1 + 1 + 72 + 1 + 33);
  return BigInt(Math.ceil(weight / 4)) * BigInt(perByte);
}

for (const { chain, payloads, params, field, network } of CHAINS) {
  const own = KEYS.map((key) => chain.address(key, 'local'));
  const targets = [5, 6, 7].flatMap((seed) => recipients(network, seed));
  const local = networkOf(params.secretType);
  const scriptOf = (address: string) => decodeAddress(params, address)!.script;

  describe(`${chain.secretType} transactions`, () => {
    it(`are btc-signer's, with fee and size as shown, for ${CASES} random payments`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 0, max: KEYS.length - 1 }),
          fc.constantFrom(...targets),
          fc.oneof(
            { weight: 30, arbitrary: fc.array(coinValue, { minLength: 1, maxLength: 3 }) },
            { weight: 5, arbitrary: fc.array(coinValue, { minLength: 4, maxLength: 30 }) },
            // More than one transaction spends, too.
            { weight: 1, arbitrary: fc.array(coinValue, { minLength: 90, maxLength: 300 }) },
          ),
          fc.oneof(
            fc.double({ min: 0, max: 1, noNaN: true }),
            fc.constantFrom('least', 'most', 'more' as const),
          ),
          fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(1, 500)),
          // A single byte may be an opcode of its own.
          fc.option(fc.uint8Array({ minLength: 2, maxLength: 80 })),
          async (who, to, values, share, perByte, data) => {
            const [key, from] = [KEYS[who]!, own[who]!];
            const coins = [
              { address: from, script: scriptOf(from), coins: values.map((value) => ({ value })) },
            ];
            const { node } = fakeEsplora({ network: local, coins });
            const available = values.reduce((sum, value) => sum + value, 0n);
            const least = dustLimit(params, scriptOf(to));
            // As if nothing of ours were there: the 100 best of the coins that are worth the 68 vB which they take.
            const worth = values
              .filter((value) => value > 68n * BigInt(perByte))
              .sort((a, b) => Number(b - a))
              .slice(0, 100);
            const held = worth.reduce((sum, value) => sum + value, 0n);
            const carried = data && scripts.compile([opcodes.OP_RETURN!, data]);
            const most = held - feeToOne(worth.length, scriptOf(to), perByte, carried?.length);
            const wanted =
              typeof share === 'number'
                ? (available * BigInt(Math.floor(share * 1000))) / 1000n
                : { least, most, more: most + 1n }[share];
            const value = wanted > least ? wanted : least;
            const rate = field === 'feePerByte' ? perByte : perByte * 1000;
            const draft = await chain.prepare(
              payloads.parse({
                type: params.type,
                walletId: 'w',
                to,
                value,
                [field]: rate,
                data: data && hexOf(data),
              }),
              from,
              node,
              NOBODY,
            );
            const summary = await chain.describe(draft);
            assert.equal(summary.shortOf !== undefined, value > most, 'shortage');
            if (summary.shortOf) {
              assert.equal(summary.shortOf.have, held);
              await assert.rejects(chain.sign(draft, key), { code: 'transaction.insufficient-funds' });
              return;
            }
            const { raw, hash } = await chain.sign(draft, key);
            assert.equal(raw, hexOf(reference(draft, key)));
            const { transaction, shorter } = verified(raw, draft, key);
            assert.equal(transaction.getId(), hash);
            // The size that is shown assumes signatures of maximum length.
            assert.equal(draft.size, Math.ceil((transaction.weight() + shorter) / 4));
            const left = draft.inputs.reduce((sum, coin) => sum + coin.value, 0n);
            const out = transaction.outs.reduce((sum, output) => sum + output.value, 0n);
            assert.equal(left - out, summary.fee.maximum.raw);
            assert.ok(draft.fee >= feeFor(draft.size, BigInt(perByte) * 1000n));
            assert.equal(transaction.outs[0]!.value, value);
            assert.equal(hexOf(transaction.outs[0]!.script), scriptOf(to));
            const others = transaction.outs.slice(1);
            if (carried) assert.deepEqual(others.pop(), { value: 0n, script: carried });
            assert.ok(others.length <= 1);
            for (const change of others) {
              assert.equal(hexOf(change.script), scriptOf(from));
              assert.ok(change.value >= dustLimit(params, scriptOf(from)));
            }
          },
        ),
        { numRuns: CASES },
      );
    });

    it('take what the network carries and refuse a satoshi less, to every kind of address', () => {
      for (const to of targets) {
        const least = dustLimit(params, scriptOf(to));
        const asked = (value: bigint) => ({ type: params.type, walletId: 'w', to, value });
        assert.equal((payloads.parse(asked(least)) as { value?: unknown }).value, least);
        assert.throws(() => payloads.parse(asked(least - 1n)), { code: 'request.invalid' });
      }
    });

    // Both chains share this code.
    if (chain !== bitcoin) return;

    it('are btc-signer’s when they spend P2PKH coins, alone and beside P2WPKH', async () => {
      const previous = (value: bigint, script: string, salt: number) => {
        const made = new Transaction();
        made.addInput(new Uint8Array(32).fill(salt), 0);
        made.addOutput(bytesOf(script), value);
        return { txid: made.getId(), previous: made.toHex() };
      };
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 0, max: KEYS.length - 1 }),
          fc.array(fc.tuple(fc.bigInt({ min: 20_000n, max: 10n ** 10n }), fc.boolean()), {
            minLength: 1,
            maxLength: 2,
          }),
          fc.constantFrom(...targets),
          async (who, coins, to) => {
            const key = KEYS[who]!;
            const hash = hash160(publicKey(key, 'compressed'));
            const legacy = scriptOf(p2pkhAddress(params, hash, 'local'));
            const inputs = coins.map(([value, segwit], i) => {
              const script = segwit && i > 0 ? scriptOf(own[who]!) : legacy;
              const { previous: hex, txid } = previous(value, script, i + 1);
              return {
                txid,
                vout: 0,
                value,
                script,
                sequence: 0xfffffffd,
                ...(script === legacy ? { previous: hex } : {}),
              };
            });
            const value = inputs.reduce((sum, input) => sum + input.value, 0n) - 5_000n;
            const outputs = [{ value, script: scriptOf(to) }];
            const draft = { inputs, outputs } as unknown as UtxoDraft;
            const signed = await signTransaction({ version: 2, lockTime: 0, inputs, outputs }, key);
            assert.equal(hexOf(signed.bytes), hexOf(reference(draft, key)));
            assert.equal(verified(hexOf(signed.bytes), draft, key).transaction.getId(), signed.txid);
          },
        ),
        { numRuns: CASES / 2 },
      );
    });
  });
}
