/** What the approval shows, drawn from the exact draft. */
import type { Amount, Coin } from '../coin.ts';
import type { Fact, Part, Summary, Warning } from '../approval/summary.ts';
import { checksum } from '../contracts/evm-address.ts';
import type { DrawnCall } from '../call-reading/drawn-call.ts';
import { arriving, movedAmount, type Scene, warningKey } from '../contracts/deeds.ts';
import { drawCall, readingOf } from '../contracts/readings.ts';
import { listedToken, tokenAmount as amountOfToken } from '../contracts/listed-token.ts';
import { COIN, GAS_COIN, maxPrice, type VechainDraft, VTHO } from './draft.ts';
import type { Clause } from './envelope.ts';
import { inTurns } from './in-turns.ts';
import { recipientsOf, recipientWarnings } from '../contracts/recipient-warnings.ts';
import { addressWarnings, caution, danger, feeWarning, worstFirst } from '../approval/warnings.ts';

/** A clause, what its data says, and how it is shown. */
export interface Drawn {
  clause: Clause;
  call: DrawnCall | undefined;
  part: Part;
}

const amountOf = (raw: bigint, coin: Coin): Amount => ({ raw, ...coin });
const vtho = (raw: bigint): Amount => ({ raw, ...GAS_COIN, token: VTHO.address });

export async function describe(draft: VechainDraft): Promise<Summary> {
  const { facts, network, clauses } = draft;
  let earlier: DrawnCall | undefined;
  const drawn = await inTurns(clauses, async (clause) => {
    const one = await drawClause(draft, clause, earlier);
    earlier = one.call ?? earlier;
    return one;
  });
  const parts = drawn.map(({ part }) => part);
  const maximum = draft.delegated ? 0n : draft.gas * maxPrice(draft);
  const expected = paysGas(draft) ? facts.gasUsed * facts.gasPrice : 0n;
  const summary: Summary = {
    networkName: network.name,
    from: draft.from,
    ...(parts.length === 1 ? parts[0]! : { ...together(parts), parts }),
    facts: factsOf(draft),
    fee: {
      expected: vtho(expected < maximum ? expected : maximum),
      maximum: vtho(maximum),
    },
    total: amountOf(
      clauses.reduce((sum, { value }) => sum + value, 0n),
      COIN,
    ),
    balance: amountOf(facts.vet, COIN),
    warnings: [],
  };
  const short = shortOf(draft, drawn, summary);
  if (short) summary.shortOf = short;
  // What leaves is the coin that pays the fee.
  if (summary.kind === 'transfer' && summary.amount.token === VTHO.address) {
    summary.total = vtho(summary.amount.raw + maximum);
    summary.balance = vtho(facts.vtho);
  }
  // Plain transfers change what the headline says; only calls can surprise.
  if (facts.changes && drawn.some(({ call }) => call)) {
    const stranger = drawn.some(
      ({ clause: { to }, call }) => call && to && facts.addresses[to.toLowerCase()]?.familiar === false,
    );
    summary.changes = facts.changes.map(({ token, amount, items, id, direction, worse }) => ({
      direction,
      amount:
        token === undefined
          ? amountOf(amount, COIN)
          : movedAmount(tokenAmount(draft, token, amount, items), id),
      ...(worse && { worse }),
      ...(stranger && direction === 'in' && { canDiffer: true }),
    }));
    summary.according = facts.host;
  }
  summary.warnings = warningsOf(draft, drawn, summary);
  return summary;
}

async function drawClause(draft: VechainDraft, clause: Clause, earlier?: DrawnCall): Promise<Drawn> {
  const { to, data, value } = clause;
  const coins = amountOf(value, COIN);
  const reading = to === null ? undefined : await readingOf(clause, draft.from, draft.network);
  // A constructor, or whoever gets coins, runs at once.
  if (!reading) earlier?.limits.othersAct();
  if (to === null)
    return {
      clause,
      call: undefined,
      part: { kind: 'creation', amount: coins, to, call: { name: null, arguments: [], data } },
    };
  if (!reading) return { clause, call: undefined, part: { kind: 'transfer', amount: coins, to } };
  const call = await drawCall(reading, value, sceneOf(draft), earlier);
  const headline = call.headline(to, coins);
  const { tokens } = draft.network;
  const target = listedToken(tokens, headline.amount.token ?? to);
  const effects = call.effects();
  return {
    clause,
    call,
    part: {
      ...headline,
      call: call.decoded(data, target, tokens),
      ...(effects && { effects }),
    },
  };
}

