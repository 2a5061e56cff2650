/** Short descriptions of what was done in the open window. */
import { html, type TemplateResult } from 'lit';
import type { Action } from '../../base/actions.ts';
import type { Wallet } from '../../api/wallet.ts';
import type { Summary } from '../../chains/approval/summary.ts';
import type { TransactionResult } from '../../channel/messages.ts';
import { shortText } from '../../ui/address.ts';
import { msg, str } from '../../base/localize.ts';
import type { Vault } from '../../wallets/types.ts';
import { headlineText, rowText } from '../ui/amount.ts';
import type { Frame } from '../frame.ts';

export type Words = string | TemplateResult;

export async function deedText(
  frame: Pick<Frame, 'vault'>,
  action: Action,
  params: unknown,
  result: unknown,
): Promise<Words> {
  if (action === 'linkWallets') return linkedText(result as Wallet[]);
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
      : msg(str`Allowance of ${amount.symbol} withdrawn`);
  if (parts || unlimited || !amount.raw)
    return call ? msg(str`${call.name} called`) : msg('Transaction sent');
  const sent = rowText(amount);
  if (!to) return msg(html`Sent ${sent}`);
  const isTo = ({ address }: { address: string }): boolean => address.toLowerCase() === to.toLowerCase();
  const [own, named] = await Promise.all([vault.wallets(), vault.recipients()]);
  const who = html`<bdi>${named.find(isTo)?.name ?? own.find(isTo)?.alias ?? shortText(to)}</bdi>`;
  return msg(html`Sent ${sent} to ${who}`);
}
