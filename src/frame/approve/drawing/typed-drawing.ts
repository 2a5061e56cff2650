/** Draws typed data (EIP-712): in words if its type is known, and always with every field under its own name. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { language, msg, str } from '../../../base/localize.ts';
import { inertText } from '../../../base/text.ts';
import {
  type Deed,
  type Term,
  type TermCode,
  type TypedDataDigests,
  type TypedField,
  type TypedSigning,
} from '../../../chains/approval/signing.ts';
import { DIGEST_TERMS } from '../../../chains/evm/typed-data.ts';
import { fullAddress, holderMark } from '../../../ui/address.ts';
import { visibleText, visibleTextStyles } from '../../../ui/text.ts';
import { amountText, money } from '../../ui/amount.ts';
import { digestRow, kv, type Row } from '../../ui/kv.ts';
import { fold, party } from './blocks.ts';
import { claimLine, clauseCall } from './call-drawing.ts';
import { boxesIn, PIECE, type Piece, piecesOf } from './long-text.ts';
import type { Draws, SignatureDrawing, Surroundings } from './signature-drawing.ts';
import { spender, walletName } from './summary.ts';
import { limitText, noticeOf } from './typed-words.ts';

const styles = [
  visibleTextStyles,
  css`
    .tree { padding: 4px 12px; overflow-wrap: anywhere; font-size: var(--_fs-sm); }
    .tree cbf-in-pieces, .tree cbf-in-pieces > span { display: block; }
    .tree .end { display: block; block-size: 8px; }
    .tree .within { margin-inline-start: 4px; padding-inline-start: 10px; border-inline-start: 2px solid var(--_border); }
    .tree .over { padding-block: 7px; }
    .tree dd { white-space: pre-wrap; }
    .tree .long > summary { cursor: pointer; color: var(--_text-2); }
    .rows-card > .kv { padding-inline: 12px; }
    .party .tag { margin-inline-start: 6px; }
  `,
];

/** The last second that a `Date` can hold. */
const LAST_SECOND = 8_640_000_000_000n;

/** The summary with its context. */
interface View extends Surroundings {
  summary: TypedSigning;
}

function draw(summary: TypedSigning, around: Surroundings): SignatureDrawing {
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
    parties: partiesOf(view),
    body: bodyOf(view),
    effect: lost
      ? { term: msg('At risk'), value: lost, risk: true }
      : { term: title, value: deed?.to ? msg(str`to ${nameOf(deed.to, view)}`) : '' },
    total: { term: msg('Costs nothing now'), value: atRisk(deed) },
  };
}

export const typedDrawing: Draws<TypedSigning> = { styles, draw };

function titleOf(deed: Deed | undefined): string {
  if (!deed) return msg('Sign data');
  const { kind, does, amounts, orders } = deed;
  const [first, ...more] = amounts;
  switch (does ?? kind) {
    case 'allow':
    case 'take':
      if (!first || more.length) return msg(str`Allow ${amounts.length} tokens`);
      return first.unlimited
        ? msg(str`Allow unlimited ${first.amount.symbol}`)
        : msg(str`Allow up to ${amountText(first.amount)}`);
    case 'revoke':
      return first ? msg('Take back a spending limit') : msg('Take back a permission');
    case 'act':
      return msg('Let others act in your name');
    case 'borrow':
      return msg(str`Let others borrow ${limitText(first!)}`);
    case 'pay':
      return msg(str`Pay ${limitText(first!)}`);
    case 'trade':
      if (orders !== undefined) return msg(str`Sign ${orders} orders`);
      if (!first || more.length) return msg(str`Give ${amounts.length} assets`);
      return msg(str`Give ${limitText(first)}`);
    case 'safe':
    case 'relay':
      return callTitle(kind);
  }
}

function callTitle(kind: Deed['kind']): string {
  return kind === 'safe' ? msg('Approve a Safe transaction') : msg('Let others send a call');
}

function subtitleOf({ summary: { deed, terms, domain, primaryType } }: View): unknown {
  const name = domain.find((field) => field.name === 'name')?.value;
  if (!deed)
    return name
      ? msg(html`${html`<bdi>${primaryType}</bdi>`}, for ${quoted(String(name))}`)
      : html`<bdi>${primaryType}</bdi>`;
  if (deed.orders !== undefined) return msg('each of them alone');
  if (deed.kind === 'trade')
    return deed.gets?.length
      ? msg(str`for at least ${deed.gets.map(amountText).join(' + ')}`)
      : msg('for nothing');
  if (deed.does) return callTitle(deed.kind);
  const ends = terms.find(({ code }) => code === 'limit-ends')?.time;
  return ends === undefined ? msg('by signature') : msg(str`by signature · until ${dateText(ends)}`);
}

/** What the worst danger, if any, puts at risk. */
function lossOf({ deed, warnings }: TypedSigning): string | undefined {
  const worst = warnings.find(({ level }) => level === 'danger');
  if (!worst) return undefined;
  if (worst.code === 'unlimited' || worst.code === 'all-you-hold')
    return msg(str`all your ${worst.limit!.amount.symbol}`);
  // All that the call sends, not only what this danger is about.
  if (worst.limit) return (deed?.amounts ?? [worst.limit]).map(limitText).join(' + ');
  return worst.code === 'unreadable-call' || worst.code === 'unknown-form'
    ? msg('cannot be known')
    : msg('what you sign away');
}

