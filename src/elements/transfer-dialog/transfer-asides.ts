/** What `<transfer-dialog>` shows only in some cases. Loaded once the form is on screen. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { NativeBalance, Wallet } from '../../api/wallet.ts';
import { parseUnits } from '../../base/amount.ts';
import type { ConnectError } from '../../base/errors.ts';
import { msg, str } from '../../base/localize.ts';
import type { TransferParams } from '../../channel/ask-schema.ts';
import { fieldText, type Figure, rowAmount } from '../../ui/amount-text.ts';
import { type Asset, coinOf } from '../../ui/assets.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { pastedText, pasteHint } from '../../ui/paste.ts';
import { icon, iconCaution, iconCheck, iconChevronDown, iconClose } from '../../ui/icons.ts';
import { iconPaste, iconPerson, iconScan } from '../../ui/list-icons.ts';
import type { NoPayment, Payment } from '../../ui/payment-code.ts';
import { hasCamera } from '../../ui/qr-reader.ts';
import { transferChecks as fieldChecks } from '../../ui/transfer-checks.ts';
import type { BareFields, Checks, Field } from '../../ui/transfer-fields.ts';
import { amountParts } from '../../ui/typed-amount.ts';
import type { Choices } from '../../ui/combobox.ts';
import { ignore } from '../connect-element.ts';
import { unknownRecipient } from '../trouble.ts';
import { spinner, walletLines } from '../../ui/parts.ts';
import { panelStyles } from '../view.ts';
import { valueOf, worth } from '../worth.ts';
import type { TransferDialog } from './transfer-dialog.ts';
import type * as Fiat from './transfer-fiat.ts';
import type { TransferForm } from './transfer-form.ts';
import { chooseNetwork, networkRow } from './transfer-network.ts';

export { networkRow };

/** Styles of what is drawn in this file. */
const ownStyles = css`
  .body > .line { margin: 0; }
  .input:placeholder-shown { text-overflow: ellipsis; }
  .away { visibility: hidden; }
  .help.good { color: var(--_success); }
  @container (width < 301px) { .picker { gap: var(--_s2); } .balance { font-size: var(--_fs-xs); } [role="option"] > .chain { display: none; } }
  .worth { color: var(--_text-3); font-weight: 400; }
  .balance > .worth { display: block; font-size: var(--_fs-sm); }
  .sub > .worth { margin-inline-end: auto; color: inherit; white-space: normal; }
  .sub > .toggle { margin-inline-end: auto; padding-inline: 0; }
  .toggle .worth { color: inherit; font-weight: inherit; white-space: normal; text-align: start; }
  .unit { font-size: var(--_fs-2xl); font-weight: 600; }
  .center { display: grid; justify-items: center; gap: var(--_s3); padding-block: var(--_s8); text-align: center; }
  textarea.input { min-block-size: 84px; resize: vertical; }
  summary { display: flex; align-items: center; gap: 6px; min-block-size: var(--_hit); border-radius: var(--_r-xs); color: var(--_text-2); font-size: var(--_fs-sm); font-weight: 560; list-style: none; cursor: pointer; }
  summary::-webkit-details-marker { display: none; }
  summary .i { transition: transform var(--_t); }
  [open] > summary .i { transform: rotate(180deg); }
  .tools { display: flex; align-self: end; block-size: var(--_hit); margin-block-start: calc(-6px - var(--_hit)); margin-inline-end: 2px; }
  .tools > * + * { margin-inline-start: -6px; }
  .input:has(+ .tools) { --tools: 46px; padding-inline-end: var(--tools); }
  .input:has(+ .three) { --tools: 124px; }
  /* Addresses run left to right, even on a right-to-left page. */
  .input:dir(ltr):has(+ .tools:dir(rtl)) { padding-inline: var(--tools) var(--_s3); }
  .btn.below { align-self: start; display: none; }
  @container (max-width: 297px) {
    .tools > .known { display: none; }
    .btn.below { display: inline-flex; }
    .input:has(+ .three) { --tools: 86px; }
  }
`;

export const asideStyles = [panelStyles, ownStyles];

