/** Requests for Bitcoin and Litecoin: native transactions and build bodies (docs/chains.md). */
import * as z from 'zod/mini';
import { formatAmount, parseUnits, parseUnitsUp } from '../../base/amount.ts';
import {
  type AmountLike,
  Pincode,
  WalletId,
  bodyFields,
  coinValue,
  field,
  finished,
  messageFields,
  optional,
  readMemo,
  readSmallest,
  recipient,
} from '../requests/fields.ts';
import { isLookedUp } from '../requests/foreign-address.ts';
import { type InputOf, type OutputOf, type Payloads, payloadsOf } from '../requests/payloads.ts';
import { CHAIN_NAMES } from '../secret-type.ts';
import { readDestination } from './address.ts';
import type { UtxoProfile } from './profile.ts';
import { dustLimit } from './script.ts';

/** Satoshi per 1000 vB. Nodes relay nothing below, and refuse anything above (0.1 coins) as a mistake. */
export const MIN_RATE = 1_000n;
const MAX_RATE = 10_000_000n;

/** Bytes of an output that only carries data: nodes relay no more. */
const MAX_DATA = 80;
/** Public text, or bytes as `0x…`, in an output of its own. */
const Data = optional((value) => {
  const data = readMemo(value, MAX_DATA);
  return data === '0x' ? undefined : data;
});

/** The schemas of a chain's requests and messages. */
export function utxoPayloads(params: UtxoProfile): Payloads<UtxoRequest, UtxoSignRequest> {
  const { native, TRANSFER, GAS_TRANSFER } = transactions(params);
  const message = `${params.secretType}_MESSAGE` as const;
  return payloadsOf<UtxoRequest, UtxoSignRequest>(
    { [params.type]: native, TRANSFER, GAS_TRANSFER },
    { [message]: messageOf(message) },
  );
}

export const withProfile = (profile: UtxoProfile): { payloads: ReturnType<typeof utxoPayloads> } => ({
  payloads: utxoPayloads(profile),
});

function messageOf<T extends `${UtxoProfile['secretType']}_MESSAGE`>(type: T) {
  return finished(
    z.strictObject({
      ...messageFields(type),
      /** `bip322` (simple), which is also meant where it is absent, or the older signatures of BIP-137. */
      format: z.optional(z.nullable(z.enum(['bip322', 'bip137'], 'must be bip322 or bip137'))),
    }),
  );
}

function transactions(params: UtxoProfile) {
  const { secretType, coin, feeField } = params;
  const readAddress = (value: unknown): string => readDestination(params, value).address;

  /** Satoshi, decimal text: `12.5`. A chain has one of the two. */
  const rate = {
    [feeField.name]: optional<string, AmountLike>((value) => readRate(params, value)),
  } as Record<UtxoProfile['feeField']['name'], ReturnType<typeof optional<string, AmountLike>>>;

  const native = finished(
    z
      .strictObject({
        type: z.literal(params.type),
        walletId: WalletId,
        pincode: Pincode,
        to: field(readAddress),
        /** Satoshi. */
        value: field<bigint, AmountLike>((value) => readSmallest(value, { name: 'satoshi', coin })),
        data: Data,
        ...rate,
      })
      .check(z.check(({ value, issues }) => checkAmount(params, value, issues))),
  );

  const body = {
    ...bodyFields(secretType),
    /** An address or an e-mail address. */
    to: recipient(readAddress),
    /** Coins, decimal text. */
    value: coinValue(coin),
  };
  const inCoins = z.check<{ to: string; value: string }>(({ value: { to, value }, issues }) =>
    checkAmount(params, { to, value: parseUnits(value, coin.decimals), inCoins: true }, issues),
  );
  return {
    native,
    TRANSFER: finished(z.strictObject({ type: z.literal('TRANSFER'), ...body, data: Data }).check(inCoins)),
    GAS_TRANSFER: finished(z.strictObject({ type: z.literal('GAS_TRANSFER'), ...body }).check(inCoins)),
  };
}

type Schemas = ReturnType<typeof transactions>;
export type NativeRequest = z.output<Schemas['native']>;
export type UtxoInput = InputOf<Schemas>;
export type UtxoRequest = OutputOf<Schemas>;
type Message = ReturnType<typeof messageOf>;
export type UtxoSignInput = z.input<Message>;
export type UtxoSignRequest = z.output<Message>;

/** The request's rate in satoshi per 1000 vB. */
export function rateOf({ feeField }: UtxoProfile, request: NativeRequest): bigint | undefined {
  const rate = request[feeField.name];
  return rate === undefined ? undefined : parseUnits(rate, feeField.decimals);
}

function readRate({ feeField: { decimals, unit } }: UtxoProfile, value: unknown): string {
  const rate = parseUnitsUp(value, decimals);
  const shown = (limit: bigint) => `${limit / (decimals ? 1000n : 1n)} satoshi per ${unit}`;
  if (rate < MIN_RATE)
    throw new Error(`must be at least ${shown(MIN_RATE)}; leave it out for the current fee`);
  if (rate > MAX_RATE) throw new Error(`must be at most ${shown(MAX_RATE)}: nodes refuse more as a mistake`);
  return formatAmount(rate, decimals);
}

/** Dust depends on the recipient's address type, so both fields are checked together. */
function checkAmount(
  params: UtxoProfile,
  { to, value, inCoins }: { to: string; value: bigint; inCoins?: true },
  issues: z.core.$ZodRawIssue[],
): void {
  const say = (message: string) => issues.push({ code: 'custom', path: ['value'], message, input: value });
  const name = CHAIN_NAMES[params.secretType];
  if (value > params.supply)
    say(`is more ${name} than there will ever be${inCoins ? '; coins are meant, for example 0.25' : ''}`);
  if (isLookedUp(to)) return;
  const least = dustLimit(params, readDestination(params, to).script);
  if (value < least)
    say(`must be at least ${least} satoshi: the network does not carry less to this address`);
}
