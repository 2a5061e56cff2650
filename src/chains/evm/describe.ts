/** What the approval shows, drawn from the exact draft. */
import type { Amount, Coin } from '../coin.ts';
import { listedToken, tokenAmount as amountOfToken } from '../contracts/listed-token.ts';
import { checksum } from '../contracts/evm-address.ts';
import { arriving, movedAmount, type Scene } from '../contracts/deeds.ts';
import { drawCall, readingOf } from '../contracts/readings.ts';
import { draftCoin, type EvmDraft, networkName, tokenFacts } from './draft.ts';
import { maximumFee } from './transaction.ts';
import type { Summary, Warning } from '../approval/summary.ts';
import { recipientsOf, recipientWarnings } from '../contracts/recipient-warnings.ts';
import { isCustom } from '../nodes/networks.ts';
import { addressWarnings, caution, danger, feeWarning, worstFirst } from '../approval/warnings.ts';
import type { DrawnCall } from '../call-reading/drawn-call.ts';
import type { EvmProfile } from './profile.ts';

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

/** What the user should know before approving. */
function warningsOf(
  draft: EvmDraft,
  drawn: DrawnCall | undefined,
  summary: Summary,
  profile: EvmProfile,
): Warning[] {
  const { facts, network, to } = draft;
  const warnings: Warning[] = [];

  if (isCustom(network)) {
    const chain = facts.chain;
    const params = { name: network.custom.name, host: network.custom.host };
    // A network that no trusted list calls a test network may have real value.
    warnings.push(
      chain === undefined
        ? danger('custom-node-live', { ...params, unknown: String(draft.chainId) })
        : chain.kind === 'mainnet'
          ? danger('custom-node-live', { ...params, network: chain.name })
          : caution('custom-node', params),
    );
  }

  for (const [address, about] of Object.entries(facts.addresses))
    warnings.push(...addressWarnings(address, about));

  const effect = drawn?.own?.effect;
  if (drawn) warnings.push(...drawn.warnings(to!, arrives(draft)));

  const sending = { call: drawn, to, value: draft.value };
  warnings.push(...recipientWarnings(sending, network));

  // Data for an address without code does nothing; a call that is known was meant for a contract.
  if (drawn && !facts.code)
    warnings.push((drawn.reading.call.name === null ? caution : danger)('no-code', { address: to! }));

  const { maximum } = summary.fee;
  warnings.push(
    ...feeWarning(maximum.raw, { ...profile.coin, symbol: maximum.symbol }, draft, {
      ceiling: profile.feeCeiling,
      // The gas of a failed simulation means nothing.
      usual:
        facts.willFail === undefined
          ? facts.gasUsed * (facts.usualPrice ?? 0n) + (facts.surcharge?.expected ?? 0n)
          : 0n,
      // Where tokens leave as well, the coins are only a part of what is sent.
      sent: summary.leaving ? 0n : draft.value,
    }),
  );

  // Without enough coins a simulation fails for that alone.
  if (facts.willFail !== undefined && !summary.shortOf)
    warnings.push({ code: 'will-fail', level: 'danger', params: { reason: facts.willFail } });

  if (facts.trial === 'differs') warnings.push(danger('trial-differs', {}));

  if (to === null) warnings.push(caution('contract-creation'));
  if (drawn) warnings.push(...drawn.unlisted());
  const firstTime = (address: string) => facts.addresses[address.toLowerCase()]?.familiar === false;
  for (const address of recipientsOf(sending))
    if (firstTime(address)) warnings.push(caution('first-recipient', { address }));
  const contract = effect?.kind === 'approval' ? effect.spender : drawn?.isPlain ? to! : undefined;
  if (contract !== undefined && facts.code && firstTime(contract))
    warnings.push(caution('first-contract', { address: contract }));

  if (draft.nonce < facts.pendingNonce)
    warnings.push(caution('replaces-pending', { nonce: String(draft.nonce) }));
  if (draft.nonce > Math.max(facts.pendingNonce, facts.minedNonce))
    warnings.push(caution('nonce-gap', { nonce: String(draft.nonce), next: String(facts.pendingNonce) }));
  if (facts.trial === 'untried')
    warnings.push(drawn?.untried('refused') ?? caution('simulation-unavailable', { reason: 'refused' }));
  else if (facts.changes === undefined && !facts.trial && !facts.willFail) {
    if (to === null) warnings.push(caution('simulation-unavailable'));
    else if (drawn?.isPlain && facts.code) warnings.push(drawn.untried());
  }
  return worstFirst(warnings);
}

/** A simulation brought coins or listed tokens: others may be worthless. */
function arrives({ facts, network }: EvmDraft): boolean {
  return (facts.changes ?? []).some(
    ({ direction, token }) =>
      direction === 'in' && (token === undefined || listedToken(network.tokens, token) !== undefined),
  );
}
