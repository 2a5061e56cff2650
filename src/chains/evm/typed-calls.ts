/** Calls inside typed data: of a Safe, and those that others send in the user's name. Read as the calls inside a transaction are. */
import type { Warning } from '../approval/summary.ts';
import type { Deed, Limit, SigningWarning, Term } from '../approval/signing.ts';
import { decodeCall } from '../call-reading/decode-call.ts';
import { callWarnings } from '../call-reading/deed-warnings.ts';
import { DrawnCall } from '../call-reading/drawn-call.ts';
import { readCall as readInner } from '../call-reading/inner-calls.ts';
import { involvedIn, type Scene, tokenQuestions } from '../contracts/deeds.ts';
import { listedToken } from '../contracts/listed-token.ts';
import { wrappedOn } from '../contracts/readings.ts';
import { coinOf } from '../secret-type.ts';
import type { TokenFacts } from '../contracts/token-facts.ts';
import { contractOf } from './typed-data.ts';
import {
  allowanceWarning,
  type Case,
  contractWarnings,
  danger,
  ownerWarnings,
  partyWarnings,
  type Reading,
  record,
  Sums,
  textAt,
  tokenAmount,
  valuesAt,
} from './typed-form.ts';
import { ENTRY_POINTS, type RELAYED } from './typed-shapes.ts';
import { readTokens } from './token-reads.ts';

interface Inner {
  to: string;
  value: bigint;
  data: string;
  /** In whose name it is called. */
  account: string;
  /** What leaves it is a danger even where the headline shows it: others send the call, at any time. */
  sentByOthers: boolean;
  /** Its code runs as the account. */
  delegated?: boolean;
}

export async function readSafe(it: Case): Promise<Reading> {
  const { data, from } = it;
  const fields = record(data.message);
  const { to, data: call, refundReceiver } = fields as Record<'to' | 'data' | 'refundReceiver', string>;
  const { value, operation, gasPrice } = fields as Record<'value' | 'operation' | 'gasPrice', bigint>;
  const safe = contractOf(data);
  const delegated = operation !== 0n;
  const inner = { to, value, data: call, account: safe ?? from, sentByOthers: false, delegated };
  const { deed, terms, warnings, ...people } = await readCall(inner, it);
  return {
    ...people,
    deed: { kind: 'safe', ...deed },
    terms: [
      ...(safe ? [{ code: 'safe' as const, address: safe }] : []),
      ...terms,
      ...(gasPrice ? [{ code: 'refund' as const, address: refundReceiver }] : []),
    ],
    warnings: [
      ...(delegated ? [danger('delegatecall', { address: to })] : []),
      ...warnings,
      // The data sets price and gas, so the refund can be all that the Safe holds.
      ...(gasPrice ? [danger('refund', { address: refundReceiver })] : []),
    ],
  };
}

export async function readRelayed(form: (typeof RELAYED)[number], it: Case): Promise<Reading | undefined> {
  const { data } = it;
  const to = form.to === '@contract' ? contractOf(data) : textAt(data, form.to);
  if (!to) return undefined;
  const value = form.value ? (valuesAt(data, form.value)[0] as bigint) : 0n;
  const account = textAt(data, form.from);
  const inner = { to, value, data: textAt(data, form.data), account, sentByOthers: true };
  const { deed, warnings, ...rest } = await readCall(inner, it);
  return {
    ...rest,
    deed: { kind: 'relay', ...deed },
    warnings: [...warnings, ...ownerWarnings(account, it)],
  };
}

/** What a smart account does when a bundler sends it, and pays for that. */
export async function readUserOperation(it: Case): Promise<Reading> {
  const fields = record(it.data.message) as Record<string, string> & { preVerificationGas: bigint };
  const { sender = '', callData = '', initCode, paymasterAndData } = fields;
  const inner = { to: sender, value: 0n, data: callData, account: sender, sentByOthers: true };
  const { deed, terms, warnings, ...rest } = await readCall(inner, it);
  // A paymaster that is named pays.
  const fee = paymasterAndData === '0x' ? { raw: feeOf(fields), ...coinOf(it.network) } : undefined;
  const { feeCeiling = it.profile.feeCeiling } = it.network;
  return {
    ...rest,
    deed: { kind: 'relay', ...deed },
    terms: [...terms, ...(fee ? [{ code: 'fee' as const, limit: { amount: fee } }] : [])],
    warnings: [
      // It runs code of a factory first.
      ...(initCode === '0x' ? [] : [danger('unreadable-call')]),
      ...warnings,
      // Whoever sends it gets the fee, and what else the account's code does is not known.
      ...(warnings.some(({ level }) => level === 'danger')
        ? []
        : [danger('dangerous-call', { name: it.data.primaryType })]),
      ...(fee && fee.raw > BigInt(feeCeiling) ? [{ ...danger('high-fee'), limit: { amount: fee } }] : []),
      ...ownerWarnings(sender, it),
      ...contractWarnings(ENTRY_POINTS, it),
    ],
  };
}

