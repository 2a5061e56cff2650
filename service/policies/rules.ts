/** A policy compiled for checking: places and addresses as keys (`assetKey`), amounts in smallest units, functions as selectors. */
import { FunctionFragment } from 'ethers/abi';
import { loadAddresses } from '../../src/chains/modules.ts';
import { parseUnits } from '../../src/base/amount.ts';
import type { Networks } from '../../src/chains/network.ts';
import { loadOutflow } from '../networks/chains.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { CARDS, gasCoinOf, type SecretType } from '../../src/chains/secret-type.ts';
import type { Policy } from '../../src/api/policy.ts';
import { Turns } from '../concurrency/turns.ts';
import { assetKey } from './assets.ts';

export interface Limit {
  decimals: number;
  perTransaction?: bigint | undefined;
  perDay?: bigint | undefined;
}

export interface Window {
  /** 0 is Monday; undefined: every day. */
  days: readonly number[] | undefined;
  /** Minutes of the day; `to` is exclusive. */
  from: number;
  to: number;
}

export interface Rules {
  /** By asset, with or without a network. Assets without an entry may not be spent. */
  limits?: ReadonlyMap<string, Limit>;
  /** `TRON:T…`, `ETHEREUM@base:0x…` */
  recipients?: ReadonlySet<string>;
  /** `ETHEREUM:0x…:0xa9059cbb`, and the contracts in it without the selector. */
  calls?: ReadonlySet<string>;
  contracts: ReadonlySet<string>;
  hours?: { timeZone: string; windows: readonly Window[] };
  fourEyes?: { above: ReadonlyMap<string, Limit>; approvers: readonly string[] };
  signatures: { messages: boolean; certificates: boolean; typedData: ReadonlySet<string> };
  keyExport: boolean;
  /** The networks on which something may be spent besides the default networks of wallets: those that an entry names. */
  networks: ReadonlySet<string>;
  /** It limits what may be spent, or where: then nothing is signed whose effect cannot be known. */
  isLimiting: boolean;
}

/** Functions of tokens whose amounts are counted. */
const COUNTED = new Set(
  [
    'transfer(address,uint256)',
    'transferFrom(address,address,uint256)',
    'transferAndCall(address,uint256,bytes)',
    'approve(address,uint256)',
    'approveAndCall(address,uint256,bytes)',
    'increaseAllowance(address,uint256)',
    'increaseApproval(address,uint256)',
  ].map((signature) => selectorOf(signature)),
);

/**
 * Throws `request.invalid` at a field that cannot be right; `networks` name their coins in it. Thousands of addresses and functions take
 * seconds, so others get their turns.
 */
export async function rulesOf(policy: Policy, networks?: Networks): Promise<Rules> {
  const turns = new Turns();
  const { limits, recipients, calls, hours, fourEyes, signatures, keyExport } = policy;
  const bySubject = limits && (await amountsOf(turns, networks, limits, 'limits'));
  const above =
    fourEyes &&
    (await amountsOf(
      turns,
      networks,
      fourEyes.above.map(({ amount, ...asset }) => ({ ...asset, perTransaction: amount })),
      'fourEyes.above',
      'amount',
    ));
  const counted = [...(limits ?? []), ...(fourEyes?.above ?? [])];
  const listed = calls && (await callsOf(turns, calls, await tokensOf(turns, counted)));
  return {
    ...(bySubject && { limits: bySubject }),
    ...(recipients && { recipients: await recipientsOf(turns, recipients) }),
    ...(listed && { calls: listed.functions }),
    contracts: listed?.contracts ?? new Set(),
    ...(hours && { hours: hoursOf(hours) }),
    ...(fourEyes && { fourEyes: { above: above!, approvers: fourEyes.approvers } }),
    signatures: {
      messages: signatures?.messages ?? false,
      certificates: signatures?.certificates ?? false,
      typedData: await typesOf(turns, signatures?.typedData ?? []),
    },
    keyExport: keyExport ?? false,
    networks: new Set(
      [...counted, ...(recipients ?? []), ...(calls ?? [])].flatMap(({ network }) => network ?? []),
    ),
    isLimiting: !!(limits || recipients || calls || fourEyes),
  };
}

