/** Paying from a wallet that is not in this browser: what to send, and where. */
import { html, nothing, type TemplateResult } from 'lit';
import type { PayWallet, WalletPayment } from '../api/pay.ts';
import { parseUnits } from '../base/amount.ts';
import { CARDS } from '../chains/secret-type.ts';
import { fullAddress } from '../ui/address.ts';
import { alert } from '../ui/alert.ts';
import '../ui/copy.ts';
import { qrCode } from '../ui/qr-code.ts';
import { msg, str } from '../base/localize.ts';
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

function addressField(label: string, address: string, copy: string, copied: string): TemplateResult {
  return html`<div class="field">
    <span class="label">${label}</span>
    <div class="hash"
      ><span class="grow">${fullAddress(address)}</span
      ><cbf-copy .value=${address} .label=${copy} .copied=${copied}></cbf-copy
    ></div>
  </div>`;
}

/** `name` gets the hash of the transaction sent. */
export function elsewhereView(
  wallet: PayWallet,
  payment: WalletPayment,
  name: (hash: string) => void,
): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.target as HTMLFormElement).elements.namedItem('hash') as HTMLInputElement;
    const hash = field.value.trim();
    field.setCustomValidity(
      CARDS[wallet.secretType].hash.test(hash)
        ? ''
        : msg(str`That is not the hash of a transaction on ${wallet.networkName}.`),
    );
    if (field.reportValidity()) name(hash);
  };
  const clear = (event: Event): void => (event.target as HTMLInputElement).setCustomValidity('');
  const { amount, to } = payment;
  const { symbol, networkName, tokenAddress } = wallet;
  const exact = coins(wallet, payment);
  return html`<div class="stack mid">
    ${alert('caution', {
      title: tokenAddress
        ? msg(str`Send exactly this amount of ${symbol}, on ${networkName}`)
        : msg(str`Send exactly this amount, on ${networkName}`),
      text: msg(
        'The last digits identify your payment. A different amount or network does not pay for this order.',
      ),
    })}
    <p class="sm">${msg(
      str`The shop must get exactly ${exact}. An exchange may deduct its fee from what you send: add the fee to the amount there.`,
    )}</p>
    <div class="co-qr">${qrCode(paymentUri(wallet, payment), msg('QR code of the payment'))}</div>
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
    <form class="field" novalidate @submit=${submit}>
      <label for="sent-hash">${msg('Sent another amount? Enter the transaction hash')}</label>
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
    </form>
  </div>`;
}
