/** What the transfer form knows and checks; no rendering. */
import type { Wallet } from '../api/wallet.ts';
import { formatAmount, parseUnits } from '../chains/amount.ts';
import type { ChainCard } from '../chains/card.ts';
import { CARDS } from '../chains/secret-type.ts';
import { rounded, rowFigure } from './amount-text.ts';
import { msg, str } from './localize.ts';
import { type Asset, formError, typedAmount } from './assets.ts';
import type { RecipientCheck } from './recipient-check.ts';

export type Field = 'to' | 'value' | 'data';

export class TransferFields {
  wallet: Wallet | undefined;
  asset: Asset | undefined;
  to = '';
  value = '';
  data = '';
  /** The most that can be sent, as the node was asked for it: of this asset, to this recipient. */
  most: { asset: Asset; to: string; value: string } | undefined;
  /** Of the wallet's chain, once loaded. */
  recipient: RecipientCheck | undefined;
  /** Shown below their fields. */
  readonly errors = new Map<Field, string>();

  get amount(): string {
    return typedAmount(this.value);
  }

  check(field: Field): string | undefined {
    const error = this[`${field}Error`]();
    if (error) this.errors.set(field, error);
    else this.errors.delete(field);
    return error;
  }

  private toError(): string | undefined {
    const to = this.to.trim();
    return to ? this.recipient?.error(to) : msg('Enter an address or an e-mail address.');
  }

  /** Undefined where the chain takes none, and for a token: its transfer has data of its own. */
  get dataForm(): 'hex' | 'text' | undefined {
    return this.asset?.address ? undefined : this.#card?.data;
  }

  get #card(): ChainCard | undefined {
    return this.wallet && CARDS[this.wallet.secretType];
  }

  private dataError(): string | undefined {
    return !this.data || this.dataForm !== 'hex' || /^0x([0-9a-f]{2})*$/i.test(this.data.trim())
      ? undefined
      : msg('Enter pairs of hexadecimal digits that start with 0x.');
  }

  private valueError(): string | undefined {
    const { amount, asset } = this;
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
    if (raw === 0n && !this.data) return msg('Enter an amount above 0.');
    if (asset.raw === null || raw <= asset.raw) return undefined;
    return msg(
      str`You have ${rowFigure({ raw: asset.raw, decimals: asset.decimals })} ${asset.symbol}. Lower the amount or choose another wallet.`,
    );
  }

  /** The most, once the node has said it. What goes with the coins would cost more. */
  get exact(): string | undefined {
    const { most, asset, to, data } = this;
    return most && most.asset === asset && most.to === to && !data ? most.value : undefined;
  }

  /** What Max leaves for the fee: only of the coin that pays it. */
  get reserve(): string | undefined {
    const { asset, exact } = this;
    if (exact !== undefined && asset?.raw != null && asset.decimals !== null) {
      const left = asset.raw - parseUnits(exact, asset.decimals);
      return left > 0n
        ? formatAmount(rounded({ raw: left, decimals: asset.decimals }, 'up').raw, asset.decimals)
        : undefined;
    }
    const { coin, gasCoin = coin, reserve } = this.#card ?? {};
    // A coin that only pays fees is a token with an address; other tokens may have the coin's name.
    const paysFees = gasCoin === coin ? !asset?.address : asset?.symbol === gasCoin?.symbol;
    return paysFees ? reserve?.transfer : undefined;
  }

  /** The whole balance, less the reserve for fees. */
  get maxSpendable(): string | undefined {
    const { asset, exact, reserve } = this;
    if (exact !== undefined) return exact;
    if (!asset || asset.raw === null || asset.decimals === null) return undefined;
    const left = asset.raw - (reserve ? parseUnits(reserve, asset.decimals) : 0n);
    return formatAmount(left > 0n ? left : 0n, asset.decimals);
  }
}