/** At most: two gas limits in one word, and the highest price in the lower half of another. */
function feeOf(fields: Record<string, string> & { preVerificationGas: bigint }): bigint {
  const halves = (word: string): [bigint, bigint] => {
    const bits = BigInt(word);
    return [bits >> 128n, bits & ((1n << 128n) - 1n)];
  };
  const [verification, call] = halves(fields['accountGasLimits']!);
  const [, price] = halves(fields['gasFees']!);
  return (verification + call + fields.preVerificationGas) * price;
}

type Call = Omit<Reading, 'deed'> & { deed: Omit<Deed, 'kind'> };

async function readCall(inner: Inner, it: Case): Promise<Call> {
  const { to, data, value, account, delegated } = inner;
  const { network } = it;
  const coins: Limit[] = value ? [{ amount: { raw: value, ...coinOf(network) } }] : [];
  const terms: Term[] = [
    { code: 'receiver', address: to },
    ...coins.map((limit): Term => ({ code: 'amount', limit })),
  ];
  if (data === '0x') {
    const isPaid = value > 0n && !inner.sentByOthers && !delegated;
    const deed = { amounts: coins, to, ...(isPaid && { does: 'pay' as const }) };
    return { owner: account, deed, terms, warnings: partyWarnings(to, it) };
  }
  // Of code that runs as a Safe, only a batch of its own calls can be read; the delegation itself is warned of.
  const isBatch = delegated && decodeCall(data).signature === 'multiSend(bytes)';
  const reading = readInner(isBatch ? account : to, data, account, {
    value,
    wrapped: wrappedOn(network),
  });
  const call = new DrawnCall(reading, value, await sceneOf(reading, inner, it));
  const shown = call.decoded(data, listedToken(network.tokens, to), network.tokens);
  if (delegated && !isBatch)
    return {
      owner: account,
      deed: { amounts: coins, to },
      terms: [...terms, { code: 'call', call: shown }],
      warnings: partyWarnings(to, it),
    };
  const leaving = leavingWith(call);
  const people = [...new Set(leaving.flatMap(({ who }) => who ?? []))];
  // What foreign code does with a batch is not certain, so it is no headline.
  const isCertain = !delegated && !coins.length;
  const [only] = isCertain && leaving.length === 1 && isPlain(call) ? leaving : [];
  const effects = call.effects();
  return {
    owner: account,
    involved: involvedIn(to, call.deeds),
    deed: {
      amounts: [...coins, ...together(leaving.map(({ limit }) => limit))],
      to: isCertain && people.length === 1 ? people[0] : to,
      ...(only?.who !== undefined && { does: only.does }),
    },
    terms: [...terms, { code: 'call', call: shown, ...(effects && { effects }) }],
    warnings: [...dangersOf(call, inner), ...peopleWarnings([...new Set([...people, to])], it)],
  };
}

async function sceneOf(
  reading: DrawnCall['reading'],
  { account }: Inner,
  { from, known, network, node }: Case,
): Promise<Scene> {
  const own = [account, from, ...known.own].map((address) => address.toLowerCase());
  const questions = tokenQuestions(reading);
  // Without an answer everything is an amount, in its smallest units.
  const facts: TokenFacts[] = node
    ? await readTokens(node, questions, account, coinOf(network)).catch(() => [])
    : [];
  const isOwn = (address: string) => own.includes(address.toLowerCase());
  const tokenOf = (address: string) =>
    facts.find((one) => one.address.toLowerCase() === address.toLowerCase());
  return {
    isOwn,
    isUsers: isOwn,
    account,
    tokenOf,
    amountOf: (token, raw) =>
      token === undefined
        ? { raw, ...coinOf(network) }
        : tokenAmount(token, raw, network, tokenOf(token)?.claimedDecimals),
  };
}