function atRisk(deed: Deed | undefined): string {
  if (!deed || deed.kind === 'revoke' || !deed.amounts.length) return '';
  const [first, ...more] = deed.amounts;
  if (more.length) return msg(str`at risk: ${deed.amounts.length} tokens`);
  return first!.unlimited
    ? msg(str`at risk: all your ${first!.amount.symbol}`)
    : msg(str`at risk: ${amountText(first!.amount)}`);
}

function partiesOf(view: View): TemplateResult {
  const { summary, wallet } = view;
  const to = recipientOf(view);
  const isAllowed = summary.deed?.kind === 'allow';
  return html`<dl class="card ${to ? 'to' : ''}">
    ${to ? party(isAllowed ? spender() : msg('To'), to, true, isAllowed) : nothing}
    ${party(msg('With'), html`${walletName(wallet)}${holderMark(wallet)}`)}
  </dl>`;
}

function bodyOf(view: View): TemplateResult {
  const { summary } = view;
  const { deed, terms } = summary;
  const witness = terms.find(({ fields }) => fields)?.fields;
  const { call, effects } = terms.find(({ code }) => code === 'call') ?? {};
  const rows = terms.flatMap((term) => termRow(term, view));
  return html`${rows.length ? html`<div class="card rows-card">${kv(rows)}</div>` : nothing}
    ${call ? html`<div class="card">${clauseCall({ call, effects }, view.own)}</div>` : nothing}
    ${
      witness
        ? html`<div class="card tree">
            ${fieldTree([{ fields: witness }], { address: (address) => addressText(address, view), must: true })}
          </div>`
        : nothing
    }
    ${deed ? fold(msg('Data to sign'), everyField(view)) : everyField(view)}
    ${fold(msg('Details'), digestRows(summary.digests))}`;
}

function digestRows({ digest, domainHash, messageHash }: TypedDataDigests): TemplateResult {
  return kv([
    digestRow(DIGEST_TERMS.typedData, digest),
    digestRow(DIGEST_TERMS.domain, domainHash),
    digestRow(DIGEST_TERMS.message, messageHash),
  ]);
}

/** Who may take or gets what leaves. */
function recipientOf(view: View): TemplateResult | undefined {
  const { deed } = view.summary;
  if (deed?.to) return seen('to', deed.to, addressText(deed.to, view));
  if (deed?.kind !== 'trade') return undefined;
  return seen('to', 'anybody', msg('whoever accepts the order'));
}

/** Has to be in view before Approve works. */
function seen(kind: 'effect' | 'to', what: string, content: unknown): TemplateResult {
  return html`<span class="block" data-seen=${kind} data-what=${what}>${content}</span>`;
}

/** Everything that is signed, under the data's own field names. Of an unknown form all of it has to be read. */
function everyField(view: View): TemplateResult {
  const { deed, domain, message, primaryType } = view.summary;
  const sections = [
    { name: primaryType, fields: message },
    { name: 'domain', fields: domain },
  ];
  return html`<div class="card tree" role="region" aria-label=${msg('Data to sign')} tabindex="0">
    ${fieldTree(sections, { address: (address) => addressText(address, view), must: !deed })}
  </div>`;
}

/** A site's own words, quoted and shortened; the data to sign has them in full. */
function quoted(words: string): TemplateResult {
  return html`<bdi>“${inertText(words, 60)}”</bdi>`;
}

const LABELS: Record<Exclude<TermCode, 'call' | 'witness' | 'order'>, () => string> = {
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
  fee: () => msg('Fee at most'),
};

function termRow({ code, address, limit, time, number, of }: Term, view: View): Row[] {
  if (code === 'call' || code === 'witness') return [];
  if (code === 'order') return [{ term: html`<b>${msg(str`Order ${number} of ${of}`)}</b>`, value: nothing }];
  const who = address && addressText(address, view);
  const amount = limit && money(limitText(limit));
  const value =
    time !== undefined
      ? dateText(time)
      : html`${limit && !inTitle(code, view.summary.deed) ? seen('effect', limitText(limit), amount) : amount}
          ${limit && claimLine(limit)}
          ${address && RECEIVERS.has(code) ? seen('to', address, who) : who}`;
  return [{ term: LABELS[code](), value }];
}

/** Others than `deed.to` who get something. */
const RECEIVERS: ReadonlySet<TermCode> = new Set(['others-get', 'refund']);

/** Whether the heading names the amount of such a row, because there is only one. */
function inTitle(code: TermCode, deed: Deed | undefined): boolean {
  if (!deed || code === 'others-get' || deed.orders !== undefined) return false;
  if (code === 'gets') return deed.gets?.length === 1;
  const { kind, amounts, does } = deed;
  const isCall = kind === 'safe' || kind === 'relay';
  return amounts.length === 1 && (does !== undefined || !isCall);
}

