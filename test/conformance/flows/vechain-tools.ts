/** What tests of the VeChain chain do again and again, on a ledger or on a node. */
import assert from 'node:assert/strict';
import { Address, HexUInt, Secp256k1 } from '@vechain/sdk-core';
import type { VechainPlace } from '../../../demo/networks/vechain-place.ts';
import type { ChainRequest, Known, Node, Receipt, Signed } from '../../../src/chains/terms.ts';
import type { Summary } from '../../../src/chains/approval/summary.ts';
import type { Network } from '../../../src/chains/network.ts';
import { chain as vechain, type VechainDraft } from '../../../src/chains/vechain/index.ts';
import { payloads } from '../../../src/chains/vechain/payload.ts';
import type { ConnectError } from '../../../src/base/errors.ts';
import { fromPage } from '../../unit/chains/from-page.ts';
import { poll } from '../../waiting.ts';

export const chain = fromPage(vechain, payloads);
export const NOBODY: Known = { used: [], own: [], reported: [] };
export const VET = 10n ** 18n;

export interface Wallet {
  key: Uint8Array;
  address: string;
}

export interface Sent {
  draft: VechainDraft;
  summary: Summary;
  signed: Signed;
}

let fresh = 0;

/** An address nobody has used. */
export function newAddress(): string {
  fresh++;
  return Address.checksum(HexUInt.of(`0x${fresh.toString(16).padStart(40, 'c')}`)).toString();
}

export async function failure(work: Promise<unknown>): Promise<ConnectError> {
  return work.then(
    () => assert.fail('did not reject'),
    (error: ConnectError) => error,
  );
}

export async function refused(work: Promise<unknown>, reason: string, code = 'transaction.refused') {
  const { code: actual, details } = await failure(work);
  assert.deepEqual([actual, details['reason']], [code, reason]);
}

export const codes = ({ warnings }: Summary) => warnings.map(({ code }) => code);
export const vet = (clauses: object[], more = {}) => ({ type: 'VET_TRANSACTION', clauses, ...more });

/** The network of a place, where nobody else pays. */
export function unsponsored({ network }: VechainPlace): Network {
  const { delegator: _delegator, ...alone } = network;
  return alone;
}

/** `place` is asked when a test runs. */
export function toolsOn(place: () => VechainPlace) {
  let own: Node | undefined;
  const nodeOf = (): Node => (own ??= chain.node(unsponsored(place())));

  async function newWallet(coins = 1000n * VET, vtho = 100n * VET, at = place()): Promise<Wallet> {
    const key = await Secp256k1.generatePrivateKey();
    const address = chain.address(key);
    await at.mint(address, coins, vtho);
    return { key, address };
  }

  const prepare = (fields: object, wallet: Wallet, at = nodeOf()) =>
    chain.prepare({ walletId: 'w', ...fields } as ChainRequest, wallet.address, at, NOBODY);

  async function send(fields: object, wallet: Wallet, at = nodeOf()): Promise<Sent> {
    const draft = await prepare(fields, wallet, at);
    const signed = await chain.sign(structuredClone(draft), wallet.key);
    const summary = await chain.describe(draft);
    assert.equal(await chain.broadcast(signed, at), signed.hash);
    return { draft, summary, signed };
  }

  async function decided(hash: string, at = nodeOf(), state = 'confirmed'): Promise<Receipt> {
    const look = async (): Promise<Receipt | false> => {
      const found = await chain.receipt(hash, at);
      return found.state !== 'pending' && found;
    };
    const receipt = await poll(look, `${hash} to be decided`);
    assert.equal(receipt.state, state);
    assert.equal(await chain.status(hash, at), state);
    return receipt;
  }

  async function holds(address: string, at = nodeOf()): Promise<{ vet: bigint; vtho: bigint }> {
    const { rawBalance, rawGasBalance } = await chain.balance(address, at);
    return { vet: BigInt(rawBalance), vtho: BigInt(rawGasBalance) };
  }

  async function dusd(address: string): Promise<bigint> {
    const [balance] = await chain.tokenBalances(address, place().network.tokens, nodeOf());
    return BigInt(balance!.rawBalance);
  }

  /** An answer of the node as it is. */
  async function ask(path: string, body?: unknown): Promise<{ status: number; text: string }> {
    const answer = await fetch(`${place().url}${path}`, {
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    });
    return { status: answer.status, text: (await answer.text()).trim() };
  }

  const read = async <T>(path: string, body?: unknown): Promise<T> => {
    const { status, text } = await ask(path, body);
    assert.equal(status, 200, `${path}: ${text}`);
    return JSON.parse(text) as T;
  };

  return { nodeOf, newWallet, prepare, send, decided, holds, dusd, ask, read };
}
