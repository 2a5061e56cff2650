/** Draws typed data (EIP-712): in words if its type is known, and always with every field under its own name. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type {
  Deed,
  Limit,
  Term,
  TermCode,
  TypedField,
  TypedSigning,
} from '../../../chains/approval/signing.ts';
import { inertText } from '../../../inert-text.ts';
import { fullAddress } from '../../../ui/full-address.ts';
import { holderMark } from '../../../ui/holder-mark.ts';
import { language, msg, str } from '../../../ui/localize.ts';
import { visibleText, visibleTextStyles } from '../../../ui/visible-text.ts';
import { amountText, money } from '../../ui/amount.ts';
import { kv, type Row } from '../../ui/kv.ts';
import { fold, party } from './blocks.ts';
import { clauseCall } from './call-drawing.ts';
import type { SignatureDrawing, Surroundings } from './signature-drawing.ts';
import { walletName } from './summary.ts';
import { noticeOf } from './typed-words.ts';

export const styles = [
  visibleTextStyles,
  css`
    .rows-card > .kv { padding-inline: 12px; }
    .tree { padding: 4px 12px; overflow-wrap: anywhere; }
    .tree .branch { padding-block: 7px; font-size: var(--_fs-sm); }
    .tree .branch > .kv, .tree .branch > .branch { margin-inline-start: 4px; padding-inline-start: 10px; border-inline-start: 2px solid var(--_border); }
    .tree dd { white-space: pre-wrap; }
    .tree .long > summary { cursor: pointer; color: var(--_text-2); }
    .party .tag { margin-inline-start: 6px; }
  `,
];

/** Characters shown of one value before "Show all". */
const SHOWN = 400;
/** The last second that a `Date` can hold. */
const LAST_SECOND = 8_640_000_000_000n;

/** The summary with its context. */
interface View extends Surroundings {
  summary: TypedSigning;
}

export function draw(summary: TypedSigning, around: Surroundings): SignatureDrawing {
  const { wallet, own, site, networkName } = around;
  const view: View = { wallet, own, site, networkName, summary };
  const { deed } = summary;
  const notices = summary.warnings.map((warning) => noticeOf(warning, (address) => nameOf(address, view)));
  const title = titleOf(deed);
  const lost = lossOf(summary);
  return {
    title,
    sub: subtitleOf(view),
    notices,
    body: bodyOf(view),
    effect: lost
      ? { term: msg('At risk'), value: lost, risk: true }
      : { term: title, value: deed?.to ? msg(str`to ${nameOf(deed.to, view)}`) : '' },
    total: { term: msg('Costs nothing now'), value: atRisk(deed) },
  };
}

function titleOf(deed: Deed | undefined): string {
  if (!deed) return msg('Sign data');
  const { kind, amounts, orders } = deed;
  const [first, ...more] = amounts;
  switch (kind) {
    case 'allow':
    case 'take':
      if (!first || more.length) return msg(str`Allow ${amounts.length} tokens`);
      return first.unlimited
        ? msg(str`Allow unlimited ${first.amount.symbol}`)
        : msg(str`Allow up to ${amountText(first.amount)}`);
    case 'revoke':
      return msg('Take back a spending limit');
    case 'pay':
      return msg(str`Pay ${limitText(first!)}`);
    case 'trade':
      if (orders !== undefined) return msg(str`Sign ${orders} orders`);
      if (!first || more.length) return msg(str`Give ${amounts.length} things`);
      return msg(str`Give ${limitText(first)}`);
    case 'safe':
      return msg('Approve a Safe transaction');
    case 'relay':
      return msg('Let others send a call');
  }
}

function subtitleOf({ summary: { deed, terms, domain, primaryType } }: View): unknown {
  const name = domain.find((field) => field.name === 'name')?.value;
  if (!deed)
    return name
      ? msg(html`${html`<bdi>${primaryType}</bdi>`}, for ${quoted(String(name))}`)
      : html`<bdi>${primaryType}</bdi>`;
  if (deed.kind === 'trade')
    return deed.gets?.length
      ? msg(str`for at least ${deed.gets.map(amountText).join(' + ')}`)
      : msg('for nothing');
  const ends = terms.find(({ code }) => code === 'limit-ends')?.time;
  return ends === undefined ? msg('by signature') : msg(str`by signature · until ${dateText(ends)}`);
}

/** What the worst danger, if any, puts at risk. */
function lossOf({ warnings }: TypedSigning): string | undefined {
  const worst = warnings.find(({ level }) => level === 'danger');
  if (!worst) return undefined;
  if (worst.limit) return msg(str`all your ${worst.limit.amount.symbol}`);
  return worst.code === 'unreadable-call' ? msg('cannot be known') : msg('what you sign away');
}

function atRisk(deed: Deed | undefined): string {
  if (!deed || deed.kind === 'revoke' || !deed.amounts.length) return '';
  const [first, ...more] = deed.amounts;
  if (more.length) return msg(str`at risk: ${deed.amounts.length} tokens`);
  return first!.unlimited
    ? msg(str`at risk: all your ${first!.amount.symbol}`)
    : msg(str`at risk: ${amountText(first!.amount)}`);
}