/** What is known of the recipient. */
export function recipientHelp({ fields }: TransferForm): TemplateResult | typeof nothing {
  const hint = fields.recipient?.hint(fields.to.trim());
  return hint
    ? html`<p part="hint" class="help ${hint.good ? 'good' : ''}">${hint.good ? icon(iconCheck(), 's') : nothing}<span>${hint.text}</span></p>`
    : nothing;
}

/** What Max leaves for the fee, or at which price an amount in the currency is converted. */
export function amountHelp({ fields, fiat: typed }: TransferForm): TemplateResult | typeof nothing {
  const { asset, reserve } = fields;
  const isAll = asset?.raw != null && fields.value && fields.amount === fields.maxSpendable;
  return isAll && reserve
    ? html`<p part="hint" class="help">${msg(str`Max leaves ${`${fieldText(reserve)} ${asset.symbol}`} for the fee.`)}</p>`
    : (typed?.help ?? nothing);
}

/** 25 % and 50 % of the balance, beside Max. */
export function parts(form: TransferForm): TemplateResult[] {
  const { fields, host } = form;
  return amountParts(fields, 'text', (value) => {
    form.fiat = undefined;
    fields.value = value;
    fields.check('value');
    host.requestUpdate();
  });
}

/** For Max: for the coin, the node knows the maximum more precisely than the reserve does. A late or failed answer changes nothing. */
export async function askMaxSpendable(form: TransferForm, fill: () => void): Promise<void> {
  const { fields, host } = form;
  const { wallet, asset, to, value, data } = fields;
  if (!wallet || !asset || asset.address || fields.check('data')) return;
  const recipient = to && !fields.recipient?.error(to.trim()) && !/[@.]/.test(to) ? to.trim() : undefined;
  const options = { ...form.optionsOf(wallet), ...(data && { data: data.trim() }) };
  const maximum = await host.current.maxSpendable(wallet.id, recipient, options).catch(ignore);
  if (
    !maximum ||
    fields.asset !== asset ||
    fields.to !== to ||
    fields.value !== value ||
    fields.data !== data
  )
    return;
  fields.nodeMaximum = { asset, to, data, value: maximum };
  fill();
  host.requestUpdate();
}

/** The value of a wallet's coins. */
export function balanceWorth(
  form: TransferForm,
  wallet: Wallet,
  balance: NativeBalance,
): TemplateResult | typeof nothing {
  return worth(form.host, form.placeOf(wallet), coinOf(wallet.secretType, balance));
}

/** The value of the typed amount; unless the page has `fixed` the amount, as a button that switches to typing in the currency. */
export function amountWorth(form: TransferForm, fixed: boolean): TemplateResult | typeof nothing {
  const { host, fields } = form;
  const { wallet, asset } = fields;
  if (fixed || !wallet || !asset || asset.decimals === null) return typedWorth(form);
  const one = valueOf(host, form.placeOf(wallet), { ...asset, raw: 10n ** BigInt(asset.decimals) });
  if (!one && !form.fiat) return nothing;
  if (fiat) return fiat.toggle(form, one, typedWorth(form));
  import('./transfer-fiat.ts').then((loaded) => {
    fiat = loaded;
    host.requestUpdate();
  }, ignore);
  return typedWorth(form);
}

let fiat: typeof Fiat | undefined;

/** Nothing while the amount is not a number. */
function typedWorth(form: TransferForm): TemplateResult | typeof nothing {
  const { wallet, asset, amount } = form.fields;
  if (!wallet || !asset || asset.decimals === null) return nothing;
  let raw: bigint;
  try {
    raw = parseUnits(amount, asset.decimals);
  } catch {
    return nothing;
  }
  return worth(form.host, form.placeOf(wallet), { ...asset, raw }, 'up', 'briefly');
}

/** The question before closing, which is asked once. */
export function discard(keep: () => void, drop: () => void): TemplateResult {
  return html`<div
    class="alert caution"
    role="alert"
  >${icon(iconCaution())}<div class="grow"><b>${msg('Close without sending?')}</b><p>${msg('What you entered is not kept.')}</p><div class="line"
    ><button type="button" class="btn secondary mini" @click=${keep}>${msg('Keep editing')}</button
    ><button type="button" class="btn secondary mini" @click=${drop}>${msg('Discard')}</button></div></div></div>`;
}