/** Throws `request.invalid` at the `network` of an entry that is not one of its chain in `networks.json`. */
export function checkNetworks(policy: Policy, { networks }: Networks): void {
  const { limits, recipients, calls, fourEyes, signatures } = policy;
  const rules = {
    limits,
    recipients,
    calls,
    'fourEyes.above': fourEyes?.above,
    'signatures.typedData': signatures?.typedData,
  };
  for (const [path, entries = []] of Object.entries(rules))
    for (const [i, { secretType, network }] of entries.entries())
      if (
        network !== undefined &&
        !networks.some((one) => one.id === network && one.secretType === secretType)
      )
        throw invalid(`${path}.${i}.network`, `is not the id of a network of ${secretType} in networks.json`);
}

/** Whether it sets no rule. */
export function isEmpty(policy: Policy): boolean {
  return Object.values(policy).every((rule) => rule === undefined);
}

/** Where an entry holds. */
interface Place {
  secretType: SecretType;
  /** Undefined: the default network of each wallet. */
  network?: string | undefined;
}

type Amounts = readonly (Place & {
  token?: string | undefined;
  decimals?: number | undefined;
  perTransaction?: string | undefined;
  perDay?: string | undefined;
})[];

async function amountsOf(
  turns: Turns,
  networks: Networks | undefined,
  entries: Amounts,
  path: string,
  single = 'perTransaction',
) {
  const limits = new Map<string, Limit>();
  for (const [i, { token, decimals, perTransaction, perDay, ...place }] of entries.entries()) {
    await turns.next();
    const at = `${path}.${i}`;
    const { secretType, network } = place;
    if (!(await loadOutflow(secretType)))
      throw invalid(`${at}.secretType`, 'is a chain whose transactions cannot be limited');
    const key =
      token === undefined
        ? assetKey(secretType, undefined, network)
        : await tokenOf(place, token, `${at}.token`);
    if (limits.has(key))
      throw invalid(at, 'is listed twice: write one entry for each coin or token of a network');
    if ((token === undefined) !== (decimals === undefined))
      throw invalid(
        `${at}.decimals`,
        token === undefined ? 'is only for a token: leave it out' : 'is required with a token',
      );
    const digits = decimals ?? CARDS[secretType].coin.decimals;
    limits.set(key, {
      decimals: digits,
      perTransaction: unitsOf(perTransaction, digits, `${at}.${single}`),
      perDay: unitsOf(perDay, digits, `${at}.perDay`),
    });
  }
  for (const [i, { secretType, network }] of entries.entries()) {
    const fees = await feeAsset({ secretType, network });
    if (!limits.has(fees)) {
      const on = networks?.networks.find(({ id }) => id === network) ?? { secretType };
      throw invalid(
        `${path}.${i}`,
        `needs an entry for what fees are paid in${network === undefined ? '' : ` on ${network}`}, which count too: ${gasCoinOf(on).symbol}`,
      );
    }
  }
  return limits;
}

/** The token in which a chain's fees are paid, if it is a token. */
async function feeAsset({ secretType, network }: Place): Promise<string> {
  if (!CARDS[secretType].gasCoin) return assetKey(secretType, undefined, network);
  const { VTHO } = await import('../../src/chains/vechain/draft.ts');
  return assetKey(secretType, VTHO.address, network);
}

function unitsOf(text: string | undefined, decimals: number, path: string): bigint | undefined {
  if (text === undefined) return undefined;
  try {
    return parseUnits(text, decimals);
  } catch (error) {
    throw invalid(path, (error as Error).message);
  }
}

async function tokenOf(place: Place, token: string, path: string): Promise<string> {
  const { secretType, network } = place;
  if (CARDS[secretType].tokenId?.test(token)) return assetKey(secretType, token, network);
  return addressKey(place, token, path);
}

async function addressKey({ secretType, network }: Place, address: string, path: string): Promise<string> {
  const { readAddress } = await loadAddresses(secretType);
  try {
    return assetKey(secretType, readAddress(address), network);
  } catch (error) {
    throw invalid(path, (error as Error).message);
  }
}

