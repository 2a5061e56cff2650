/**
 * The coins and tokens of all linked wallets on all chains, to choose from: what they hold first, searchable by symbol, chain and address.
 * Loaded with the first list.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { TradingPair } from '../../api/swap.ts';
import type { Wallet } from '../../api/wallet.ts';
import { formatAmount } from '../../base/amount.ts';
import { msg, str } from '../../base/localize.ts';
import { CARDS, CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import { shortText } from '../address.ts';
import { fieldText, type Figure } from '../amount-text.ts';
import { type Asset, coinOf, tokenOf } from '../assets.ts';
import { chainBadge, tokenBadge } from '../chain-badge.ts';
import type { Choices } from '../combobox.ts';
import type { Choice, Side } from './swap-fields.ts';
import type { Assets, SwapSource } from './swap-source.ts';

export class SwapAssets implements Assets {
  /** Of chains that linked wallets can pay from, besides the chosen one's. */
  readonly #pairs = new Map<SecretType, readonly TradingPair[]>();
  /** By wallet. */
  readonly #holdings = new Map<string, readonly Asset[]>();
  /** The default network of a chain's wallets. */
  readonly #places = new Map<SecretType, string>();

  constructor(private readonly source: SwapSource) {
    source.fields.elsewhere = (address, chain) => {
      const { destination } = source.fields;
      return destination?.secretType === chain ? this.#held(destination, address) : undefined;
    };
  }

  read(): void {
    const { fields, host, payers } = this.source;
    const chains = new Set(payers.map(({ secretType }) => secretType));
    for (const chain of chains) {
      const [payer] = payers.filter(({ secretType }) => secretType === chain);
      if (chain !== fields.wallet?.secretType && payer?.walletType !== 'EXTERNAL')
        this.#answer(host.current.swapPairs(payer!.id), (pairs) => this.#pairs.set(chain, pairs));
    }
    for (const wallet of host.linked ?? []) this.#readWallet(wallet);
  }

  #answer<T>(reading: Promise<T>, keep: (value: T) => unknown): void {
    reading.then(
      (value) => {
        keep(value);
        this.source.host.requestUpdate();
      },
      () => {},
    );
  }

  #readWallet({ id, secretType }: Wallet): void {
    const { current, network } = this.source.host;
    const isHere = secretType === this.source.fields.wallet?.secretType;
    const on = isHere && network ? { network } : {};
    const coin = current.balance(id, on);
    const tokens = CARDS[secretType].tokens ? current.tokenBalances(id, on) : [];
    this.#answer(Promise.all([coin, tokens]), ([balance, list]) =>
      this.#holdings.set(id, [
        ...(balance.available ? [coinOf(secretType, balance)] : []),
        ...list.map(tokenOf),
      ]),
    );
    if (!this.#places.has(secretType) || isHere)
      this.#answer(current.networks(id), (all) => {
        const place = all.find((each) => isHere && each.id === network) ?? all[0];
        if (place) this.#places.set(secretType, place.name);
      });
  }

  #held({ id }: Wallet, address = ''): Asset | undefined {
    return this.#holdings.get(id)?.find((each) => same(each.address ?? '', address));
  }

  /** The wallet that holds most of it among these; the chosen one, if that holds some. */
  #holder(wallets: readonly Wallet[], { address, chain }: Choice): Wallet | undefined {
    const { wallet: chosen } = this.source.fields;
    const there = wallets.filter(({ secretType }) => secretType === chain);
    const amount = (wallet: Wallet) => this.#held(wallet, address)?.raw ?? 0n;
    if (chosen && there.includes(chosen) && amount(chosen) > 0n) return chosen;
    const first = chosen && there.includes(chosen) ? chosen : there[0];
    return there.reduce((most, each) => (most && amount(most) >= amount(each) ? most : each), first);
  }

  /** All that can be sold, or bought for what is sold, with what is held of it: the most first of all. */
  #items(side: Side): Choice[] {
    const { destinations, fields, host, payers } = this.source;
    const own = fields.choices(side);
    const others = side === 'to' ? [] : [...this.#pairs].flatMap(([chain, pairs]) => inputsOf(chain, pairs));
    const wallets = side === 'from' ? payers : [...destinations, ...(host.linked ?? [])];
    const items = [...own, ...others.filter(({ chain }) => chain !== fields.wallet?.secretType)].map(
      (choice): Choice => {
        const holder = this.#holder(wallets, choice);
        const held = holder && this.#held(holder, choice.address);
        return held ? { ...choice, decimals: held.decimals, raw: held.raw } : choice;
      },
    );
    const isHeld = ({ raw }: Choice) => Number((raw ?? 0n) > 0n);
    return items.toSorted((a, b) => isHeld(b) - isHeld(a));
  }

  choices(side: Side): Choices<Choice> {
    const { fields } = this.source;
    const items = this.#items(side);
    const chain = side === 'from' ? fields.wallet?.secretType : fields.outputChain;
    return {
      label: side === 'from' ? msg('Sell token') : msg('Buy token'),
      items,
      isSelected: (each) => same(each.address ?? '', fields[side] ?? '-') && each.chain === chain,
      row: (each) => this.#row(each, items.includes(each)),
      choose: (each) => this.#choose(side, each, items),
      search: {
        label: msg('Search tokens'),
        placeholder: msg('Symbol, chain or address'),
        find: (typed) => this.#find(items, typed.trim()),
        none: msg('No token with this name can be swapped here. Paste the address of its contract.'),
      },
    };
  }

  #row(choice: Choice, isListed: boolean): TemplateResult {
    const { address, chain, symbol, raw, decimals } = choice;
    const held = raw !== null && decimals !== null ? this.source.ways.held(choice as Figure) : nothing;
    return html`${address ? tokenBadge(symbol) : chainBadge(chain, 'm')}<span class="row-main"><span class="strong trunc">${
      isListed ? symbol : msg(str`Unlisted token ${symbol}`)
    }</span> <span class="sm muted trunc">${this.#placeOf(chain)}</span></span>${
      held === nothing ? nothing : html`<span class="num sm muted">${held}</span>`
    }`;
  }

  #placeOf(chain: SecretType): string {
    return this.#places.get(chain) ?? CHAIN_NAMES[chain];
  }

  /** Each word is of the symbol or the chain. An unlisted address is offered as typed. */
  #find(items: readonly Choice[], typed: string): readonly Choice[] {
    const text = typed.toLowerCase();
    const words = text.split(/\s+/);
    const matches = items.filter(({ address, chain, symbol }) => {
      const names = `${symbol} ${CHAIN_NAMES[chain]} ${this.#placeOf(chain)}`.toLowerCase();
      return words.every((word) => names.includes(word)) || address?.toLowerCase() === text;
    });
    const chain = this.source.fields.wallet?.secretType;
    if (matches.length || !chain || !/^(0x[0-9a-f]{40}|t[1-9a-z]{33})$/.test(text)) return matches;
    return [{ address: typed, chain, symbol: shortText(typed), decimals: null, raw: null }];
  }

  #choose(side: Side, choice: Choice, items: readonly Choice[]): void {
    const { source } = this;
    const { fields } = source;
    const { address = '', chain } = choice;
    if (side === 'from') this.#enter(choice);
    if (!items.includes(choice) && chain === fields.wallet?.secretType) source.add(address);
    fields.choose(side, choice);
  }

  /** Pays with the wallet that holds it. What is bought stays, if there is a pair. */
  #enter(choice: Choice): void {
    const { source } = this;
    const { fields } = source;
    const { wallet, to, outputChain } = fields;
    const holder = this.#holder(source.payers, choice);
    if (!holder || holder === wallet) return;
    const pairs = holder.secretType === wallet?.secretType ? fields.pairs : this.#pairs.get(choice.chain);
    if (holder.secretType !== wallet?.secretType) source.ways.enter?.(holder);
    source.choose(holder);
    Object.assign(fields, { pairs, to, toChain: outputChain, from: choice.address ?? '' });
  }

  get turn(): (() => void) | undefined {
    const { fields, payers } = this.source;
    const { wallet, destination, to, from } = fields;
    if (!destination || !wallet || to === undefined || !payers.includes(destination)) return undefined;
    const { rate } = this.source;
    return () => {
      const value = rate ? fieldText(formatAmount(BigInt(rate.rawOutputAmount!), rate.outputDecimals!)) : '';
      this.source.ways.enter?.(destination);
      this.source.choose(destination);
      Object.assign(fields, { from: to, to: from, toChain: wallet.secretType, destination: wallet, value });
      fields.orderType = 'SELL';
    };
  }
}

function inputsOf(chain: SecretType, pairs: readonly TradingPair[]): Choice[] {
  const inputs = new Map(pairs.map(({ from }) => [from.tokenAddress.toLowerCase(), from]));
  return [...inputs.values()].map(({ symbol, tokenAddress }) => ({
    ...(tokenAddress ? { address: tokenAddress } : {}),
    chain,
    symbol,
    decimals: null,
    raw: null,
  }));
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