function sceneOf(draft: VechainDraft): Scene {
  return {
    isOwn: (address) => isOwn(draft, address),
    account: draft.from,
    isUsers: (address) => isOwn(draft, address) || draft.facts.addresses[address.toLowerCase()]?.own === true,
    tokenOf: (address) => draft.facts.tokens[address.toLowerCase()],
    arriving: (token) => arriving(draft.facts.changes, token),
    amountOf: (token, raw) => (token === undefined ? amountOf(raw, COIN) : tokenAmount(draft, token, raw)),
  };
}

/** The headline of several parts: their sum if of one asset, and what they have in common. */
function together(parts: readonly Part[]): Pick<Summary, 'kind' | 'amount' | 'to' | 'contract'> {
  const [first] = parts as [Part];
  const all = (same: (part: Part) => boolean) => parts.every(same);
  const { token, symbol } = first.amount;
  const isOneAsset = all(
    ({ kind, amount }) => kind !== 'approval' && amount.token === token && amount.symbol === symbol,
  );
  return {
    kind: all(({ kind }) => kind === first.kind) ? first.kind : 'call',
    amount: isOneAsset
      ? { ...first.amount, raw: parts.reduce((sum, { amount }) => sum + amount.raw, 0n) }
      : amountOf(0n, COIN),
    to: first.to,
    ...(first.contract && all(({ contract }) => contract === first.contract)
      ? { contract: first.contract }
      : {}),
  };
}

function factsOf(draft: VechainDraft): Fact[] {
  const { facts, gas, sponsor, dependsOn } = draft;
  return [
    { code: 'gas', value: gas.toString() },
    { code: 'gas-price', amount: amountOf(facts.gasPrice, GAS_COIN) },
    ...(paysGas(draft)
      ? []
      : [{ code: 'sponsor' as const, value: sponsor?.host ?? (draft.delegated ? 'VIP-191' : facts.payer!) }]),
    ...(dependsOn ? [{ code: 'depends-on' as const, value: dependsOn }] : []),
    { code: 'expires', value: facts.expires },
  ];
}

export function tokenAmount(
  { network, facts }: VechainDraft,
  address: string,
  raw: bigint,
  items = false,
): Amount {
  return amountOfToken(raw, checksum(address), network, facts.tokens[address.toLowerCase()], items);
}

/** VET, tokens and VTHO for the fee: the first in this order that is missing. */
function shortOf(draft: VechainDraft, drawn: readonly Drawn[], summary: Summary): Summary['shortOf'] {
  const { facts, gas } = draft;
  const { total, balance } = summary;
  if (total.raw > balance.raw)
    return { amount: amountOf(total.raw - balance.raw, COIN), need: total.raw, have: balance.raw };
  const needs = new Map<string, bigint>();
  for (const { clause, call } of drawn) {
    const effect = call?.own?.effect;
    if (effect?.kind === 'token' && isOwn(draft, effect.from)) {
      const token = (effect.token ?? clause.to!).toLowerCase();
      needs.set(token, (needs.get(token) ?? 0n) + effect.amount);
    }
  }
  const energy = VTHO.address.toLowerCase();
  // Nodes ask for the price of the next block; the rest of the maximum is only spent if that rises.
  const fee = paysGas(draft) ? gas * facts.gasPrice : 0n;
  needs.set(energy, (needs.get(energy) ?? 0n) + fee);
  for (const [address, need] of needs) {
    const token = facts.tokens[address];
    // For an ERC-721 the "amount" is an id: only listed tokens are known to be amounts.
    if (!token || token.decimals === null || token.balance === undefined || need <= token.balance) continue;
    const amount = tokenAmount(draft, address, need - token.balance);
    return {
      amount: address === energy ? vtho(amount.raw) : amount,
      need,
      have: token.balance,
    };
  }
  return undefined;
}

function paysGas({ delegated, facts }: VechainDraft): boolean {
  return !delegated && facts.payer === undefined;
}

