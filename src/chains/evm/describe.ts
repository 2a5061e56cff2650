/** What the approval shows, drawn from the exact draft. */
import type { Amount, Summary } from '../chain.ts';
import { listedToken } from '../listed-token.ts';
import { shortName } from '../token-facts.ts';
import { checksum } from './address.ts';
import { type Call, decodeCall, showCall } from './calls.ts';
import { coinOf, type EvmDraft, networkName } from './draft.ts';
import type { EvmProfile } from './profile.ts';
import { tokenHeadline } from './token-effect.ts';
import { maxPrice } from './transaction.ts';
import { warningsOf } from './warnings.ts';

export function describe(draft: EvmDraft, profile: EvmProfile): Summary {
  const { facts, network, chainId, to, value, data } = draft;
  const coin = coinOf(draft, profile.coin);
  const amountOf = (raw: bigint): Amount => ({ raw, ...coin });
  const call = to !== null && data !== '0x' ? decodeCall(data) : undefined;
  const maximum = draft.gas * maxPrice(draft);
  const expected = facts.gasUsed * facts.gasPrice;
  const total = value + maximum;
  const headline = headlineOf(draft, call, amountOf(value));
  const listed = facts.token && listedToken(network.tokens, facts.token.address);
  const summary: Summary = {
    networkName: networkName(draft),
    chainId,
    from: draft.from,
    ...headline,
    fee: { expected: amountOf(expected < maximum ? expected : maximum), maximum: amountOf(maximum) },
    total: amountOf(total),
    balance: amountOf(facts.balance),
    nonce: draft.nonce,
    warnings: [],
  };
  if (call) summary.call = showCall(call, data, listed, network.tokens);
  else if (to === null) summary.call = { name: null, arguments: [], data };
  if (draft.accessList?.length)
    summary.facts = draft.accessList.map(([address, slots]) => ({
      code: 'access-list',
      value: [checksum(address), ...slots].join(' '),
    }));
  const stranger = to !== null && facts.addresses[to.toLowerCase()]?.familiar === false;
  const changes = facts.changes?.map(({ token, amount, direction, worse }) => ({
    direction,
    amount: token === undefined ? amountOf(amount) : tokenAmount(draft, token, amount),
    ...(worse && { worse }),
    ...(stranger && direction === 'in' && { canDiffer: true }),
  }));
  // A plain transfer changes what its headline says; only calls can surprise.
  if (changes && call) {
    summary.changes = changes;
    summary.according = facts.host;
  }
  const short = shortOf(draft, call, total, amountOf);
  if (short) summary.shortOf = short;
  summary.warnings = warningsOf(draft, call, summary, profile);
  return summary;
}

type Headline = Pick<Summary, 'kind' | 'amount' | 'unlimited' | 'to' | 'contract'>;

function headlineOf(draft: EvmDraft, call: Call | undefined, coins: Amount): Headline {
  const { to, from } = draft;
  if (to === null) return { kind: 'creation', amount: coins, to: null };
  if (!call) return { kind: 'transfer', amount: coins, to };
  // What a call says about tokens is the headline only if it moves no coins besides.
  const own = (address: string) => address.toLowerCase() === from.toLowerCase();
  const amountOf = (token: string, raw: bigint) => tokenAmount(draft, token, raw);
  return (
    (draft.value === 0n ? tokenHeadline(call.effect, to, own, amountOf) : undefined) ?? {
      kind: 'call',
      amount: coins,
      to,
    }
  );
}

/** Decimals of listed tokens only: a contract's own say could hide or add digits. */
function tokenAmount({ network, facts }: EvmDraft, address: string, raw: bigint): Amount {
  const listed = listedToken(network.tokens, address);
  if (listed)
    return { raw, decimals: listed.decimals, symbol: listed.symbol, token: checksum(listed.address) };
  const symbol =
    facts.token?.address.toLowerCase() === address.toLowerCase() ? facts.token.symbol : shortName(address);
  return { raw, decimals: null, symbol, token: checksum(address) };
}

function shortOf(
  draft: EvmDraft,
  call: Call | undefined,
  total: bigint,
  coins: (raw: bigint) => Amount,
): Summary['shortOf'] {
  const { facts, from } = draft;
  const effect = call?.effect;
  if (effect?.kind === 'token' && facts.token?.balance !== undefined) {
    const have = facts.token.balance;
    const own = effect.from === undefined || effect.from.toLowerCase() === from.toLowerCase();
    // For an ERC-721 the "amount" is an id: only listed tokens are known to be amounts.
    if (own && effect.amount > have && facts.token.decimals !== null)
      return {
        amount: tokenAmount(draft, facts.token.address, effect.amount - have),
        need: effect.amount,
        have,
      };
  }
  if (total > facts.balance)
    return { amount: coins(total - facts.balance), need: total, have: facts.balance };
  return undefined;
}
