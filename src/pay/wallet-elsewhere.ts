/** Paying from a wallet that is not in this browser: what to send, and where. */
import { html, nothing, type TemplateResult } from 'lit';
import type { PayWallet, WalletPayment } from '../api/pay.ts';
import { parseUnits } from '../base/amount.ts';
import { fromBase64Url } from '../base/base64.ts';
import { CARDS } from '../chains/secret-type.ts';
import { fullAddress } from '../ui/address.ts';
import { alert } from '../ui/alert.ts';
import '../ui/copy.ts';
import { qrCode } from '../ui/qr-code.ts';
import { msg, str } from '../base/localize.ts';
import { noHash } from './wallet-text.ts';
import { coins } from './wallet-views.ts';

/** Of URIs (BIP-321), on chains where the address alone identifies the payment. */
const SCHEMES: { readonly [S in PayWallet['secretType']]?: string } = {
  BITCOIN: 'bitcoin',
  LITECOIN: 'litecoin',
};

/**
 * What wallets scan to fill in recipient and amount: BIP-321 on Bitcoin, and by custom on Litecoin; EIP-681, which names the network, too.
 * Elsewhere the address alone, as wallets of VeChain, Tron and Aeternity show it: an EIP-681 URI without a chain id means Ethereum, and there
 * is no standard that names a token of Tron.
 */
export function paymentUri(
  { secretType, tokenAddress, chainId, decimals }: PayWallet,
  { to, amount, order }: WalletPayment,
): string {
  const scheme = SCHEMES[secretType];
  if (scheme) return `${scheme}:${to}?amount=${amount}${labelOf(order)}`;
  if (chainId === null) return to;
  const units = parseUnits(amount, decimals);
  return tokenAddress
    ? `ethereum:${tokenAddress}@${chainId}/transfer?address=${to}&uint256=${units}`
    : `ethereum:${to}@${chainId}?value=${units}`;
}

function addressField(label: string, address: string, copy: string, copied: string): TemplateResult {
  return html`<div class="field">
    <span class="label">${label}</span>
    <div class="hash"
      ><span class="grow">${fullAddress(address)}</span
      ><cbf-copy .value=${address} .label=${copy} .copied=${copied}></cbf-copy
    ></div>
  </div>`;
}

/** The merchant's verified name, for the wallet's own records. */
function labelOf(order: string | null): string {
  if (!order) return '';
  const { merchant } = JSON.parse(new TextDecoder().decode(fromBase64Url(order.split('.')[1]!))) as {
    merchant: string;
  };
  return `&label=${encodeURIComponent(merchant)}`;
}

/** Bech32 in capital letters takes fewer modules of a QR code (BIP-173); wallets of Litecoin do not all read it. */
export function qrText(wallet: PayWallet, payment: WalletPayment): string {
  const uri = paymentUri(wallet, payment);
  return wallet.secretType === 'BITCOIN' ? uri.replace(payment.to, payment.to.toUpperCase()) : uri;
}

/** Asks for the hash of a transaction, which `name` gets. */
export function hashForm(wallet: PayWallet, label: string, name: (hash: string) => void): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.target as HTMLFormElement).elements.namedItem('hash') as HTMLInputElement;
    const hash = field.value.trim();
    field.setCustomValidity(CARDS[wallet.secretType].hash.test(hash) ? '' : noHash(wallet));
    if (field.reportValidity()) name(hash);
  };
  const clear = (event: Event): void => (event.target as HTMLInputElement).setCustomValidity('');
  return html`<form class="field" novalidate @submit=${submit}>
    <label for="sent-hash">${label}</label>
    <input
      id="sent-hash"
      name="hash"
      class="input"
      dir="ltr"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      @input=${clear}
    />
    <button type="submit" class="btn secondary block"><span>${msg('Look for it')}</span></button>
  </form>`;
}

/** `name` gets the hash of the transaction sent. */
export function elsewhereView(
  wallet: PayWallet,
  payment: WalletPayment,
  name: (hash: string) => void,
): TemplateResult {
  const { amount, to } = payment;
  const { symbol, tokenAddress } = wallet;
  const exact = coins(wallet, payment);
  const isOwn = SCHEMES[wallet.secretType] !== undefined;
  return html`<div class="stack mid">
    ${isOwn ? ownAddress(wallet) : exactAmount(wallet, exact)}
    <div class="co-qr">${qrCode(qrText(wallet, payment), msg('QR code of the payment'))}</div>
    <div class="field">
      <span class="label">${msg('Amount')}</span>
      <p class="hash"
        ><bdi class="grow num" dir="ltr">${exact}</bdi
        ><cbf-copy
          .value=${amount}
          .label=${msg('Copy amount')}
          .copied=${msg('Amount copied')}
        ></cbf-copy
      ></p>
    </div>
    ${addressField(msg('To'), to, msg('Copy address'), msg('Address copied'))}
    ${
      // The code of these chains cannot name it.
      tokenAddress && wallet.chainId === null
        ? addressField(
            msg(str`Contract of ${symbol}`),
            tokenAddress,
            msg('Copy contract'),
            msg('Contract copied'),
          )
        : nothing
    }
    ${isOwn ? nothing : hashForm(wallet, msg('Sent another amount? Enter the transaction hash'), name)}
  </div>`;
}

function exactAmount({ symbol, networkName, tokenAddress }: PayWallet, exact: string): TemplateResult {
  return html`${alert('caution', {
    title: tokenAddress
      ? msg(str`Send exactly this amount of ${symbol}, on ${networkName}`)
      : msg(str`Send exactly this amount, on ${networkName}`),
    text: msg(
      'The last digits identify your payment. A different amount or network does not pay for this order.',
    ),
  })}
    <p class="sm">${msg(
      str`The shop must get exactly ${exact}. An exchange may deduct its fee from what you send: add the fee to the amount there.`,
    )}</p>`;
}

/** Of a payment that its address identifies. */
function ownAddress({ networkName }: PayWallet): TemplateResult {
  return alert('caution', {
    title: msg(str`Send this amount, on ${networkName}`),
    text: msg(
      'The address is for this order alone, and the whole amount has to arrive there: if you pay from an exchange, add what it deducts.',
    ),
  });
}
