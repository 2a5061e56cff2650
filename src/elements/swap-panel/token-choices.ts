/** The list of tokens for a swap, searchable by symbol and address. */
import { html, nothing, type TemplateResult } from 'lit';
import { type Figure, rowAmount } from '../../ui/amount-text.ts';
import { shortText } from '../../ui/address.ts';
import { msg, str } from '../../base/localize.ts';
import type { Asset } from '../../ui/assets.ts';
import type { Choices } from '../combobox.ts';

export interface TokenChoices {
  /** `Sell token`. */
  label: string;
  items: readonly Asset[];
  /** Address; empty for the coin. */
  selected: string | undefined;
  badge(asset: Asset): TemplateResult;
  choose(address: string): void;
}

export function tokenChoices({ label, items, selected, badge, choose }: TokenChoices): Choices<Asset> {
  return {
    label,
    items,
    isSelected: ({ address = '' }) => address === selected,
    row: (asset) =>
      html`${badge(asset)}<span class="row-main strong trunc">${items.includes(asset) ? asset.symbol : msg(str`Unlisted token ${asset.symbol}`)}</span>${
        asset.raw !== null && asset.decimals !== null
          ? html`<span class="num sm muted">${rowAmount(asset as Figure)}</span>`
          : nothing
      }`,
    choose: ({ address = '' }) => choose(address),
    search: {
      label: msg('Search token'),
      placeholder: msg('Symbol or address'),
      find: (typed) => find(items, typed.trim()),
      none: msg('No token of this name can be swapped here. Paste the address of its contract.'),
    },
  };
}

/** An unlisted address is offered as typed. */
function find(items: readonly Asset[], typed: string): readonly Asset[] {
  const text = typed.toLowerCase();
  if (!text) return items;
  const found = items.filter(
    ({ symbol, address }) => symbol.toLowerCase().includes(text) || address?.toLowerCase() === text,
  );
  if (found.length || !/^0x[0-9a-f]{40}$/.test(text)) return found;
  return [{ address: typed, symbol: shortText(typed), decimals: null, raw: null }];
}
