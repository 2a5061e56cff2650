/**
 * Multi-party payment: a contract (or any account) may give its users credit, and then pays the gas for their
 * calls to it, or has a sponsor pay. Nodes decide by the rules of `ResolvedTransaction.BuyGas` in thor's
 * runtime; its Prototype contract reports the inputs.
 * https://docs.vechain.org/developer-resources/built-in-contracts#prototype-sol
 */
import type { Node } from '../terms.ts';
import { checksum } from '../contracts/evm-address.ts';
import { balanceOf } from '../contracts/token-calls.ts';
import { type Credit, VTHO } from './draft.ts';
import type { Clause } from './envelope.ts';
import { call, uint } from './node.ts';

const PROTOTYPE = '0x000000000000000000000050726f746f74797065';
/** `userCredit(self, user)`, `currentSponsor(self)`, `isSponsor(self, sponsor)` */
const USER_CREDIT = '0xc9c4fc41';
const CURRENT_SPONSOR = '0x23d8c7db';
const IS_SPONSOR = '0xd87333ac';

/** Undefined if there is none: nodes give credit only if all clauses go to one account. */
export async function readCredit(
  node: Node,
  user: string,
  clauses: readonly Clause[],
): Promise<Credit | undefined> {
  const contract = clauses[0]?.to;
  if (!contract || clauses.some(({ to }) => to?.toLowerCase() !== contract.toLowerCase())) return undefined;
  const [credit, sponsor, energy] = await ask(
    node,
    prototype(USER_CREDIT, contract, user),
    prototype(CURRENT_SPONSOR, contract),
    [VTHO.address, balanceOf(contract)],
  );
  if (!credit) return undefined;
  return {
    contract,
    credit,
    energy: energy ?? 0n,
    sponsor: sponsor
      ? checksum(`0x${BigInt.asUintN(160, sponsor).toString(16).padStart(40, '0')}`)
      : undefined,
  };
}

/** Who pays `cost` instead of the wallet. One round trip if there is a sponsor. */
export async function payerOf(
  node: Node,
  { contract, credit, energy, sponsor }: Credit,
  cost: bigint,
): Promise<string | undefined> {
  if (credit < cost) return undefined;
  if (sponsor !== undefined) {
    const [isSponsor, held = 0n] = await ask(node, prototype(IS_SPONSOR, contract, sponsor), [
      VTHO.address,
      balanceOf(sponsor),
    ]);
    if (isSponsor && held >= cost) return sponsor;
  }
  return energy >= cost ? checksum(contract) : undefined;
}

/** One number each; undefined where there is no answer. */
async function ask(
  node: Node,
  ...calls: readonly (readonly [to: string, data: string])[]
): Promise<(bigint | undefined)[]> {
  return (await call(node, calls)).map(uint);
}

/** A call of it, whose arguments are addresses. */
function prototype(selector: string, ...addresses: readonly string[]): readonly [to: string, data: string] {
  return [
    PROTOTYPE,
    selector + addresses.map((one) => one.slice(2).toLowerCase().padStart(64, '0')).join(''),
  ];
}