/** Something that leaves, and who gets it or may take it. */
interface Leaving {
  limit: Limit;
  who?: string | undefined;
  does: 'pay' | 'allow';
}

/** Each deed's own, because two warnings that say the same are one. */
function leavingWith({ deeds, reading, scene, limits }: DrawnCall): Leaving[] {
  const alone = {
    reading: { ...reading, unreadable: false, trade: false },
    own: undefined,
    value: 0n,
    scene,
    limits,
  };
  return deeds.flatMap((deed): Leaving[] => {
    const { effect, contract } = deed;
    if (effect.kind === 'pay' && effect.token !== undefined)
      return [{ limit: { amount: scene.amountOf(effect.token, effect.amount) }, does: 'pay' }];
    return callWarnings({ ...alone, deeds: [deed] }, contract, false).flatMap(
      ({ code, amount, params = {} }): Leaving[] => {
        // What is held is no amount of the call.
        if (!amount || code === 'all-you-hold') return [];
        const limit = { amount, ...(ENDLESS.has(code) && { unlimited: true }) };
        const who = params['address'] ?? params['spender'];
        return [{ limit, who, does: code === 'inner-transfer' ? 'pay' : 'allow' }];
      },
    );
  });
}

const ENDLESS: ReadonlySet<Warning['code']> = new Set(['unlimited-approval', 'approval-for-all']);

/** The same token once. */
function together(limits: readonly Limit[]): Limit[] {
  const endless = new Map(
    limits.filter(({ unlimited }) => unlimited).map((limit) => [limit.amount.symbol, limit]),
  );
  const sums = new Sums();
  for (const { amount } of limits) if (!endless.has(amount.symbol)) sums.add(amount);
  return [...endless.values(), ...sums.all().map((amount) => ({ amount }))];
}

/** Besides what leaves it does nothing that matters. */
function isPlain({ deeds, reading }: DrawnCall): boolean {
  return (
    !reading.unreadable &&
    !reading.trade &&
    deeds.every(({ effect }) => effect.kind !== 'control' && effect.kind !== 'foreign-code')
  );
}

function dangersOf(call: DrawnCall, { to, sentByOthers }: Inner): SigningWarning[] {
  const { deeds, own, reading, value, scene, limits } = call;
  const name = reading.call.name ?? '';
  const drawn = { reading, deeds, own: sentByOthers ? undefined : own, value, scene, limits };
  const warnings = callWarnings(drawn, to, false).map((warning) => signingWarning(warning, name));
  // Nothing is simulated.
  const untold = deeds.find(({ effect }) => effect.kind === 'other');
  if (untold) warnings.push(danger('dangerous-call', { name: untold.name! }));
  // What a call inside another does besides its name is not known.
  const isTold = !reading.nested || warnings.some(({ level }) => level === 'danger');
  if (!isTold) warnings.push(danger('dangerous-call', { name }));
  return warnings.sort((one, other) => rank(one) - rank(other));
}

/** The danger that is ticked: not the first of the call, whose order whoever asks can choose. */
function rank({ code }: SigningWarning): number {
  return code === 'unreadable-call' ? 0 : code === 'unlimited' ? 1 : 2;
}

function signingWarning({ code, level, params = {}, amount }: Warning, name: string): SigningWarning {
  const { spender = '', address = '', more } = params;
  switch (code) {
    case 'unknown-call':
      return danger('unreadable-call');
    case 'approval-for-all':
      return { code: 'unlimited', level, limit: { amount: amount!, unlimited: true }, params: { spender } };
    case 'unlimited-approval':
    case 'all-you-hold':
    case 'spender-is-account':
      return allowanceWarning({ code, level, params, amount });
    case 'spending-limit':
    case 'nft-approval':
      // How much was allowed before, and so the limit that this makes, is not known.
      if (more) return danger('dangerous-call', { name });
      return { code: 'gives-limit', level, limit: { amount: amount! }, params: { spender } };
    case 'too-many-tokens':
      return danger(code, params);
    case 'inner-transfer':
      return { code: 'sends', level, limit: { amount: amount! }, params: { address } };
    case 'nothing-back':
      return danger('gets-nothing');
    default:
      return danger('dangerous-call', { name });
  }
}

function peopleWarnings(people: readonly string[], it: Case): SigningWarning[] {
  const warnings = people.flatMap((address) => partyWarnings(address, it));
  const first = warnings.find(({ code }) => code === 'first-spender');
  return warnings.filter((warning) => warning.code !== 'first-spender' || warning === first);
}
