/** The transfer form's state, without rendering. Its checks (`transfer-checks.ts`) load after the form. */
import type { Wallet } from '../api/wallet.ts';
import { msg, str } from '../base/localize.ts';
import { formatAmount, parseUnits } from '../base/amount.ts';
import type { ChainCard } from '../chains/card.ts';
import { CARDS } from '../chains/secret-type.ts';
import { rounded, rowFigure } from './amount-text.ts';
import type { Asset } from './assets.ts';
import type { RecipientCheck } from './recipient-check.ts';
import { formError, typedAmount } from './typed-amount.ts';

export type Field = 'to' | 'value' | 'data';

export interface Checks {
  /** The typed amount, with a decimal point. */
  amount(fields: BareFields): string;
  /** What Max leaves for the fee, if the asset is the coin that pays it. */
  reserve(fields: BareFields): string | undefined;
  /** The whole balance, less the reserve for fees. */
  maxSpendable(fields: BareFields): string | undefined;
  /** What is wrong with a field. */
  error(fields: BareFields, field: Field): string | undefined;
}

export class BareFields {
  wallet: Wallet | undefined;
  asset: Asset | undefined;
  to = '';
  value = '';
  data = '';
  /** The maximum of this asset that can be sent to this recipient, according to the node. */
  nodeMaximum: { asset: Asset; to: string; value: string } | undefined;
  /** The check of the wallet's chain, once loaded. */
  recipient: RecipientCheck | undefined;
  /** Shown below their fields. */
  readonly errors = new Map<Field, string>();
  /** Set once loaded; nothing is sent before. */
  checks: Checks | undefined;

  get amount(): string {
    return this.checks?.amount(this) ?? '';
  }

  check(field: Field): string | undefined {
    const error = this.checks?.error(this, field);
    if (error) this.errors.set(field, error);
    else this.errors.delete(field);
    return error;
  }

  /** Undefined if the chain takes no data, and for a token, whose transfer has data of its own. */
  get dataForm(): 'hex' | 'text' | undefined {
    return this.asset?.address ? undefined : this.card?.data;
  }

  get card(): ChainCard | undefined {
    return this.wallet && CARDS[this.wallet.secretType];
  }

  get reserve(): string | undefined {
    return this.checks?.reserve(this);
  }

  get maxSpendable(): string | undefined {
    return this.checks?.maxSpendable(this);
  }
}

// The transfer form's checks, and its Max.

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
      str`You have ${rowFigure({ raw: asset.raw, decimals: asset.decimals })} ${asset.symbol}. Lower the amount or choose another wallet.`,
    );
  },
};

/** Undefined until the node has answered, and if data is sent along, which raises the fee. */
function knownMaximum({ nodeMaximum, asset, to, data }: BareFields): string | undefined {
  return nodeMaximum && nodeMaximum.asset === asset && nodeMaximum.to === to && !data
    ? nodeMaximum.value
    : undefined;
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
