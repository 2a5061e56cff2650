/** What the approval shows, drawn from the exact draft. */
import type { Amount, Coin } from '../coin.ts';
import type { Summary } from '../approval/summary.ts';
import { listedToken, tokenAmount as amountOfToken } from '../contracts/listed-token.ts';
import { checksum } from '../contracts/evm-address.ts';
import type { DrawnCall } from '../call-reading/drawn-call.ts';
import { arriving, movedAmount, type Scene } from '../contracts/deeds.ts';
import { drawCall, readingOf } from '../contracts/readings.ts';
import { draftCoin, type EvmDraft, networkName, tokenFacts } from './draft.ts';
import type { EvmProfile } from './profile.ts';
import { maximumFee } from './transaction.ts';
import { warningsOf } from './warnings.ts';

export async function describe(draft: EvmDraft, profile: EvmProfile): Promise<Summary> {
  const { facts, network, chainId, to, value, data } = draft;
  const coin = draftCoin(draft);
  const amountOf = (raw: bigint): Amount => ({ raw, ...coin });
  const reading = await readingOf(draft, draft.from, network);
  const drawn = reading && (await drawCall(reading, value, sceneOf(draft, coin)));
  const maximum = maximumFee(draft);
  const expected = facts.gasUsed * facts.gasPrice + (facts.surcharge?.expected ?? 0n);
  const total = value + maximum;
  const headline = headlineOf(draft, drawn, amountOf(value));
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
  if (drawn) {
    summary.call = drawn.decoded(data, listed, network.tokens);
    if (facts.descriptor !== undefined) summary.call.descriptor = facts.descriptor;
  } else if (to === null) summary.call = { name: null, arguments: [], data };
  const effects = drawn?.effects();
  if (effects) summary.effects = effects;
  if (draft.accessList?.length)
    summary.facts = draft.accessList.map(([address, slots]) => ({
      code: 'access-list',
      value: [checksum(address), ...slots].join(' '),
    }));
  const stranger = to !== null && facts.addresses[to.toLowerCase()]?.familiar === false;
  const changes = facts.changes?.map(({ token, amount, items, id, direction, worse }) => ({
    direction,
    amount:
      token === undefined ? amountOf(amount) : movedAmount(tokenAmount(draft, token, amount, items), id),
    ...(worse && { worse }),
    ...(stranger && direction === 'in' && { canDiffer: true }),
  }));
  // A plain transfer changes what its headline says; only calls can surprise.
  if (changes && drawn) {
    summary.changes = changes;
    summary.according = facts.host;
  }
  const short = shortOf(draft, drawn, total, amountOf);
  if (short) summary.shortOf = short;
  summary.warnings = warningsOf(draft, drawn, summary, profile);
  return summary;
}

type Headline = Pick<Summary, 'kind' | 'amount' | 'unlimited' | 'to' | 'contract' | 'leaving'>;

function headlineOf({ to }: EvmDraft, drawn: DrawnCall | undefined, coins: Amount): Headline {
  if (to === null) return { kind: 'creation', amount: coins, to: null };
  return drawn ? drawn.headline(to, coins) : { kind: 'transfer', amount: coins, to };
}

function sceneOf(draft: EvmDraft, coin: Coin): Scene {
  const isOwn = (address: string) => address.toLowerCase() === draft.from.toLowerCase();
  return {
    isOwn,
    account: draft.from,
    isUsers: (address) => isOwn(address) || draft.facts.addresses[address.toLowerCase()]?.own === true,
    tokenOf: (address) => tokenFacts(draft, address),
    arriving: (token) => arriving(draft.facts.changes, token),
    amountOf: (token, raw) => (token === undefined ? { raw, ...coin } : tokenAmount(draft, token, raw)),
  };
}

function tokenAmount(draft: EvmDraft, address: string, raw: bigint, items = false): Amount {
  return amountOfToken(raw, checksum(address), draft.network, tokenFacts(draft, address), items);
}

function shortOf(
  draft: EvmDraft,
  drawn: DrawnCall | undefined,
  total: bigint,
  coins: (raw: bigint) => Amount,
): Summary['shortOf'] {
  const { facts, from } = draft;
  const effect = drawn?.own?.effect;
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
