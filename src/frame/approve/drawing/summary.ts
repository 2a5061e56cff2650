/** Draws a transaction: what it does, to whom, at what cost. Shared by the approval and by the signature of a raw transaction. */
import { type CSSResult, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../../api/wallet.ts';
import { differences } from '../../../chains/approval/known.ts';
import type { Amount } from '../../../chains/coin.ts';
import type { Part, Summary, Warning } from '../../../chains/approval/summary.ts';
import type { SecretType } from '../../../chains/secret-type.ts';
import { fullAddress, holderMark, shortAddress, shortText } from '../../../ui/address.ts';
import { icon, iconCheck } from '../../../ui/icons.ts';
import { chainBadge, tokenBadge } from '../../../ui/chain-badge.ts';
import { msg, str } from '../../../base/localize.ts';
import { feeFigure, feeText, figure, isMixed, money, maximumText, rowText } from '../../ui/amount.ts';
import type { Lines, Tick } from '../../ui/consent-view.ts';
import { kv, type Row } from '../../ui/kv.ts';
import {
  type Caution,
  cautions,
  counterpart,
  type Danger,
  dangers,
  effect,
  LONG_EFFECT,
  party,
  roundBadge,
} from './blocks.ts';
import { heading, headingText, iconCall, iconPicture } from './heading.ts';
import { exact } from '../drafts.ts';
import type { OrderWords } from './order-drawing.ts';
import { type CrossChainWords, warningText, worstFirst } from './warnings.ts';

export type ChangedPart = 'fee' | 'maximum' | 'total' | 'balance' | 'amount' | 'warnings';

/** What is drawn with a summary besides what it says itself. */
export interface Additions {
  /** Undefined unless a signed order vouches for the payee. */
  order: OrderWords | undefined;
  /** Undefined without prices. */
  worth: WorthDrawing | undefined;
  /** A line below the effect. */
  note?: unknown;
}

export interface WorthDrawing {
  /** For the view that it is drawn in. */
  styles: CSSResult;
  /** The value of an amount. `effect`: below the heading. */
  note(amount: Amount, effect?: 1): unknown;
  /** Adds the value of everything that leaves the wallet to the footer's lines. */
  lines(summary: Summary, lines: Lines): Lines;
}

/** A token of an NFT collection, with a count and an id. */
function isItem({ decimals, symbol }: Amount): boolean {
  return decimals === 0 && symbol.includes(' #');
}

interface Effect {
  /** As plain text. */
  text: string;
  /** `title` for the heading, `line` for one line of the footer. */
  title: unknown;
  line: unknown;
  sub?: unknown;
  badge?: unknown;
}

function has(summary: Pick<Summary, 'warnings'>, code: Warning['code']): boolean {
  return summary.warnings.some((warning) => warning.code === code);
}

const plain = (text: string, more: Pick<Effect, 'sub' | 'badge'> = {}): Effect => ({
  text,
  title: text,
  line: text,
  ...more,
});

/** An effect composed of a verb and an amount. */
function verb(text: (amount: string) => string, amount: Amount, sub?: unknown): Effect {
  const mark = '\u0000';
  const [before = '', after = ''] = text(mark).split(mark);
  return {
    text: text(headingText(amount)),
    title: html`${before}${heading(amount)}${after}`,
    line: html`${before}${rowText(amount)}${after}`,
    sub,
  };
}

/** A short name of the spender or the called contract. */
function nameOf({ exchange, to }: Part | Summary): string {
  return exchange ?? (to === null ? msg('a new contract') : shortText(to));
}

function effectOf(summary: Summary, order: OrderWords | undefined): Effect {
  const { kind, amount, unlimited, parts, swap, call } = summary;
  const send = (sub?: unknown): Effect => verb((what) => msg(str`Send ${what}`), amount, sub);
  if (order)
    return {
      text: order.effect,
      title: order.effect,
      line: msg(html`Pay ${rowText(amount)}`),
      sub: html`${msg(html`to ${html`<b>${order.merchant}</b>`}`)} · ${heading(amount)}`,
    };
  const by = summary.exchange ? html` ${msg(str`by ${summary.exchange}`)}` : nothing;
  if (swap)
    return swap.orderType === 'SELL'
      ? verb(
          (what) => msg(str`Swap ${what}`),
          swap.input,
          html`${msg(html`for at least ${heading(swap.output)}`)}${by}`,
        )
      : verb(
          (what) => msg(str`Swap at most ${what}`),
          swap.input,
          html`${msg(html`for exactly ${heading(swap.output)}`)}${by}`,
        );
  if (parts) {
    const { length } = parts;
    if (!isMixed(summary)) return send(msg(str`in ${length} clauses`));
    return plain(msg(str`Run ${length} clauses`), { sub: msg('that happen together or not at all') });
  }
  switch (kind) {
    case 'approval': {
      const may = msg(str`${nameOf(summary)} may take it, now and later`);
      if (has(summary, 'approval-for-all')) return plain(msg(str`Allow all ${amount.symbol}`), { sub: may });
      if (unlimited) return plain(msg(str`Allow unlimited ${amount.symbol}`), { sub: may });
      if (!amount.raw)
        return plain(msg(str`Allow no ${amount.symbol}`), { sub: msg(str`for ${nameOf(summary)}`) });
      return verb((what) => msg(str`Allow up to ${what}`), amount, may);
    }
    case 'creation':
      return plain(msg('Create a contract'), {
        sub: msg(html`Sends ${money(amount)}`),
        badge: roundBadge(icon(iconCall())),
      });
    case 'call': {
      const name = call?.name ?? msg('what it does is unknown');
      if (amount.raw) return send(html`${msg('with a contract call')} · ${name}`);
      return plain(msg('Call a contract'), {
        sub: html`${msg(html`Sends ${money(amount)}`)} · ${name}`,
        badge: roundBadge(icon(iconCall()), has(summary, 'unknown-call')),
      });
    }
    case 'transfer':
      if (!isItem(amount)) return send();
      return {
        ...(amount.raw === 1n ? plain(msg(str`Send ${amount.symbol}`)) : send()),
        sub: amount.raw === 1n ? msg('1 item') : msg(str`${figure(amount)} items`),
        badge: roundBadge(icon(iconPicture())),
      };
  }
}

/** How a view titles what the user started in the wallet. */
export interface Titled {
  /** Below the effect, instead of what else it says. */
  heading?: string;
  /** Other lines than those of the effect. */
  titles?(title: unknown, sub: unknown): { title: unknown; sub: unknown };
}

export function effectBlock(
  summary: Summary,
  secretType: SecretType,
  { order, worth, note }: Additions,
  view: Titled = {},
): TemplateResult {
  const { amount, swap, unlimited, kind, to, parts = [] } = summary;
  const { text, title, sub, badge } = effectOf(summary, order);
  const shown = swap?.input ?? amount;
  const content = [
    kind,
    to,
    unlimited,
    shown,
    swap?.output,
    swap?.recipient,
    ...parts.map((part) => part.amount),
  ];
  return effect({
    badge: badge ?? (shown.token ? tokenBadge(shown.symbol) : chainBadge(secretType, 'l')),
    title,
    sub: view.heading || sub || worth?.note(shown, 1),
    ...view.titles?.(title, sub),
    note,
    long: text.length >= LONG_EFFECT,
    what: exact(content),
  });
}

/** What could be lost in addition to what is sent. `held`: the wallet's balance of the token. */
function riskOf(summary: Summary, held: Amount | undefined): unknown {
  const { kind, amount, unlimited, parts = [] } = summary;
  if (has(summary, 'unknown-call')) return msg('cannot be known');
  const endless = [summary, ...parts].find((part) => part.kind === 'approval' && part.unlimited);
  if (endless) {
    const all = msg(str`all ${endless.amount.symbol}`);
    return held ? msg(html`${all}, now ${money(figure(held))}`) : all;
  }
  return kind === 'approval' && amount.raw && !unlimited ? maximumText(amount) : undefined;
}

/** The lines of the footer. */
export function linesOf(
  summary: Summary,
  order: OrderWords | undefined,
  { held, name }: { held?: Amount | undefined; name?: string } = {},
): Lines {
  const { amount, swap, total, fee } = summary;
  const risk = riskOf(summary, held);
  const { line } = effectOf(summary, order);
  const value = swap
    ? swap.orderType === 'SELL'
      ? msg(html`get at least ${rowText(swap.output)}`)
      : msg(html`get exactly ${rowText(swap.output)}`)
    : isItem(amount)
      ? msg('you no longer own it')
      : !amount.token && fee.maximum.symbol === total.symbol
        ? msg(html`fee at most ${html`<bdi dir="ltr">${feeFigure(fee.maximum)}</bdi>`}`)
        : undefined;
  return [
    risk
      ? { term: msg('At risk'), value: risk, risk: true }
      : { term: name ? msg(html`${line} to ${name}`) : line, value },
    {
      term: msg('Total at most'),
      value: totalOf(summary),
      what: exact([total, fee.maximum, tokensOf(summary)]),
    },
  ];
}

/** What can leave the wallet besides `total`, which already includes coins, and the token it is denominated in. */
export function tokensOf(summary: Summary): Amount[] {
  const { parts = [summary], total } = summary;
  return parts
    .flatMap(({ kind, amount, leaving = [] }) => (kind === 'transfer' ? amount : leaving))
    .filter(({ token, raw }) => token && raw && token !== total.token);
}

/** The maximum that can leave the wallet, fee included: one figure per asset. */
function totalOf(summary: Summary): unknown {
  const {
    total,
    fee: { maximum },
  } = summary;
  const tokens = new Map<string, Amount>();
  for (const one of tokensOf(summary)) {
    const key = isItem(one) ? one.symbol : one.token!;
    tokens.set(key, { ...one, raw: one.raw + (tokens.get(key)?.raw ?? 0n) });
  }
  const apart = maximum.symbol !== total.symbol;
  const onlyFee = !apart && total.raw === maximum.raw;
  let fee = maximum.raw && (apart || onlyFee) ? maximum : undefined;
  const assets = [...tokens.values()].map((one) => {
    if (isItem(one)) return one.symbol.replace(/^.* #/, '#');
    if (!fee || one.token !== fee.token) return maximumText(one);
    fee = undefined;
    return maximumText({ ...one, raw: one.raw + maximum.raw }, maximum);
  });
  if (total.raw && !onlyFee) assets.push(maximumText(total, apart ? undefined : maximum));
  if (fee) assets.push(assets.length ? feeText(fee) : msg(html`fee ${feeText(fee)}`));
  if (!assets.length) return money(total);
  return assets.map((asset, i) => (i ? html` + ${asset}` : html`${asset}`));
}

/** Alias and short address of one of the user's own wallets. */
export function walletName({ alias, address }: Pick<Wallet, 'alias' | 'address'>): TemplateResult {
  return html`<span class="strong">${alias}</span>
    <span class="muted">${shortAddress(address)}</span>`;
}

/** To before From. `email`: the address or name by which the recipient was found. */
export function parties(
  summary: Summary,
  wallet: Wallet,
  order: OrderWords | undefined,
  email = '',
): TemplateResult {
  const name = isOwn(wallet, summary.to)
    ? wallet.alias
    : summary.known
      ? knownName(summary.known, email)
      : email || (order?.merchant ?? summary.exchange);
  const reported = has(summary, 'reported-address');
  return html`<dl class="card to">
    ${summary.parts ? nothing : recipient(summary, reported, name, summary.warnings)} ${order?.row} ${sender(summary, wallet)}
    ${summary.parts ? nothing : tokenOf(summary, has(summary, 'unlisted-token'))}
  </dl>`;
}

/** A name that the user knows the recipient by, beside the one by which it was found. */
function knownName(name: string, email: string): TemplateResult {
  return html`<span class="between"><span>${email}</span><span class="tag good">${icon(iconCheck(), 's')}${msg(str`Known as ${name}`)}</span></span>`;
}

/** The wallet, or another address of its key. */
function sender({ from }: Summary, wallet: Wallet): TemplateResult {
  return party(
    msg('From'),
    isOwn(wallet, from) ? html`${walletName(wallet)}${holderMark(wallet)}` : fullAddress(from),
  );
}

function isOwn({ address }: Wallet, other: string | null): boolean {
  return address.toLowerCase() === other?.toLowerCase();
}

/** The contract that a call goes to: of a token with its symbol. */
export function tokenOf(
  { contract, amount }: Part | Summary,
  unlisted: boolean,
): TemplateResult | typeof nothing {
  if (!contract) return nothing;
  if (amount.token !== contract) return party(msg('Contract'), fullAddress(contract));
  const symbol = html`<span class="strong">${amount.symbol}</span>`;
  if (unlisted || amount.decimals === null)
    return party(msg('Token'), html`<span class="block">${symbol}</span>${fullAddress(contract)}`);
  return party(
    msg('Token'),
    html`<span class="between"><span>${symbol} <span class="muted">${shortAddress(contract)}</span></span
      ><span class="tag good">${icon(iconCheck(), 's')}${msg('Known token')}</span></span>`,
  );
}

/** The positions at which an address differs from the known one it resembles. */
export function unlike(address: string, warnings: readonly Warning[]): Set<number> | undefined {
  const twin = warnings.find(
    ({ code, params }) =>
      code === 'resembles-known' && params?.['address']?.toLowerCase() === address.toLowerCase(),
  );
  return twin && differences(address, twin.params!['known']!);
}

export function recipient(
  { to, kind, amount, unlimited }: Pick<Summary, 'to' | 'kind' | 'amount' | 'unlimited'>,
  reported: boolean,
  name: unknown,
  warnings: readonly Warning[],
): TemplateResult {
  const value = html`${reported ? html`<span class="tag bad mark">${msg('Reported address')}</span><br />` : nothing}${
    to === null
      ? html`<span class="strong" data-seen="to">${msg('A new contract')}</span>`
      : counterpart(to, name, unlike(to, warnings))
  }`;
  const isAllowed = kind === 'approval' && !!(amount.raw || unlimited);
  return party(isAllowed ? spender() : msg('To'), value, true, isAllowed);
}

export const spender = (): string => msg('Who may take it');

/** `terms`: the chain's own rows. */
export function fees(
  summary: Summary,
  wallet: Wallet,
  { order, worth }: Additions,
  changed: ReadonlySet<ChangedPart>,
  terms: readonly Row[],
): TemplateResult {
  const { expected, maximum } = summary.fee;
  return kv([
    {
      term: msg('Expected fee'),
      value: feeText(expected),
      note: worth?.note(expected),
      changed: changed.has('fee'),
    },
    {
      term: msg('Maximum fee'),
      value: feeText(maximum),
      note: worth?.note(maximum),
      changed: changed.has('maximum'),
    },
    ...terms,
    order?.until,
    afterwards(summary, wallet),
  ]);
}

/** The balance afterwards, if the maximum fee is spent. Only if nothing but the coin leaves the wallet, and the balance suffices. */
function afterwards(
  { kind, amount, balance, total, shortOf, from, to }: Summary,
  wallet: Wallet,
): Row | undefined {
  const left = balance.raw - total.raw;
  if (kind === 'call' || kind === 'creation' || amount.token) return undefined;
  if (shortOf || left < 0n || !total.raw || !isOwn(wallet, from) || isOwn(wallet, to)) return undefined;
  return { term: msg(str`${wallet.alias} after this`), value: rowText({ ...balance, raw: left }) };
}

/** What a drawing adds to a warning, or shows instead: the user's balance, "Limit to". */
export type Extra = (warning: Warning) => { title?: unknown; text?: unknown; action?: unknown };

function words(
  summary: Summary,
  warning: Warning,
  extra: Extra,
  crossChain?: CrossChainWords,
): Danger & Caution {
  const { title, text, open, quote } = warningText(warning, summary, crossChain);
  const { title: better, text: own, action } = extra(warning);
  // With several clauses, the address identifies the clause.
  const address = summary.parts && warning.params?.['address'];
  const which = address ? html` ${shortAddress(address)}` : nothing;
  return { title: better ?? title, text: own ?? html`${text}${which}`, quote, action, open };
}

function of(summary: Summary, wanted: Warning['level']): Warning[] {
  return worstFirst(summary.warnings).filter(({ level }) => level === wanted);
}

/** `first`: dangers that are not warnings of the chain. `crossChain`: for orders between chains. */
export function dangerBlock(
  summary: Summary,
  extra: Extra = () => ({}),
  more: { first?: Danger[] | undefined; last?: Danger[]; crossChain?: CrossChainWords | undefined } = {},
): unknown {
  const { first = [], last = [], crossChain } = more;
  return dangers([
    ...first,
    ...of(summary, 'danger').map((warning) => words(summary, warning, extra, crossChain)),
    ...last,
  ]);
}

export function cautionBlock(
  summary: Summary,
  extra: Extra = () => ({}),
  crossChain?: CrossChainWords,
): unknown {
  return cautions(of(summary, 'caution').map((warning) => words(summary, warning, extra, crossChain)));
}

/** One tick for all dangers shown, worded for the worst one that needs a tick. */
export function tickOf(summary: Summary, crossChain?: CrossChainWords): Tick | undefined {
  const all = of(summary, 'danger');
  const texts = all.map((warning) => ({ warning, ...warningText(warning, summary, crossChain) }));
  const worst = texts.find(({ warning }) => warning.tick);
  if (!worst) return undefined;
  return {
    text: worst.tick ?? msg('I understand the risk'),
    for: JSON.stringify(
      texts.map(({ warning: { code, params }, title, tick }) => [code, title, tick, params?.['address']]),
    ),
    of: all.length,
  };
}
