/** What a page writes without a framework. */
import { ConnectError } from 'carabiner';
import { ConnectResultEvent } from 'carabiner/elements';
import { connect } from 'carabiner/connect.js';

// README.md
document.addEventListener('connect-result', ({ action, result }) => {
  if (action === 'transfer') console.log(result.transactionHash);
});

window.addEventListener('connect-result', (event) => {
  if (event.action === 'linkWallets') for (const { address } of event.result) address.toLowerCase();
  if (event.action === 'sign') event.result.result.signature.trim();
  // @ts-expect-error A signature has no hash.
  if (event.action === 'sign') event.result.transactionHash.trim();
  // @ts-expect-error No element asks for it.
  if (event.action === 'balance') return;
  event.requestId?.trim();
});

const dialog = document.querySelector('transfer-dialog')!;
dialog.addEventListener('connect-request', (event) => {
  if (event.action === 'transfer' && 'to' in event.request) event.request.to.trim();
  event.preventDefault();
});
dialog.addEventListener('connect-progress', ({ stage }) => stage === 'broadcast');
dialog.addEventListener('connect-cancel', ({ action }) => action === 'transfer');
dialog.addEventListener('connect-error', ({ error }) => {
  if (error.code === 'pincode.wrong') error.details.attemptsLeft.toFixed();
  if (error.code === 'request.invalid') for (const { path } of error.details.issues) path.trim();
  if (error.code === 'frame.blocked' && error.details.reason === 'csp') return;
  // @ts-expect-error There is no such reason.
  if (error.code === 'frame.blocked' && error.details.reason === 'rain') return;
  // @ts-expect-error There is no such code.
  if (error.code === 'no.such.code') return;
  if (error.code === 'swap.uniswap-v2.get-price.failed') error.details.reason?.trim();
  error.details.completed?.[0]?.transactionHash.trim();
});
// @ts-expect-error It is not a number.
dialog.walletId = 1;
dialog.request = { type: 'ETH_TRANSACTION', walletId: 'mine', to: '0x', value: '1' };
dialog.show().then(({ transactionHash }) => transactionHash.trim());

try {
  await connect.linkWallets();
} catch (error) {
  if (error instanceof ConnectError && error.code === 'pincode.locked') error.details.retryAfter?.toFixed();
}

export function hear(event: ConnectResultEvent<'transfer' | 'execute'>): string {
  return event.result.transactionHash;
}
export const made = new ConnectResultEvent('transfer', { transactionHash: '0x' });
