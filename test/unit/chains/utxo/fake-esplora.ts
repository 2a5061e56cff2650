/** A fake Esplora node: answers by path, and records requests. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesOf, concat, hexOf } from '../../../../src/base/bytes.ts';
import type { Network } from '../../../../src/chains/network.ts';
import { nodeOf } from '../../../../src/chains/utxo/node.ts';

export const GENESIS = 'ab'.repeat(32);

export function networkOf(secretType: 'BITCOIN' | 'LITECOIN', more: Partial<Network> = {}): Network {
  return {
    id: 'local',
    secretType,
    name: secretType === 'BITCOIN' ? 'Local Bitcoin' : 'Local Litecoin',
    kind: 'local',
    nodes: ['http://one.example'],
    tokens: [],
    ...more,
  };
}

interface Made {
  txid: string;
  hex: string;
}

/** Bytes of a transaction with these outputs and, as the key of its only witness, `spender`. `salt` makes it unique. */
export function made(
  outputs: readonly { value: bigint; script: string }[],
  salt: number,
  spender?: Uint8Array,
): Made {
  const number = (value: bigint, size: number) =>
    Uint8Array.from({ length: size }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
  const input = concat(number(BigInt(salt), 32), number(0n, 4), Uint8Array.of(0), number(0xfffffffdn, 4));
  const body = concat(
    Uint8Array.of(1),
    input,
    Uint8Array.of(outputs.length),
    ...outputs.flatMap(({ value, script }) => {
      const bytes = bytesOf(script);
      return [number(value, 8), Uint8Array.of(bytes.length), bytes];
    }),
  );
  const [version, lockTime] = [number(2n, 4), number(0n, 4)];
  const witness = spender && concat(Uint8Array.of(2, 1, 0), Uint8Array.of(spender.length), spender);
  return {
    txid: hexOf(sha256(sha256(concat(version, body, lockTime))).reverse()).slice(2),
    hex: hexOf(
      witness
        ? concat(version, Uint8Array.of(0, 1), body, witness, lockTime)
        : concat(version, body, lockTime),
    ).slice(2),
  };
}

export interface FakeCoin {
  value: bigint;
  confirmed?: boolean;
  /** Public key that funded it, while it is unconfirmed. */
  spender?: Uint8Array;
}

/** Text is a raw body, an `Error` a refusal with HTTP 400, anything else JSON; a function gets the body. */
export type Answers = Record<string, unknown>;

export interface FakeEsplora {
  network?: Network;
  /** Coins by address, with their script. */
  coins?: { address: string; script: string; coins: readonly FakeCoin[] }[];
  answers?: Answers;
}

let salts = 0;

export function fakeEsplora({ network = networkOf('BITCOIN'), coins = [], answers = {} }: FakeEsplora) {
  const requests: string[] = [];
  const known: Answers = {
    'GET /block-height/0': GENESIS,
    'GET /fee-estimates': { '1': 30.5, '3': 12.25, '144': 1 },
  };
  const outpoints: { txid: string; vout: number }[] = [];
  for (const { address, script, coins: held } of coins) {
    known[`GET /address/${address}/utxo`] = held.map(({ value, confirmed = true, spender }) => {
      const { txid, hex } = made([{ value, script }], ++salts, spender);
      known[`GET /tx/${txid}/hex`] = hex;
      outpoints.push({ txid, vout: 0 });
      return { txid, vout: 0, value: Number(value), status: { confirmed } };
    });
  }
  Object.assign(known, answers);
  const node = nodeOf(network, {
    fetch: async (url, init) => {
      const path = `${init?.method ?? 'GET'} ${String(url).replace(/^https?:\/\/[^/]+/, '')}`;
      requests.push(path);
      let answer = known[path];
      if (typeof answer === 'function') answer = answer(String(init?.body ?? ''));
      if (answer === undefined) return new Response('Transaction not found', { status: 404 });
      if (answer instanceof Error) return new Response(answer.message, { status: 400 });
      return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer));
    },
  });
  return { node, requests, outpoints, answers: known };
}