function dateText(seconds: bigint | 'never'): string {
  if (seconds === 'never' || seconds > LAST_SECOND) return msg('no end date');
  const when = new Date(Number(seconds) * 1000);
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(when);
}

/** The full address, below the name that the wallet has for it. */
function addressText(address: string, view: View): TemplateResult {
  const mine = ownWallet(address, view);
  const entry = view.summary.names[address.toLowerCase()];
  const tag = { token: msg('Known token'), exchange: msg('Known exchange'), contract: msg('Known contract') };
  const own = html`<bdi>${mine}</bdi>`;
  const name = mine ? msg(html`${own} (you)`) : entry?.name;
  return html`${name ? html`<span class="strong">${name}</span>` : nothing}${
    !mine && entry ? html` <span class="tag good">${tag[entry.kind]}</span>` : nothing
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

// Field by field, in pieces: one request may hold thousands of fields and boxes.

/** Characters shown of one value before "Show all". */
const SHOWN = 400;
/** Fields count like this many boxes. */
const FIELD = 4;

interface Section {
  /** Above its fields, which are then indented. */
  name?: string;
  fields: readonly TypedField[];
}

interface Fields {
  /** Draws an address. */
  address: (address: string) => unknown;
  /** All of it has to be read: nothing is left out, and its end has to be seen. */
  must?: boolean;
}

interface FieldRow {
  depth: number;
  cost: number;
  draw: () => unknown;
}

/** By the first section's fields: a view that is drawn again must not begin again. */
const drawnPieces = new WeakMap<readonly TypedField[], Piece[]>();

function fieldTree(sections: readonly Section[], fields: Fields): TemplateResult {
  const key = sections[0]!.fields;
  const pieces = drawnPieces.get(key) ?? together(sections.flatMap((section) => rowsIn(section, fields)));
  drawnPieces.set(key, pieces);
  return html`<cbf-in-pieces ?must=${fields.must ?? false} .pieces=${pieces}></cbf-in-pieces>`;
}

function together(rows: readonly FieldRow[]): Piece[] {
  const pieces: FieldRow[][] = [];
  let room = 0;
  for (const row of rows) {
    if (row.cost > room) {
      pieces.push([]);
      room = PIECE.boxes;
    }
    pieces.at(-1)!.push(row);
    room -= row.cost;
  }
  return pieces.map((piece) => ({
    draw: () => piece.map(({ depth, draw }) => within(depth, draw())),
    size: piece.length,
  }));
}

function within(depth: number, content: unknown): unknown {
  return depth ? html`<div class="within">${within(depth - 1, content)}</div>` : content;
}

function rowsIn({ name, fields }: Section, how: Fields): FieldRow[] {
  if (name === undefined) return rowsOf(fields, 0, how);
  const head: FieldRow = {
    depth: 0,
    cost: FIELD,
    draw: () => html`<div class="over"><b class="mono">${name}</b></div>`,
  };
  return [head, ...rowsOf(fields, 1, how)];
}

function rowsOf(fields: readonly TypedField[], depth: number, how: Fields): FieldRow[] {
  return fields.flatMap(({ name, type, value }): FieldRow[] => {
    if (!Array.isArray(value)) return [fieldRow(name, type, value, depth, how)];
    const none = () => (value.length ? '' : html` <span class="faint">${msg('empty list')}</span>`);
    const head: FieldRow = {
      depth,
      cost: FIELD + depth,
      draw: () => html`<div class="over"><span class="mono">${name}</span>${none()}</div>`,
    };
    return [head, ...rowsOf(value, depth + 1, how)];
  });
}

function fieldRow(
  name: string,
  type: string,
  value: string | boolean | bigint,
  depth: number,
  how: Fields,
): FieldRow {
  const text = String(value);
  const head = piecesOf(cut(text))[0] ?? '';
  return {
    depth,
    cost: FIELD + depth + boxesIn(how.must ? (piecesOf(text)[0] ?? '') : head),
    draw: () =>
      kv([{ term: html`<span class="mono">${name}</span>`, value: valueOf(type, text, head, how) }]),
  };
}

function valueOf(type: string, text: string, head: string, { address, must }: Fields): unknown {
  if (type === 'address') return address(text);
  const shown =
    head === text
      ? visibleText(text)
      : must
        ? html`<cbf-long-text must .text=${text}></cbf-long-text>`
        : beginning(head, text);
  return type === 'string' ? html`<bdi>${shown}</bdi>` : html`<bdi dir="ltr" class="mono">${shown}</bdi>`;
}

/** Expandable to all of it. */
function beginning(head: string, text: string): TemplateResult {
  const whole = ({ currentTarget }: Event): void => {
    (currentTarget as HTMLElement).querySelector('cbf-long-text')!.text = text;
  };
  return html`${visibleText(head)}…<details class="long" @toggle=${whole}>
    <summary>${msg(str`Show all ${text.length} characters`)}</summary><cbf-long-text></cbf-long-text>
  </details>`;
}

/** Without half of a surrogate pair. */
function cut(text: string): string {
  return text.length > SHOWN ? text.slice(0, SHOWN).replace(/\p{Surrogate}$/u, '') : text;
}