/** Linking is a separate request, whose events must not appear as this element's. */
export function unlinked({ walletId, secretType, network, current, theme }: TransferDialog): TemplateResult {
  const own = (event: Event) => event.stopPropagation();
  const title = walletId
    ? msg('This wallet is not linked to this site')
    : msg('No wallet is linked to this site');
  return html`<div
    class="body center"
    @connect-request=${own}
    @connect-progress=${own}
    @connect-result=${own}
    @connect-cancel=${own}
    @connect-error=${own}
  ><div><p class="strong">${title}</p><p class="sm muted">${msg('Connect it to send from here.')}</p></div
    ><link-wallets
      .connect=${current}
      .theme=${theme}
      .secretTypes=${secretType ? [secretType] : undefined}
      .network=${network}
    ></link-wallets></div>`;
}

/** Shown while the wallet has the request. */
export function waiting(host: TransferDialog): TemplateResult {
  return html`<div class="body center" role="status">${spinner('accent')}<div><p class="strong">${msg('Waiting for your wallet…')}</p><p class="sm muted">${msg('Finish in the wallet window.')}</p></div><button
    type="button"
    part="button button-quiet"
    class="btn secondary"
    @click=${() => host.cancel()}
  >${msg('Cancel')}</button></div>`;
}

/** The field for data sent with a transfer, if the chain takes any; `fixed`: the page has set it. */
export function advanced(form: TransferForm, fixed: boolean): TemplateResult | typeof nothing {
  const { fields } = form;
  const { dataForm } = fields;
  if (!dataForm) return nothing;
  const help =
    dataForm === 'hex'
      ? msg('Hexadecimal, starting with 0x. Leave empty unless the recipient asked for it.')
      : msg('Everybody can read it. Leave empty unless the recipient asked for it.');
  return html`<details ?open=${!!fields.data}>
    <summary>${msg('Advanced')} ${icon(iconChevronDown(), 's')}</summary>
    <div class="field">
      <label class="label" for="data">${msg('Data (optional)')}</label>
      <textarea id="data" part="input" class="input mono" dir="ltr" spellcheck="false" aria-describedby="data-note" aria-invalid=${fields.errors.has('data') ? 'true' : nothing} ?readonly=${fixed} .value=${fields.data} @input=${(event: Event) => form.typed('data', event)} @blur=${() => form.left('data')}></textarea>${form.note('data', html`<p part="hint" class="help">${help}</p>`)}
    </div>
  </details>`;
}

/** The buttons at the end of the recipient's field; once it is filled, only the one that clears it. */
export function tools(form: TransferForm): TemplateResult | typeof nothing {
  const { host, fields } = form;
  if (host.to || !fields.wallet) return nothing;
  const tool = (name: string, mark: TemplateResult, act: () => void, kind = '') =>
    html`<button type="button" class="btn icon ${kind}" aria-label=${name} @click=${act}>${mark}</button>`;
  const list = () => void chooseKnown(form);
  // Only our own wallet keeps them.
  const knows = fields.wallet.walletType !== 'EXTERNAL';
  if (fields.to)
    return html`<div class="tools">${tool(msg('Clear recipient'), icon(iconClose()), () => fill(form, ''))}</div>`;
  return html`<div class="tools three">${tool(msg('Paste'), icon(iconPaste()), () => void paste(form))}${hasCamera() ? tool(msg('Scan QR code'), icon(iconScan()), () => void scan(form)) : nothing}${knows ? tool(msg('Known recipients'), icon(iconPerson()), list, 'known') : nothing}</div>
    ${
      knows
        ? html`<button
          type="button"
          class="btn text below"
          @click=${list}
        >${msg('Known recipients')}</button>`
        : nothing
    }${hints.has(form) ? html`<p part="hint" class="help" role="status">${hints.get(form)}</p>` : nothing}`;
}

function fill(form: TransferForm, to: string): void {
  const { fields, host } = form;
  fields.to = to;
  fields.errors.delete('to');
  if (to) fields.check('to');
  host.requestUpdate();
  void readTyped(form);
  host.updateComplete.then(
    () => host.renderRoot.querySelector<HTMLElement>(to ? '#value' : '#to')?.focus(),
    ignore,
  );
}

