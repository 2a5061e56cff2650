/** Names of vet.domains on VeChain: one simulated call of the contract that its SDK uses. */
import { decodeExactly, encodeCall } from '../contracts/abi.ts';
import type { Node } from '../terms.ts';
import type { NetworkKind } from '../network.ts';
import { nonsense } from '../nodes/http.ts';
import type { Rest } from '../nodes/rest.ts';
import { NameProblem } from './name-problem.ts';

/** `resolveUtils` in https://github.com/vechain/vechain-sdk-js/blob/main/packages/network/src/utils/vns/addresses.ts */
export const RESOLVERS: Partial<Record<NetworkKind, string>> = {
  mainnet: '0xA11413086e163e41901bb81fdc5617c975Fa5a1A',
  testnet: '0xc403b8EA53F707d7d4de095f0A20bC491Cf2bc94',
};

/** `0x…` of a name in its normalised form. Throws `NameProblem`. */
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
