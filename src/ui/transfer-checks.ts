/** The transfer form's checks, and its Max. */
import { formatAmount, parseUnits } from '../base/amount.ts';
import { msg, str } from '../base/localize.ts';
import { rounded, rowFigure } from './amount-text.ts';
import { BareFields, type Checks, type Field } from './transfer-fields.ts';
import { formError, typedAmount } from './typed-amount.ts';

const ERRORS: Record<Field, (fields: BareFields) => string | undefined> = {
  to({ to, recipient }) {
    const typed = to.trim();
    return typed ? recipient?.error(typed) : msg('Enter an address, a name or an e-mail address.');
  },

  data({ data, dataForm }) {
    return !data || dataForm !== 'hex' || /^0x([0-9a-f]{2})*$/i.test(data.trim())
      ? undefined
      : msg('Enter pairs of hexadecimal digits that start with 0x.');
  },

  value({ amount, asset, data }) {
    if (!amount) return msg('Enter an amount.');
    const form = formError(amount);
    if (form) return form;
    if (!asset || asset.decimals === null) return undefined;
    let raw: bigint;
    try {
      raw = parseUnits(amount, asset.decimals);
    } catch {
      return msg(str`${asset.symbol} has at most ${asset.decimals} digits after the point.`);
    }
    if (raw === 0n && !data) return msg('Enter an amount above 0.');
    if (asset.raw === null || raw <= asset.raw) return undefined;
    return msg(
      str`You have ${`${rowFigure({ raw: asset.raw, decimals: asset.decimals })} ${asset.symbol}`}. Lower the amount or choose another wallet.`,
    );
  },
};

/** Undefined until the node has answered. */
function knownMaximum({ nodeMaximum: known, asset, to, data }: BareFields): string | undefined {
  return known?.asset === asset && known?.to === to && known.data === data ? known.value : undefined;
}

export const transferChecks: Checks = {
  amount: ({ value }) => typedAmount(value),

  error: (fields, field) => ERRORS[field](fields),

  reserve(fields) {
    const { asset, card } = fields;
    const exact = knownMaximum(fields);
    if (exact !== undefined && asset?.raw != null && asset.decimals !== null) {
      const left = asset.raw - parseUnits(exact, asset.decimals);
      return left > 0n
        ? formatAmount(rounded({ raw: left, decimals: asset.decimals }, 'up').raw, asset.decimals)
        : undefined;
    }
    const { coin, gasCoin = coin, reserve } = card ?? {};
    // A coin that only pays fees is a token with an address; other tokens may share its name.
    const paysFees = gasCoin === coin ? !asset?.address : asset?.symbol === gasCoin?.symbol;
    return paysFees ? reserve?.transfer : undefined;
  },

  maxSpendable(fields) {
    const { asset, reserve } = fields;
    const exact = knownMaximum(fields);
    if (exact !== undefined) return exact;
    if (!asset || asset.raw === null || asset.decimals === null) return undefined;
    const left = asset.raw - (reserve ? parseUnits(reserve, asset.decimals) : 0n);
    return formatAmount(left > 0n ? left : 0n, asset.decimals);
  },
};

/** The transfer form's state together with its checks, for code that loads both at once. */
export class TransferFields extends BareFields {
  override checks: Checks | undefined = transferChecks;
}
