/** What the transfer form knows; no rendering. Its checks are apart (`transfer-checks.ts`): a page loads them behind the form. */
import type { Wallet } from '../api/wallet.ts';
import type { ChainCard } from '../chains/card.ts';
import { CARDS } from '../chains/secret-type.ts';
import type { Asset } from './assets.ts';
import type { RecipientCheck } from './recipient-check.ts';

export type Field = 'to' | 'value' | 'data';

export interface Checks {
  /** The amount that was typed, with a point. */
  amount(fields: BareFields): string;
  /** What Max leaves for the fee: only of the coin that pays it. */
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
  /** The most of this asset that can be sent to this recipient, by the node. */
  nodeMaximum: { asset: Asset; to: string; value: string } | undefined;
  /** Of the wallet's chain, once loaded. */
  recipient: RecipientCheck | undefined;
  /** Shown below their fields. */
  readonly errors = new Map<Field, string>();
  /** Once they are loaded: nothing is sent without. */
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

  /** Undefined where the chain takes none, and for a token: its transfer has data of its own. */
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
