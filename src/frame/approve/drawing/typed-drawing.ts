/** Draws typed data (EIP-712): in words if its form is known, and always with every field under its own name. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type {
  Deed,
  Limit,
  SigningWarning,
  Term,
  TermCode,
  TypedField,
  TypedSigning,
} from '../../../chains/approval/signing.ts';
import type { Amount } from '../../../chains/chain.ts';
import { inertText } from '../../../inert-text.ts';
import { fullAddress } from '../../../ui/full-address.ts';
import { holderMark } from '../../../ui/holder-mark.ts';
import { isolated } from '../../../ui/isolated.ts';
import { language, msg, str } from '../../../ui/localize.ts';
import { visibleText, visibleTextStyles } from '../../../ui/visible-text.ts';
import { amountText, money } from '../../ui/amount.ts';
import { kv, type Row } from '../../ui/kv.ts';
import { fold, party } from './blocks.ts';
import { clauseCall } from './call-drawing.ts';
import type { Notice, SignatureDrawing, Surroundings } from './signature-drawing.ts';
import { walletName } from './summary.ts';
import { risk } from './warnings.ts';

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

/** Characters of one value that are drawn before "Show all". */
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
  const notices = summary.warnings.map((warning) => noticeOf(warning, view));
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

/** What the worst danger puts at risk, if there is one. */
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

/** The beginning, with the whole text on request. */
function capped(text: string, drawn: (text: string) => unknown): unknown {
  if (text.length <= SHOWN) return drawn(text);
  return html`${drawn(cut(text, SHOWN))}…<details class="long"><summary>${msg(
    str`Show all ${text.length} characters`,
  )}</summary>${drawn(text)}</details>`;
}

/** Never ends with half a surrogate pair. */
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

function noticeOf({ code, level, params = {}, limit }: SigningWarning, view: View): Notice {
  const { spender = '', address = '', known = '', name = '' } = params;
  const who = spender && isolated(nameOf(spender, view));
  const what = limit?.amount as Amount;
  const notice = (title: string, text: string, lost?: string): Notice => ({
    level,
    title,
    text,
    ...(level === 'danger' && { tick: risk(lost ?? msg('I could lose what this allows')) }),
  });
  switch (code) {
    case 'reported-address':
      return notice(
        msg('Reported address'),
        msg(str`${address} was reported for fraud. Do not sign anything for it.`),
        msg('I could lose what this allows'),
      );
    case 'resembles-known':
      return notice(
        msg('Looks like an address you know'),
        msg(str`It begins and ends like ${known}, but it is another one. Compare the whole address.`),
        msg('I compared the whole address'),
      );
    case 'gives-limit':
      return notice(
        msg('This signature gives a spending limit'),
        msg(
          str`${who} can take up to ${isolated(amountText(what))}, now or later, without asking you again.`,
        ),
      );
    case 'unlimited':
      return notice(
        msg(str`${who} could take all your ${what.symbol}`),
        msg('The site asks for a limit without end. A limit of what you need today is safer.'),
        msg(str`I could lose all my ${what.symbol}`),
      );
    case 'all-you-hold':
      return notice(
        msg(str`${who} could take all your ${what.symbol}`),
        msg(str`You hold ${isolated(amountText(what))}. A limit of what you need today is safer.`),
        msg(str`I could lose all my ${what.symbol}`),
      );
    case 'no-end':
      return notice(
        msg('This signature has no end'),
        msg('It can be used for as long as it is not taken back.'),
        msg('it could be used years from now'),
      );
    case 'spender-decides':
      return notice(msg('Where it goes is not signed'), msg(str`${who} decides who gets what it takes.`));
    case 'spender-is-account':
      return notice(
        msg('No contract stands behind this address'),
        msg('A person could take what this allows, and no rules hold them to anything.'),
        msg('whoever has this address could take it'),
      );
    case 'first-spender':
      return notice(
        msg('First time with this address'),
        msg('You have not used it from this wallet before.'),
      );
    case 'other-contract':
      return notice(
        msg(str`This is not for ${name}`),
        msg(str`The data has the form that ${name} takes, but names another contract.`),
      );
    case 'other-owner':
      return notice(
        msg('It is about another account'),
        msg(str`The data names ${nameOf(address, view)}, which is not the wallet that signs.`),
      );
    case 'unknown-witness':
      return notice(
        msg('Terms that your wallet cannot read'),
        msg(
          'A contract decides by the terms below what happens with your tokens, and Carabiner does not know them.',
        ),
        msg('I could get nothing for my tokens'),
      );
    case 'gets-nothing':
      return notice(
        msg('You receive nothing for it'),
        msg('No part of what is paid goes to this wallet.'),
        msg('I give it away for nothing'),
      );
    case 'gets-unknown':
      return notice(msg('Unknown token'), msg('Nobody we trust says what it is that you receive.'));
    case 'any-item':
      return notice(
        msg('Others choose which item you give'),
        msg('The order names no item: it can be the most valuable one of the collection.'),
        msg('I could lose any item of the collection'),
      );
    case 'delegatecall':
      return notice(
        msg('The Safe would run foreign code as its own'),
        msg(
          str`The code of ${nameOf(address, view)} can take all that the Safe holds, and replace its owners.`,
        ),
        msg('I could lose everything in the Safe'),
      );
    case 'refund':
      return notice(
        msg('The Safe pays for the gas'),
        msg(str`A refund that the data sets goes to ${nameOf(address, view)}.`),
      );
    case 'unreadable-call':
      return notice(
        msg('You cannot read this call'),
        msg('It could move anything this account lets it move.'),
        msg('what can be lost is not known'),
      );
    case 'dangerous-call':
      return notice(
        msg('This call could hand over control'),
        msg(str`“${name}” can give others what the account holds, or the account itself.`),
        msg('I could lose what the account holds'),
      );
    case 'every-network':
      return notice(
        msg('This signature is good on every network'),
        msg('The data does not say which network it is for.'),
      );
    case 'unknown-form':
      return notice(
        msg('Carabiner does not know this form'),
        msg('Read every field. Sign it only if you know what the site does with it.'),
      );
  }
}
