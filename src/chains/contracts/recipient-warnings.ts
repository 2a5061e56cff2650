/** Warnings about whoever gets what a transaction, or one of its clauses, sends. */
import { isReserved } from '../approval/known.ts';
import type { Warning } from '../approval/summary.ts';
import { burnWarning, danger } from '../approval/warnings.ts';
import type { DrawnCall } from '../call-reading/drawn-call.ts';
import type { Network } from '../network.ts';
import { listedToken } from './listed-token.ts';

/** `call`: undefined for coins alone. `to`: null for a contract creation. `value`: of the coin. */
interface Sending {
  call: DrawnCall | undefined;
  to: string | null;
  value: bigint;
}

export function recipientsOf({ call, to }: Sending): string[] {
  return [...new Set(call ? call.recipients : to === null ? [] : [to])];
}

export function recipientWarnings(sending: Sending, network: Network): Warning[] {
  const { call, to, value } = sending;
  const recipients = recipientsOf(sending);
  const isToken = (address: string): boolean =>
    (call !== undefined && address.toLowerCase() === to?.toLowerCase()) ||
    listedToken(network.tokens, address) !== undefined;
  // Coins that go with a call are lost there too.
  const burned = new Set([...recipients, value > 0n ? to : null]);
  // Coins that a call sends on to an exchange are used there.
  const receivers = new Set(call ? call.tokenRecipients : recipients);
  return [
    ...[...burned].flatMap((address) => (address && isReserved(address) ? burnWarning(address) : [])),
    ...recipients.filter(isToken).map((address) => danger('recipient-is-token', { address })),
    ...[...receivers]
      .filter((address) => isExchange(network, address))
      .map((address) => danger('recipient-is-exchange', { address })),
  ];
}

/** Whether it is a contract of an exchange that the operator lists: by an address in its entry, other than of a token. */
function isExchange({ exchanges = [] }: Network, address: string): boolean {
  const lower = address.toLowerCase();
  return exchanges.some((entry) => {
    const { wrapped: _, ...contracts } = (entry ?? {}) as Record<string, unknown>;
    return Object.values(contracts).some(
      (value) => typeof value === 'string' && value.toLowerCase() === lower,
    );
  });
}