async function recipientsOf(turns: Turns, recipients: NonNullable<Policy['recipients']>) {
  const places = new Set<string>();
  for (const [i, { address, ...place }] of recipients.entries()) {
    await turns.next();
    places.add(await addressKey(place, address, `recipients.${i}.address`));
  }
  return places;
}

/** The networks for which a token has an amount, by its key without a network; undefined: the default network of each wallet. */
type CountedTokens = ReadonlyMap<string, readonly (string | undefined)[]>;

async function tokensOf(turns: Turns, entries: Amounts): Promise<CountedTokens> {
  const tokens = new Map<string, (string | undefined)[]>();
  for (const { secretType, network, token } of entries) {
    if (token === undefined) continue;
    await turns.next();
    const key = await tokenOf({ secretType }, token, '');
    tokens.set(key, [...(tokens.get(key) ?? []), network]);
  }
  return tokens;
}

async function callsOf(turns: Turns, calls: NonNullable<Policy['calls']>, tokens: CountedTokens) {
  const functions = new Set<string>();
  const contracts = new Set<string>();
  for (const [i, { secretType, network, contract, functions: names }] of calls.entries()) {
    const path = `calls.${i}.contract`;
    const place = await addressKey({ secretType, network }, contract, path);
    contracts.add(place);
    const counted = tokens.get(await addressKey({ secretType }, contract, path)) ?? [];
    // A wallet's default network may be any of them.
    const isCounted = counted.some((one) => one === undefined || network === undefined || one === network);
    for (const [j, name] of names.entries()) {
      await turns.next();
      const at = `calls.${i}.functions.${j}`;
      const selector = readSelector(name, at);
      if (isCounted && COUNTED.has(selector))
        throw invalid(at, 'is counted by the amounts of the token: leave it out');
      functions.add(`${place}:${selector}`);
    }
  }
  return { functions, contracts };
}

function readSelector(name: string, path: string): string {
  if (/^0x[0-9a-fA-F]{8}$/.test(name)) return name.toLowerCase();
  try {
    const fragment = FunctionFragment.from(`function ${name}`);
    if (fragment.format() === name) return fragment.selector;
  } catch {
    // Said below.
  }
  throw invalid(
    path,
    'must be a function such as deposit(uint256), with full types and no names, or its selector',
  );
}

function selectorOf(signature: string): string {
  return FunctionFragment.from(`function ${signature}`).selector;
}

const DAY_INDEX: Readonly<Record<string, number>> = {
  mon: 0,
  tue: 1,
  wed: 2,
  thu: 3,
  fri: 4,
  sat: 5,
  sun: 6,
};

function hoursOf({ timeZone, windows }: NonNullable<Policy['hours']>): NonNullable<Rules['hours']> {
  try {
    new Intl.DateTimeFormat('en', { timeZone }).format();
  } catch {
    throw invalid('hours.timeZone', 'must be a time zone such as Europe/Zurich');
  }
  return {
    timeZone,
    windows: windows.map(({ days, from, to }, i) => {
      const [start, end] = [minutesOf(from), minutesOf(to)];
      if (start >= end)
        throw invalid(`hours.windows.${i}.to`, 'must be later than from: write two windows around midnight');
      return { days: days?.map((day) => DAY_INDEX[day]!), from: start, to: end };
    }),
  };
}

function minutesOf(text: string): number {
  const [hours, minutes] = text.split(':').map(Number) as [number, number];
  return hours * 60 + minutes;
}

async function typesOf(turns: Turns, types: NonNullable<NonNullable<Policy['signatures']>['typedData']>) {
  const typeKeys = new Set<string>();
  for (const [i, { contract, primaryType, ...place }] of types.entries()) {
    await turns.next();
    const path = `signatures.typedData.${i}`;
    if (/permit/i.test(primaryType))
      throw invalid(`${path}.primaryType`, 'is an allowance, which only counts as a transaction: approve');
    typeKeys.add(`${await addressKey(place, contract, `${path}.contract`)}:${primaryType}`);
  }
  return typeKeys;
}
