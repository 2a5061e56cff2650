/** Whether a contract is still the one that the operator lists words for, as the node has it. Loaded only for a contract that has some. */
import { keccak256 } from 'ethers/crypto';
import { entriesFor } from '../descriptors/descriptor.ts';
import type { Node } from '../terms.ts';
import { rpcOf } from './json-rpc.ts';
import { quantity, readCode, tolerant } from './node.ts';

/** Where a proxy keeps its implementation, and where it keeps the beacon that names one. https://eips.ethereum.org/EIPS/eip-1967 */
const IMPLEMENTATION = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const BEACON = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
/** Before the address whose code an account runs (EIP-7702). */
const DELEGATED = '0xef0100';

/**
 * SHA-256 of the descriptor for exactly this code. Undefined if the code is another one, or the node does not tell. Its reads go with those of
 * `code`, which is the contract's.
 */
export async function matchDescriptor(
  node: Node,
  contract: string,
  code: Promise<string>,
): Promise<string | undefined> {
  const entries = entriesFor(node.network, contract);
  const [own, implementation, beacon, codes] = await Promise.all([
    code,
    readSlot(node, contract, IMPLEMENTATION),
    readSlot(node, contract, BEACON),
    Promise.all(
      entries.map((entry) =>
        entry.implementation ? readCode(node, entry.implementation.address).catch(() => '0x') : '0x',
      ),
    ),
  ]);
  if (own.startsWith(DELEGATED) || implementation === undefined || beacon !== 0n) return undefined;
  return entries.find((entry, i) => {
    const { codeHash, implementation: listed } = entry;
    if (!isCode(own, codeHash)) return false;
    return listed
      ? implementation === BigInt(listed.address) && isCode(codes[i]!, listed.codeHash)
      : implementation === 0n;
  })?.sha256;
}

function isCode(code: string, hash: string): boolean {
  return code !== '0x' && keccak256(code) === hash.toLowerCase();
}

function readSlot(node: Node, contract: string, slot: string): Promise<bigint | undefined> {
  return tolerant(rpcOf(node).call('eth_getStorageAt', contract, slot, 'latest'), quantity);
}
