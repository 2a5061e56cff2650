/** The words of a window that stays open for its site's next request, and short descriptions of what was done in it. */
import { html, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { Action } from '../../base/actions.ts';
import { language, msg, str } from '../../base/localize.ts';
import type { Summary } from '../../chains/approval/summary.ts';
import type { ParamsOf, TransactionResult } from '../../channel/messages.ts';
import { shortText } from '../../ui/address.ts';
import type { Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { headlineText, rowText } from '../ui/amount.ts';

export type Words = string | TemplateResult;

export async function deedText(
  frame: Pick<Frame, 'vault' | 'networks'>,
  action: Action,
  params: unknown,
  result: unknown,
): Promise<Words> {
  if (action === 'linkWallets') return linkedText(result as Wallet[]);
  if (action === 'useNetwork') return networkText(frame, params as ParamsOf<'useNetwork'>);
  if (Array.isArray(result) && result.length > 1) return msg(str`${result.length} transactions sent`);
  const { transactionHash } = ([result].flat()[0] ?? {}) as Partial<TransactionResult>;
  if (!transactionHash) return signedText(params as { type?: string });
  const vault = await frame.vault();
  const { summary } = (await vault.activity.get(transactionHash)) ?? {};
  return summary ? sentText(vault, summary) : msg('Transaction sent');
}

function linkedText([first, ...more]: Wallet[]): string {
  return more.length ? msg(str`${more.length + 1} wallets linked`) : msg(str`${first!.alias} linked`);
}

function networkText({ networks }: Pick<Frame, 'networks'>, { network }: ParamsOf<'useNetwork'>): string {
  const { name = network } = networks.networks.find(({ id }) => id === network) ?? {};
  return msg(str`Network: ${name}`);
}

function signedText({ type = '' }: { type?: string }): string {
  if (/TRANSACTION|EXECUTION/.test(type)) return msg('Transaction signed');
  return /TYPED_DATA|CERTIFICATE/.test(type) ? msg('Data signed') : msg('Message signed');
}

async function sentText(vault: Vault, summary: Summary): Promise<Words> {
  const { amount, call, kind, parts, swap, to, unlimited } = summary;
  if (swap) return msg(html`${rowText(swap.input)} swapped for ${swap.output.symbol}`);
  if (kind === 'approval')
    return amount.raw
      ? msg(str`${headlineText(summary)} allowed`)
      : msg(str`Spending limit of ${amount.symbol} removed`);
  if (parts || unlimited || !amount.raw)
    return call ? msg(str`${call.name} called`) : msg('Transaction sent');
  const sent = rowText(amount);
  if (!to) return msg(html`Sent ${sent}`);
  const isTo = ({ address }: { address: string }): boolean => address.toLowerCase() === to.toLowerCase();
  const [own, named] = await Promise.all([vault.wallets(), vault.recipients()]);
  const who = html`<bdi>${named.find(isTo)?.name ?? own.find(isTo)?.alias ?? shortText(to)}</bdi>`;
  return msg(html`Sent ${sent} to ${who}`);
}

/** Longer names do not fit into the button. */
const NAME = 18;

export const timeOf = (at: number): string =>
  new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(at);

/** Below the site's name in the header. `since`: epoch milliseconds. */
export const sessionLine = (since: number): TemplateResult =>
  html`<span>${msg(str`Open since ${timeOf(since)}`)}</span>`;

/** "Close window" and "Back to {site}", which gets initial focus if `start`. `leave` gets the event of the button pressed. */
export function sessionFoot(
  site: string,
  leave: (by: 'cbf-close' | 'cbf-back') => void,
  start = false,
): TemplateResult {
  return html`<div class="actions">
    <button type="button" class="btn secondary lg" @click=${() => leave('cbf-close')}>
      <span>${msg('Close window')}</span>
    </button>
    <button type="button" class="btn primary lg" ?data-start=${start} @click=${() => leave('cbf-back')}>
      <span>${site.length > NAME ? msg('Back to the site') : msg(str`Back to ${site}`)}</span>
    </button>
  </div>`;
}
