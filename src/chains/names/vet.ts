/** Names of vet.domains on VeChain: one trial call of the contract that its SDK asks. */
import type { Node } from '../chain.ts';
import { hexOf } from '../hex.ts';
import type { NetworkKind } from '../network.ts';
import { nonsense } from '../nodes/http.ts';
import type { Rest } from '../rest/rest.ts';
import { NameProblem } from './name-problem.ts';

/** `resolveUtils` in https://github.com/vechain/vechain-sdk-js/blob/main/packages/network/src/utils/vns/addresses.ts */
export const RESOLVERS: Partial<Record<NetworkKind, string>> = {
  mainnet: '0xA11413086e163e41901bb81fdc5617c975Fa5a1A',
  testnet: '0xc403b8EA53F707d7d4de095f0A20bC491Cf2bc94',
};

/** `getAddresses(string[])`. */
const GET_ADDRESSES = 'cffe244a';

/** `0x…` of a name in its normalised form. Throws `NameProblem`. */
export async function vetAddress(node: Node, name: string): Promise<string> {
  const { kind, name: where } = node.network;
  const to = RESOLVERS[kind];
  if (!to) throw new NameProblem('no-registry', where);
  const text = hexOf(new TextEncoder().encode(name)).slice(2);
  const words = [32, 1, 32, text.length / 2].map((value) => value.toString(16).padStart(64, '0'));
  const data = `0x${GET_ADDRESSES}${words.join('')}${text.padEnd(Math.ceil(text.length / 64) * 64, '0')}`;
  const answer = await (node as Rest).post('/accounts/*?revision=best', {
    clauses: [{ to, value: '0x0', data }],
  });
  const [outcome] = Array.isArray(answer) ? (answer as { data?: unknown; reverted?: unknown }[]) : [];
  if (!outcome || outcome.reverted === true) throw new NameProblem('unknown');
  if (outcome.data === '0x') throw new NameProblem('no-registry', where);
  // Where the list is, how many there are, and the only one.
  const [, found] = /^0x0{62}20(?:0{63}1)0{24}([0-9a-f]{40})$/i.exec(String(outcome.data)) ?? [];
  if (!found) throw nonsense('an address');
  if (/^0*$/.test(found)) throw new NameProblem('unknown');
  return `0x${found}`;
}
