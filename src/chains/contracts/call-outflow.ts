/** What a call can take from the wallet, on chains with Solidity's contracts. */
import type { Deed, Reading } from '../call-reading/inner-calls.ts';
import type { GivenAsset, Move } from '../outflow.ts';
import { readingOf } from './readings.ts';

/** Of one transfer or call, whose addresses are hex. */
export async function clauseMove(
  clause: { to: string | null; value: bigint; data: string },
  wallet: string,
): Promise<Move> {
  const { to, value, data } = clause;
  if (to === null) return { kind: 'creation', value };
  const reading = await readingOf(clause, wallet);
  return reading ? callMove({ contract: to, value, data }, reading, wallet) : { kind: 'pay', raw: value, to };
}

/** `data` is not empty. `reading`: with addresses as the chain writes them. */
export function callMove(
  { contract, value, data }: { contract: string; value: bigint; data: string },
  reading: Reading,
  wallet: string,
): Move {
  const { deeds, nested, unreadable } = reading;
  const [only] = deeds;
  const isOwn = (only?.effect.kind === 'token' || only?.effect.kind === 'approval') && !only.effect.token;
  return {
    kind: 'call',
    contract,
    value,
    data,
    plain: isOwn && !nested && !unreadable,
    given: deeds.flatMap((deed) => givenBy(deed, wallet)),
  };
}

function givenBy({ effect, contract, by }: Deed, wallet: string): GivenAsset[] {
  const isWallets = (owner: string | undefined): boolean =>
    owner === undefined || owner.toLowerCase() === wallet.toLowerCase();
  switch (effect.kind) {
    case 'token':
      // Including what others have allowed the wallet to take.
      return isWallets(by) ? [{ token: effect.token ?? contract, raw: effect.amount, to: effect.to }] : [];
    case 'approval':
      if (!isWallets(by) || !isWallets(effect.from) || effect.decrease || effect.amount === 0n) return [];
      return [{ token: effect.token ?? contract, raw: effect.amount, to: effect.spender, allowance: true }];
    case 'pay':
      return effect.token === undefined ? [{ to: effect.to }] : [{ token: effect.token, raw: effect.amount }];
    case 'nft':
      return [{ token: effect.token ?? contract, to: effect.to }];
    case 'nft-approval':
      return [{ token: contract, to: effect.spender, allowance: true }];
    case 'approval-for-all':
      return effect.approved ? [{ token: contract, to: effect.operator, allowance: true }] : [];
    // What is bought, or left over, for somebody else. For coins only the recipient: the amount was sent with
    // the call and is counted there.
    case 'receive':
    case 'pass-on':
    case 'coin':
      return [{ to: effect.to }];
    default:
      return [];
  }
}
