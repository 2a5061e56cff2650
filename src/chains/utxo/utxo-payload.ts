/** Requests for Bitcoin and Litecoin: spec 4.4 (native transactions) and 4.3.1 (build bodies). */
import * as z from 'zod/mini';
import { decimalText, parseUnits } from '../amount.ts';
import {
  bodyFields,
  coinValue,
  field,
  finished,
  isEmail,
  optional,
  Pincode,
  readSmallest,
  recipient,
  WalletId,
} from '../requests/fields.ts';
import { type Payloads, payloadsOf } from '../requests/payloads.ts';
import { CHAIN_NAMES } from '../secret-type.ts';
import { readDestination } from './utxo-address.ts';
import type { UtxoParams } from './params.ts';
import { dustLimit } from './size.ts';

/** Satoshi per 1000 vB. Nodes relay nothing cheaper, and refuse what is dearer (0.1 coins) as a mistake. */
export const MIN_RATE = 1_000n;
const MAX_RATE = 10_000_000n;

export interface NativeRequest {
  type: UtxoParams['type'];
  walletId: string;
  to: string;
  /** Satoshi. */
  value: bigint;
  /** Satoshi, decimal text: `12.5`. */
  feePerByte?: string;
  feePerKiloByte?: string;
}

interface TransferRequest {
  type: 'TRANSFER' | 'GAS_TRANSFER';
  walletId: string;
  secretType: UtxoParams['secretType'];
  /** An address or an e-mail address. */
  to: string;
  /** Coins, decimal text. */
  value: string;
  alias?: string;
}

export type UtxoRequest = NativeRequest | TransferRequest;

export function utxoPayloads(params: UtxoParams): Payloads {
  const { secretType, coin, feeField } = params;
  const name = CHAIN_NAMES[secretType];
  const readAddress = (value: unknown): string => readDestination(params, value).address;

  const native = finished(
    z
      .strictObject({
        type: z.literal(params.type),
        walletId: WalletId,
        pincode: Pincode,
        to: field(readAddress),
        value: field(readSmallest),
        [feeField.name]: optional((value) => readRate(params, value)),
      })
      .check(z.check(({ value, issues }) => checkAmount(params, value as unknown as NativeRequest, issues))),
  );

  const transfer = <T extends string>(type: T, more: object = {}) =>
    finished(
      z
        .strictObject({
          type: z.literal(type),
          ...bodyFields(secretType),
          to: recipient(readAddress),
          value: coinValue(coin),
          ...more,
        })
        .check(
          z.check(({ value: request, issues }) => {
            const value = parseUnits(request.value, coin.decimals);
            checkAmount(params, { to: request.to as string, value }, issues);
          }),
        ),
    );

  return payloadsOf(
    {
      [params.type]: native,
      TRANSFER: transfer('TRANSFER', {
        data: optional((value): undefined => {
          if (value !== '' && value !== '0x') throw new Error(`cannot go with ${name}; leave it out`);
        }),
      }),
      GAS_TRANSFER: transfer('GAS_TRANSFER'),
    },
    {},
  );
}

/** The request's rate in satoshi per 1000 vB. */
export function rateOf({ feeField }: UtxoParams, request: NativeRequest): bigint | undefined {
  const given = request[feeField.name];
  return given === undefined ? undefined : parseUnits(given, feeField.decimals);
}

function readRate({ feeField: { decimals, unit } }: UtxoParams, value: unknown): string {
  const rate = parseUnits(value, decimals);
  const shown = (limit: bigint) => `${limit / 10n ** BigInt(decimals === 0 ? 0 : 3)} satoshi per ${unit}`;
  if (rate < MIN_RATE)
    throw new Error(`must be at least ${shown(MIN_RATE)}; leave it out for the current fee`);
  if (rate > MAX_RATE) throw new Error(`must be at most ${shown(MAX_RATE)}: nodes refuse more as a mistake`);
  return decimalText(value);
}

/** Dust depends on the recipient's kind of address, so both fields are looked at together. */
function checkAmount(
  params: UtxoParams,
  { to, value }: Pick<NativeRequest, 'to' | 'value'>,
  issues: z.core.$ZodRawIssue[],
): void {
  const say = (message: string) => issues.push({ code: 'custom', path: ['value'], message, input: value });
  const name = CHAIN_NAMES[params.secretType];
  if (value > params.supply) say(`is more ${name} than there will ever be`);
  if (isEmail(to)) return;
  const least = dustLimit(params, readDestination(params, to).script);
  if (value < least)
    say(`must be at least ${least} satoshi: the network does not carry less to this address`);
}
