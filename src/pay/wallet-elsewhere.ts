/** Paying from a wallet that is not in this browser: what to send, and where. */
import { html, type TemplateResult } from 'lit';
import type { PayWallet, WalletPayment } from '../api/pay.ts';
import { parseUnits } from '../base/amount.ts';
import { CARDS } from '../chains/secret-type.ts';
import { fullAddress } from '../ui/address.ts';
import { alert } from '../ui/alert.ts';
import '../ui/copy.ts';
import { qrCode } from '../ui/qr-code.ts';
import { msg, str } from '../base/localize.ts';
import { noHash } from './wallet-text.ts';
import { coins } from './wallet-views.ts';

/**
 * EIP-681: wallets that scan it fill in network, recipient and amount. For chains without a chain id the address alone, as wallets of
 * VeChain, Tron and Aeternity show it: an EIP-681 URI without one means Ethereum, and there is no standard that names a token of Tron.
 */
export function paymentUri(
  { tokenAddress, chainId, decimals }: PayWallet,
  { to, amount }: WalletPayment,
): string {
  if (chainId === null) return to;
  const units = parseUnits(amount, decimals);
  return tokenAddress
    ? `ethereum:${tokenAddress}@${chainId}/transfer?address=${to}&uint256=${units}`
    : `ethereum:${to}@${chainId}?value=${units}`;
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
  return html`<div class="stack mid">
    ${alert('caution', {
      title: msg(str`Send exactly this amount, on ${wallet.networkName}`),
      text: msg(
        'The last digits identify your payment. Another amount, or another network, pays for nothing.',
      ),
    })}
    <div class="co-qr">${qrCode(paymentUri(wallet, payment), msg('QR code of the payment'))}</div>
    <div class="field">
      <span class="label">${msg('Amount')}</span>
      <p class="hash"
        ><bdi class="grow num" dir="ltr">${coins(wallet, payment)}</bdi
        ><cbf-copy
          .value=${amount}
          .label=${msg('Copy amount')}
          .copied=${msg('Amount copied')}
        ></cbf-copy
      ></p>
    </div>
    <div class="field">
      <span class="label">${msg('To')}</span>
      <div class="hash"
        ><span class="grow">${fullAddress(to)}</span
        ><cbf-copy
          .value=${to}
          .label=${msg('Copy address')}
          .copied=${msg('Address copied')}
        ></cbf-copy
      ></div>
    </div>
    ${hashForm(wallet, msg('Sent another amount? Enter the transaction hash'), name)}
  </div>`;
}