function isOwn({ from }: VechainDraft, address: string | undefined): boolean {
  return address === undefined || address.toLowerCase() === from.toLowerCase();
}

/** Highest fee without a tick, where `networks.json` sets none: 1,000 VTHO, what 50 million gas cost at the lowest price. */
const FEE_CEILING = 10n ** 21n;
/** Reasons that `shortOf` explains better. */
const SHORTAGE = /insufficient|exceeds balance/i;

function warningsOf(draft: VechainDraft, drawn: readonly Drawn[], summary: Summary): Warning[] {
  const { facts, network } = draft;
  const warnings = new Map<string, Warning>();
  /** Once, however many clauses raise it: dangers name them. */
  const say = (found: readonly Warning[], clause?: number) => {
    for (const warning of found) {
      const key = `${warning.level} ${warningKey(warning)}`;
      const said = warnings.get(key);
      const clauses = [said?.params?.['clause'], clause].filter(Boolean).join(', ');
      if (said && !clause) continue;
      warnings.set(
        key,
        warning.level === 'danger' && clauses && drawn.length > 1
          ? { ...warning, params: { ...warning.params, clause: clauses } }
          : warning,
      );
    }
  };

  for (const [address, about] of Object.entries(facts.addresses)) say(addressWarnings(address, about));

  const firstTime = (address: string) => facts.addresses[address.toLowerCase()]?.familiar === false;
  for (const [i, { clause, call }] of drawn.entries()) {
    const { to } = clause;
    const hasCode = facts.ran[i];
    const clauseWarnings: Warning[] = call ? call.warnings(to!, arrives(draft)) : [];

    const sending = { call, to, value: clause.value };
    clauseWarnings.push(...recipientWarnings(sending, network));
    for (const address of recipientsOf(sending))
      if (firstTime(address)) clauseWarnings.push(caution('first-recipient', { address }));

    // Data for an address without code does nothing; a call that is known was meant for a contract.
    if (call && hasCode === false)
      clauseWarnings.push((call.reading.call.name === null ? caution : danger)('no-code', { address: to! }));
    if (to === null) clauseWarnings.push(caution('contract-creation'));
    const effect = call?.own?.effect;
    const contract = effect?.kind === 'approval' ? effect.spender : call?.isPlain ? to! : undefined;
    if (contract !== undefined && hasCode !== false && firstTime(contract))
      clauseWarnings.push(caution('first-contract', { address: contract }));
    if (facts.changes === undefined && !facts.trial && !facts.willFail) {
      if (to === null) clauseWarnings.push(caution('simulation-unavailable'));
      else if (call?.isPlain && hasCode !== false) clauseWarnings.push(call.untried());
    }
    if (facts.trial === 'untried')
      clauseWarnings.push(
        call?.untried('refused') ?? caution('simulation-unavailable', { reason: 'refused' }),
      );
    say(clauseWarnings, i + 1);
  }

  if (facts.trial === 'differs') say([danger('trial-differs', {})]);

  say(
    feeWarning(summary.fee.maximum.raw, GAS_COIN, draft, {
      ceiling: FEE_CEILING,
      // The gas of a failed simulation means nothing.
      usual: facts.willFail === undefined ? facts.gasUsed * (facts.usualPrice ?? 0n) : 0n,
      sent: summary.kind !== 'approval' && summary.amount.token === VTHO.address ? summary.amount.raw : 0n,
    }),
  );

  const { willFail } = facts;
  if (willFail && !(summary.shortOf && SHORTAGE.test(willFail.reason)))
    say([
      {
        code: 'will-fail',
        level: 'danger',
        params: {
          reason: willFail.reason,
          ...(drawn.length > 1 ? { clause: String(willFail.clause + 1) } : {}),
        },
      },
    ]);

  for (const { call } of drawn) if (call) say(call.unlisted());
  if (facts.declined) say([caution('sponsor-declined', facts.declined)]);
  return worstFirst([...warnings.values()]);
}

/** A simulation brought coins or listed tokens: others may be worthless. */
function arrives({ facts, network }: VechainDraft): boolean {
  return (facts.changes ?? []).some(
    ({ direction, token }) =>
      direction === 'in' && (token === undefined || listedToken(network.tokens, token) !== undefined),
  );
}
