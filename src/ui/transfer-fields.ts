/** The transfer form's state, without rendering. Its checks (`transfer-checks.ts`) load after the form. */
import type { Wallet } from '../api/wallet.ts';
import type { ChainCard } from '../chains/card.ts';
import { CARDS } from '../chains/secret-type.ts';
import type { Asset } from './assets.ts';
import type { RecipientCheck } from './recipient-check.ts';

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
  /** The maximum of this asset that can be sent to this recipient with this data, according to the node. */
  nodeMaximum: { asset: Asset; to: string; data: string; value: string } | undefined;
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
