/** How many confirmations payments need, by what they are for. */
import { currencyDigits } from '../../../src/api/currency.ts';
import type {
  ConfirmationsAbove,
  PutReceivingKey,
  PutReceivingWallet,
} from '../../../src/api/receiving-wallet.ts';
import type { ReceivingChain } from '../../../src/api/secret-type.ts';
import type { Network } from '../../../src/chains/network.ts';
import type { ReceivingWalletEntry, SessionRow } from '../../database/schema.ts';

/** Of mainnets; others need one. Tron's blocks are final with the last of them, and Aeternity's come every three minutes. */
const MAINNET_CONFIRMATIONS: { readonly [S in ReceivingChain]?: number } = {
  AETERNITY: 3,
  BITCOIN: 1,
  LITECOIN: 3,
  TRON: 20,
};

/** What a false block costs its miner is to be more than what is paid. */
const MAINNET_ABOVE: { readonly [S in ReceivingChain]?: ConfirmationsAbove } = {
  BITCOIN: [
    { amount: 1000, confirmations: 2 },
    { amount: 10_000, confirmations: 4 },
    { amount: 100_000, confirmations: 6 },
  ],
  LITECOIN: [
    { amount: 1000, confirmations: 6 },
    { amount: 10_000, confirmations: 12 },
  ],
};

/** As a wallet's entry has them: what its owner sets, or the chain's own where neither is set. */
export function confirmationsOf(
  { kind }: Network,
  {
    secretType,
    confirmations,
    confirmationsAbove,
  }: Pick<PutReceivingWallet | PutReceivingKey, 'secretType' | 'confirmations' | 'confirmationsAbove'>,
): { confirmations: number; confirmations_above: ConfirmationsAbove } {
  const isOwn = kind !== 'mainnet' || confirmations !== undefined;
  const above = confirmationsAbove ?? (isOwn ? [] : (MAINNET_ABOVE[secretType] ?? []));
  return {
    confirmations: confirmations ?? (kind === 'mainnet' ? (MAINNET_CONFIRMATIONS[secretType] ?? 12) : 1),
    confirmations_above: above,
  };
}

/** The most that any amount below the session's total asks for. */
export function confirmationsFor(
  { confirmations, confirmations_above: above }: ReceivingWalletEntry,
  { amount_total: total, currency }: Pick<SessionRow, 'amount_total' | 'currency'>,
): number {
  const minor = 10 ** currencyDigits(currency);
  return (above ?? []).reduce(
    (most, { amount, confirmations: more }) => (Number(total) > amount * minor ? Math.max(most, more) : most),
    confirmations,
  );
}
