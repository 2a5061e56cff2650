/**
 * Names of the Ethereum Name Service (https://docs.ens.domains/resolvers/universal): one call of its Universal Resolver, which stays at
 * its address as ENS changes below it.
 */
import { keccak256 } from 'ethers/crypto';
import { type AbiValue, decodeExactly, encodeCall } from '../contracts/abi.ts';
import type { Node } from '../terms.ts';
import type { JsonRpc } from '../evm/json-rpc.ts';
import { hexOf } from '../../base/bytes.ts';
import { nonsense } from '../nodes/http.ts';
import { NameProblem } from './name-problem.ts';

/** On Ethereum's live network and its test networks. */
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