/** By form: how to paste by hand, after the button failed. */
const hints = new WeakMap<TransferForm, string>();

async function paste(form: TransferForm): Promise<void> {
  const text = await pastedText();
  if (!text) hints.set(form, pasteHint());
  fill(form, text);
}

/** The wallet shows the list: the page learns only the address that is chosen. */
async function chooseKnown(form: TransferForm): Promise<void> {
  const { wallet } = form.fields;
  const address = await form.host.current.chooseRecipient({ walletId: wallet!.id }).catch(ignore);
  if (typeof address === 'string' && form.fields.wallet === wallet) fill(form, address);
}

/** A payment code as text, such as `ethereum:0x…?value=2e17`, fills in the form as a scanned one does. */
export async function readTyped(form: TransferForm): Promise<void> {
  const { fields, host } = form;
  const { to, wallet } = fields;
  if (!wallet || host.to || !/^\s*[a-z]+:/i.test(to)) return;
  const payment = await readFor(form, wallet, to);
  if (fields.to !== to || fields.wallet !== wallet) return;
  if ('why' in payment) fields.errors.set('to', payment.why);
  else fillPayment(form, payment);
  host.requestUpdate();
}

async function scan(form: TransferForm): Promise<void> {
  const { ScanDialog } = await import('../scan-dialog.ts');
  const wallet = form.fields.wallet!;
  const read = (text: string) => readFor(form, wallet, text);
  const payment = await new ScanDialog(form.host.renderRoot as ShadowRoot, read).ask();
  if (payment && form.fields.wallet === wallet) fillPayment(form, payment);
}

async function readFor({ host }: TransferForm, wallet: Wallet, code: string): Promise<Payment | NoPayment> {
  const { readPayment } = await import('../../ui/payment-code.ts');
  return readPayment(code, wallet.secretType, async () => {
    const networks = await host.current.networks(wallet.id);
    return host.network ? networks.filter(({ id }) => id === host.network) : networks;
  });
}

/** A code's amount is in the coin; an amount set by the page wins. */
export function fillPayment(form: TransferForm, { to, value, network }: Payment): void {
  const { fields, host } = form;
  if (network !== undefined) chooseNetwork(form, network);
  if (value !== undefined && !fields.asset?.address && (host.value ?? '') === '') {
    form.fiat = undefined;
    fields.value = fieldText(value);
    fields.check('value');
  }
  fill(form, to);
}

// What `<transfer-dialog>` checks and sends, and its error for a recipient who was not found.

/** By form, the recipient that the wallet found no address for. */
const failures = new WeakMap<BareFields, { to: string; wallet: Wallet | undefined; why: string }>();

export const transferChecks: Checks = {
  ...fieldChecks,
  error(fields, field) {
    const failure = field === 'to' ? failures.get(fields) : undefined;
    return failure?.to === fields.to && failure.wallet === fields.wallet
      ? failure.why
      : fieldChecks.error(fields, field);
  },
};

/** Returns the first invalid field. A recipient who was unknown before is tried again: they may have an address by now. */
export function check({ fields }: TransferForm): Field | undefined {
  failures.delete(fields);
  return (['to', 'value', 'data'] as const).filter((field) => fields.check(field))[0];
}

export function paramsOf(form: TransferForm): TransferParams {
  const { wallet, to, amount, asset, data } = form.fields;
  const { id, secretType } = wallet!;
  const params: TransferParams = { walletId: id, to: to.trim(), value: amount, secretType };
  if (asset?.address) params.tokenAddress = asset.address;
  else if (data) params.data = data.trim();
  const { network } = form.placeOf(wallet!);
  if (network) params.network = network;
  return params;
}

/** Shows at the recipient's field that there is no address. If the wallet still covers the form, the field gets the focus once it closes. */
export function failed({ fields, host }: TransferForm, error: ConnectError): void {
  if (error.code !== 'recipient.unknown') return;
  const { to, wallet } = fields;
  failures.set(fields, { to, wallet, why: unknownRecipient(error) });
  fields.check('to');
  host.status = { kind: 'idle' };
  host.updateComplete.then(() => host.renderRoot.querySelector<HTMLElement>('#to')?.focus(), ignore);
}

// The lists: wallets to send from, and coins and tokens to send.

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
