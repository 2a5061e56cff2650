/** What the registers of names answer. Loaded when a name is typed. */
import { keccak256 } from 'ethers/crypto';
import { type AbiValue, decodeExactly, encodeCall } from '../contracts/abi.ts';
import type { Node } from '../terms.ts';
import type { JsonRpc } from '../evm/json-rpc.ts';
import { hexOf } from '../../base/bytes.ts';
import { nonsense } from '../nodes/http.ts';
import { NameProblem } from './name-problem.ts';
import type { NetworkKind } from '../network.ts';
import type { Rest } from '../nodes/rest.ts';

/**
 * Of the Ethereum Name Service (https://docs.ens.domains/resolvers/universal), on Ethereum's live network and its test networks. It stays at its
 * address as ENS changes below it.
 */
export const UNIVERSAL_RESOLVER = '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe';

/** `OffchainLookup(address,string[],bytes,bytes4,bytes)` (ERC-3668). */
const OFFCHAIN = '0x556f1830';

const ETHER = 60;

/** The address record of a coin type (ENSIP-9), as hex digits without `0x`, of a name in its normalised form. Throws `NameProblem`. */
export async function ensRecord(node: Node, name: string, coinType: number): Promise<string> {
  const hash = namehash(name);
  const question =
    coinType === ETHER
      ? encodeCall('addr', ['bytes32'], [hash])
      : encodeCall('addr', ['bytes32', 'uint256'], [hash, BigInt(coinType)]);
  const data = encodeCall('resolve', ['bytes', 'bytes'], [dnsName(name), question]);
  let answer: unknown;
  try {
    answer = await (node as JsonRpc).call('eth_call', { to: UNIVERSAL_RESOLVER, data }, 'latest');
  } catch (error) {
    throw problemOf(error);
  }
  if (typeof answer !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(answer)) throw nonsense('an address');
  if (answer === '0x') throw new NameProblem('no-registry', node.network.name);
  // What the name's own resolver answered, and its address.
  const [result] = read(['bytes', 'address'], answer);
  const [value] = read([coinType === ETHER ? 'address' : 'bytes'], String(result));
  const record = String(value).slice(2).toLowerCase();
  if (/^0*$/.test(record)) throw new NameProblem('unknown');
  return record;
}

/**
 * https://docs.ens.domains/resolution/names#namehash. ethers' `namehash` and `dnsEncode` normalise the name once more, for which every name
 * would load 24 kB of tables.
 */
export function namehash(name: string): string {
  return name
    .split('.')
    .reduceRight(
      (parent, label) => keccak256(parent + keccak256(new TextEncoder().encode(label)).slice(2)),
      `0x${'00'.repeat(32)}`,
    );
}

/** Labels behind their lengths, as DNS writes names. */
function dnsName(name: string): string {
  return `0x${name
    .split('.')
    .map((label) => {
      const bytes = new TextEncoder().encode(label);
      if (bytes.length > 255) throw new NameProblem('form');
      return bytes.length.toString(16).padStart(2, '0') + hexOf(bytes).slice(2);
    })
    .join('')}00`;
}

function read(types: readonly string[], data: string): AbiValue[] {
  try {
    return decodeExactly(types, data);
  } catch {
    throw nonsense('an address');
  }
}

/** A revert means no record, unless it refers us to a gateway. Other failures are the node's. */
function problemOf(error: unknown): unknown {
  const { name, data, message } = error as { name?: string; data?: string; message?: string };
  if (name !== 'RpcError') return error;
  if (data?.toLowerCase().startsWith(OFFCHAIN)) return new NameProblem('gateway');
  if (data || /revert/i.test(message ?? '')) return new NameProblem('unknown');
  return nonsense('an address');
}

/** `resolveUtils` in https://github.com/vechain/vechain-sdk-js/blob/main/packages/network/src/utils/vns/addresses.ts */
export const RESOLVERS: Partial<Record<NetworkKind, string>> = {
  mainnet: '0xA11413086e163e41901bb81fdc5617c975Fa5a1A',
  testnet: '0xc403b8EA53F707d7d4de095f0A20bC491Cf2bc94',
};

/** `0x…` of a name of vet.domains in its normalised form: one simulated call. Throws `NameProblem`. */
export async function vetAddress(node: Node, name: string): Promise<string> {
  const { kind, name: where } = node.network;
  const to = RESOLVERS[kind];
  if (!to) throw new NameProblem('no-registry', where);
  const data = encodeCall('getAddresses', ['string[]'], [[name]]);
  const answer = await (node as Rest).post('/accounts/*?revision=best', {
    clauses: [{ to, value: '0x0', data }],
  });
  const [outcome] = Array.isArray(answer) ? (answer as { data?: unknown; reverted?: unknown }[]) : [];
  if (!outcome || outcome.reverted === true) throw new NameProblem('unknown');
  if (outcome.data === '0x') throw new NameProblem('no-registry', where);
  const address = onlyAddress(outcome.data);
  if (/^0x0*$/.test(address)) throw new NameProblem('unknown');
  return address;
}

/** In lower case. */
function onlyAddress(data: unknown): string {
  let addresses: unknown[];
  try {
    [addresses] = decodeExactly(['address[]'], String(data)) as [unknown[]];
  } catch {
    throw nonsense('an address');
  }
  if (addresses.length !== 1) throw nonsense('an address');
  return String(addresses[0]).toLowerCase();
}

/** One label. Names in other scripts have no rule against look-alikes, so they are not looked up. */
const FORM = /^(?!-|..--)[a-z0-9-]{1,63}(?<!-)\.chain$/;

/**
 * `ak_…` of a name of Aeternity's own register (https://github.com/aeternity/protocol/blob/master/AENS.md). It is resolved here, and the account
 * is paid: of a payment to the name itself, its owner could still change where it goes. Throws `NameProblem`.
 */
export async function aensAddress(node: Node, text: string): Promise<string> {
  const name = text.toLowerCase();
  if (!FORM.test(name)) throw new NameProblem('form');
  let pointers: { key?: unknown; id?: unknown }[];
  try {
    pointers = await (node as Rest).get(`/v3/names/${name}`, pointersIn);
  } catch (error) {
    // The node's own answer: there is no such name, or it has ended.
    const { status } = error as { status?: number };
    if (status === 404 || status === 410) throw new NameProblem('unknown');
    throw error;
  }
  const pointer = pointers.find(({ key }) => key === 'account_pubkey');
  if (typeof pointer?.id !== 'string') throw new NameProblem('unknown');
  return pointer.id;
}

function pointersIn(answer: unknown): { key?: unknown; id?: unknown }[] {
  const { pointers } = (answer ?? {}) as { pointers?: unknown };
  if (Array.isArray(pointers)) return pointers as { key?: unknown; id?: unknown }[];
  throw new TypeError('not a name');
}
