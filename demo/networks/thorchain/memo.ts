/** Memos as THORNode reads them (`x/thorchain/memo`), which is more than the wallet does. */

export interface Memo {
  /** `CHAIN.SYMBOL`, in capitals. */
  asset: string;
  /** Empty for the sender. */
  destination: string;
  refund: string;
  limit: bigint;
  interval: bigint;
  quantity: bigint;
  affiliates: string[];
}

/** Its message is the reason of a refund. */
export class BadMemo extends Error {
  override name = 'BadMemo';
}

export const SHORT_CODES: Readonly<Record<string, string>> = {
  b: 'BTC.BTC',
  l: 'LTC.LTC',
  e: 'ETH.ETH',
  tr: 'TRON.TRX',
  r: 'THOR.RUNE',
};

/** Of Go's `big.ParseFloat`, which rounds down. */
const FLOAT_BITS = 64;

const FUNCTIONS = new Set(['swap', 's', '=']);

export function parseMemo(memo: string): Memo {
  const fields = memo.split('|')[0]!.split(':');
  const at = (index: number): string => fields[index] ?? '';
  if (!FUNCTIONS.has(at(0).toLowerCase())) throw new BadMemo(`invalid tx type: ${at(0)}`);
  if (fields.length < 2) throw new BadMemo('not enough parameters: 1/2');
  const asset = (SHORT_CODES[at(1)] ?? at(1)).toUpperCase();
  if (!/^[A-Z]+[.~/-]\S+$/.test(asset) && asset !== 'THOR.RUNE')
    throw new BadMemo(`cannot parse '${at(1)}' as an asset`);
  const slash = at(2).indexOf('/');
  const destination = slash < 0 ? at(2) : at(2).slice(0, slash);
  const refund = slash < 0 ? '' : at(2).slice(slash + 1);
  if (refund && !destination) throw new BadMemo('refund address is set but destination address is empty');
  const [limit = '', interval = '', quantity = '', ...more] = at(3).split('/');
  if (more.length > 0) throw new BadMemo(`failed to parse stream quantity: ${at(3)}`);
  const affiliates = at(4) ? at(4).split('/') : [];
  const shares = at(5) ? at(5).split('/') : [];
  if (shares.length !== affiliates.length && shares.length !== 1)
    if (affiliates.length > 0 || shares.length > 0)
      throw new BadMemo('affiliate thornames and affiliate fee bps count mismatch');
  return {
    asset,
    destination,
    refund,
    limit: truncated(limit),
    interval: whole(interval),
    quantity: whole(quantity),
    affiliates,
  };
}

/** A decimal or scientific number without its fraction, 0 for none. */
function truncated(text: string): bigint {
  if (text === '') return 0n;
  const parts = /^\+?(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!parts || !(parts[1] || parts[2])) throw new BadMemo(`swap price limit:${text} is invalid`);
  const [, before = '', after = '', exponent = '0'] = parts;
  const point = before.length + Number(exponent);
  const digits = `${before}${after}`.padEnd(point, '0');
  const bits = BigInt(digits.slice(0, Math.max(0, point)) || '0').toString(2);
  return BigInt(`0b${bits.slice(0, FLOAT_BITS).padEnd(bits.length, '0')}`);
}

function whole(text: string): bigint {
  if (text === '') return 0n;
  if (!/^\d+$/.test(text) || BigInt(text) >= 2n ** 64n) throw new BadMemo(`failed to parse stream: ${text}`);
  return BigInt(text);
}