function bodyOf(view: View): TemplateResult {
  const { summary, wallet } = view;
  const { deed, terms } = summary;
  const witness = terms.flatMap(({ fields }) => fields ?? []);
  const call = terms.find(({ call: found }) => found)?.call;
  const rows = terms.flatMap((term) => rowOf(term, view));
  return html`<div class="card ${deed?.to ? 'to' : ''}">
      ${
        deed?.to
          ? party(
              msg('To'),
              html`<span data-seen="to" data-what=${deed.to}>${addressText(deed.to, view)}</span>`,
              true,
            )
          : nothing
      }
      ${party(msg('With'), html`${walletName(wallet)}${holderMark(wallet)}`)}
    </div>
    ${rows.length ? html`<div class="card rows-card">${kv(rows)}</div>` : nothing}
    ${call ? html`<div class="card">${clauseCall({ call }, view.own)}</div>` : nothing}
    ${witness.length ? html`<div class="card tree">${fieldList(witness, view)}</div>` : nothing}
    ${deed ? fold(msg('Data to sign'), everyField(view)) : everyField(view)}`;
}

/** Everything that is signed, under the data's own field names. */
function everyField(view: View): TemplateResult {
  const { domain, message, primaryType } = view.summary;
  return html`<div class="card tree" role="region" aria-label=${msg('Data to sign')} tabindex="0">
    <div class="branch"><b class="mono">${primaryType}</b>${fieldList(message, view)}</div>
    <div class="branch"><b class="mono">domain</b>${fieldList(domain, view)}</div>
  </div>`;
}

function fieldList(fields: readonly TypedField[], view: View): TemplateResult {
  return html`${fields.map((field) =>
    Array.isArray(field.value)
      ? html`<div class="branch"><span class="mono">${field.name}</span>${
          field.value.length
            ? fieldList(field.value, view)
            : html` <span class="faint">${msg('empty list')}</span>`
        }</div>`
      : kv([{ term: html`<span class="mono">${field.name}</span>`, value: valueText(field, view) }]),
  )}`;
}

function valueText({ type, value }: TypedField, view: View): unknown {
  if (type === 'address') return addressText(value as string, view);
  const text = String(value);
  if (type !== 'string') return html`<bdi dir="ltr" class="mono">${capped(text, (part) => part)}</bdi>`;
  return html`<bdi>${capped(text, visibleText)}</bdi>`;
}

/** The beginning of the text, expandable to all of it. */
function capped(text: string, drawn: (text: string) => unknown): unknown {
  if (text.length <= SHOWN) return drawn(text);
  return html`${drawn(cut(text, SHOWN))}…<details class="long"><summary>${msg(
    str`Show all ${text.length} characters`,
  )}</summary>${drawn(text)}</details>`;
}

/** Cuts text without splitting a surrogate pair. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Surrogate}$/u, '');
}

/** A site's own words, quoted and shortened; the data to sign has them in full. */
function quoted(words: string): TemplateResult {
  return html`<bdi>“${inertText(words, 60)}”</bdi>`;
}

const LABELS: Record<Exclude<TermCode, 'call' | 'witness'>, () => string> = {
  token: () => msg('Token'),
  limit: () => msg('Limit'),
  amount: () => msg('Amount'),
  'limit-ends': () => msg('Limit ends'),
  'sign-before': () => msg('Can be used until'),
  'valid-from': () => msg('Not before'),
  owner: () => msg('Owner'),
  receiver: () => msg('Calls'),
  contract: () => msg('Checked by'),
  gives: () => msg('You give at most'),
  gets: () => msg('You receive at least'),
  'others-get': () => msg('Others receive'),
  safe: () => msg('Safe'),
  refund: () => msg('Refund goes to'),
};

function rowOf({ code, address, limit, time }: Term, view: View): Row[] {
  if (code === 'call' || code === 'witness') return [];
  const value =
    time !== undefined
      ? dateText(time)
      : html`${limit ? html`${money(limitText(limit))} ` : nothing}${address ? addressText(address, view) : nothing}`;
  return [{ term: LABELS[code](), value }];
}

function limitText({ amount, unlimited }: Limit): string {
  return unlimited ? msg(str`Unlimited ${amount.symbol}`) : amountText(amount);
}

function dateText(seconds: bigint | 'never'): string {
  if (seconds === 'never' || seconds > LAST_SECOND) return msg('no end');
  const when = new Date(Number(seconds) * 1000);
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(when);
}

/** The full address, below the name that the wallet has for it. */
function addressText(address: string, view: View): TemplateResult {
  const mine = ownWallet(address, view);
  const known = view.summary.names[address.toLowerCase()];
  const tag = { token: msg('Known token'), exchange: msg('Known exchange'), contract: msg('Known contract') };
  const own = html`<bdi>${mine}</bdi>`;
  const name = mine ? msg(html`${own} (you)`) : known?.name;
  return html`${name ? html`<span class="strong">${name}</span>` : nothing}${
    !mine && known ? html` <span class="tag good">${tag[known.kind]}</span>` : nothing
  }${name ? html`<br />` : nothing}${fullAddress(address)}`;
}

function nameOf(address: string, view: View): string {
  return (
    ownWallet(address, view) ??
    view.summary.names[address.toLowerCase()]?.name ??
    `${address.slice(0, 6)}…${address.slice(-4)}`
  );
}

function ownWallet(address: string, { own }: View): string | undefined {
  return own.find((wallet) => wallet.address.toLowerCase() === address.toLowerCase())?.alias;
}
