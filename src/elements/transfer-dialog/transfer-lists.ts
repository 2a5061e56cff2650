/** The lists of `<transfer-dialog>`: wallets to send from, and coins and tokens to send. Loaded when the first one opens. */
import { html } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { type Figure, rowAmount } from '../../ui/amount-text.ts';
import type { Asset } from '../../ui/assets.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { msg } from '../../base/localize.ts';
import type { Choices } from '../combobox.ts';
import type { TransferForm } from './transfer-form.ts';
import { walletLines } from '../view.ts';

export { Combobox } from '../combobox.ts';

export function walletChoices(form: TransferForm, items: readonly Wallet[]): Choices<Wallet> {
  return {
    label: msg('From'),
    items,
    isSelected: ({ id }) => id === form.fields.wallet?.id,
    text: ({ alias }) => alias,
    row: (each) =>
      html`${chainBadge(each.secretType)}<span class="row-main">${walletLines(each.alias, each.address)}</span><span class="balance">${form.balance(each)}</span>`,
    choose: (each) => form.choose(each),
  };
}

export function assetChoices(form: TransferForm, items: readonly Asset[]): Choices<Asset> {
  return {
    label: msg('Token'),
    items,
    isSelected: ({ address }) => address === form.fields.asset?.address,
    text: ({ symbol }) => symbol,
    row: (each) =>
      html`${form.badge(each)}<span class="row-main strong trunc">${each.symbol}</span><span class="num sm muted">${each.raw !== null && each.decimals !== null ? rowAmount(each as Figure) : ''}</span>`,
    choose: (each) => form.chooseAsset(each),
  };
}
