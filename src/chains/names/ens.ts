/**
 * Names of the Ethereum Name Service (https://docs.ens.domains/resolvers/universal): one call of its Universal Resolver, which stays at
 * its address as ENS changes below it.
 */
import { keccak256 } from 'ethers/crypto';
import type { Node } from '../chain.ts';
import type { JsonRpc } from '../evm/json-rpc.ts';
import { hexOf } from '../hex.ts';
import { nonsense } from '../nodes/http.ts';
import { NameProblem } from './name-problem.ts';

/** On Ethereum's live network and its test networks. */
export const UNIVERSAL_RESOLVER = '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe';

/** `resolve(bytes,bytes)`, `addr(bytes32)` and `addr(bytes32,uint256)` (ENSIP-9). */
const RESOLVE = '9061b923';
const ADDR = '3b3b57de';
const ADDR_OF = 'f1cb7e06';
/** `OffchainLookup(address,string[],bytes,bytes4,bytes)` (ERC-3668). */
const OFFCHAIN = '0x556f1830';

const ETHER = 60;

/** The bytes of the address record of a coin type (ENSIP-9), of a name in its normalised form. Throws `NameProblem`. */
export async function ensRecord(node: Node, name: string, coinType: number): Promise<string> {
  const hash = namehash(name).slice(2);
  const question = coinType === ETHER ? ADDR + hash : ADDR_OF + hash + word(coinType);
  const data = `0x${RESOLVE}${word(64)}${word(64 + 32 + padded(dnsName(name)).length / 2)}${packed(dnsName(name))}${packed(question)}`;
  let answer: unknown;
  try {
    answer = await (node as JsonRpc).call('eth_call', { to: UNIVERSAL_RESOLVER, data }, 'latest');
  } catch (error) {
    throw problemOf(error);
  }
  if (typeof answer !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(answer)) throw nonsense('an address');
  if (answer === '0x') throw new NameProblem('no-registry', node.network.name);
  const result = bytesAt(answer.slice(2), 0);
  const record = coinType === ETHER ? result.slice(-40) : bytesAt(result, 0);
  if (/^0*$/.test(record)) throw new NameProblem('unknown');
  return record;
}

/** https://docs.ens.domains/resolution/names#namehash */
export function namehash(name: string): string {
  return name
    .split('.')
    .reduceRight(
      (parent, label) => keccak256(parent + keccak256(new TextEncoder().encode(label)).slice(2)),
      `0x${word(0)}`,
    );
}

/** Labels behind their lengths, as DNS writes names. */
function dnsName(name: string): string {
  return `${name
    .split('.')
    .map((label) => {
      const bytes = new TextEncoder().encode(label);
      if (bytes.length > 255) throw new NameProblem('form');
      return bytes.length.toString(16).padStart(2, '0') + hexOf(bytes).slice(2);
    })
    .join('')}00`;
}

function word(value: number): string {
  return value.toString(16).padStart(64, '0');
}

function padded(hex: string): string {
  return hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');
}

/** `bytes` as the ABI packs them. */
function packed(hex: string): string {
  return word(hex.length / 2) + padded(hex);
}

/** The `bytes` to which the word at `place` points. */
function bytesAt(hex: string, place: number): string {
  const at = numberAt(hex, place) * 2;
  const length = numberAt(hex, at) * 2;
  const found = hex.slice(at + 64, at + 64 + length);
  if (found.length !== length) throw nonsense('an address');
  return found;
}

function numberAt(hex: string, place: number): number {
  const text = hex.slice(place, place + 64);
  // A length above 2^32 is of no answer.
  if (!/^0{56}[0-9a-f]{8}$/i.test(text)) throw nonsense('an address');
  return Number.parseInt(text, 16);
}

/** A contract that gives up has no record, unless it sends us elsewhere. What else goes wrong is the node's. */
function problemOf(error: unknown): unknown {
  const { name, data, message } = error as { name?: string; data?: string; message?: string };
  if (name !== 'RpcError') return error;
  if (data?.toLowerCase().startsWith(OFFCHAIN)) return new NameProblem('gateway');
  if (data || /revert/i.test(message ?? '')) return new NameProblem('unknown');
  return nonsense('an address');
}
