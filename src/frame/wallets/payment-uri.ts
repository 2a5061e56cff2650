/** What the code of an address says, by chain: the bare address where wallets take nothing else. */
import { formatAmount } from '../../chains/amount.ts';
import type { Network } from '../../chains/network.ts';
import { CARDS, type SecretType } from '../../chains/secret-type.ts';

/** Chains whose addresses have a form that asks for an amount, which wallets read: EIP-681, BIP-21. */
export function asksAmount(secretType: SecretType): boolean {
  return secretType === 'ETHEREUM' || secretType === 'GOCHAIN' || CARDS[secretType].uriScheme !== undefined;
}

/** `raw`: the amount of the coin that is asked for, in smallest units. */
export function paymentUri(
  { secretType, chainId }: Pick<Network, 'secretType' | 'chainId'>,
  address: string,
  raw?: bigint,
): string {
  const { uriScheme, coin } = CARDS[secretType];
  if (uriScheme)
    return raw
      ? `${uriScheme}:${address}?amount=${formatAmount(raw, coin.decimals)}`
      : // Upper case makes the QR code of a bech32 address smaller; by BIP-173 wallets accept both cases.
        `${uriScheme}:${address}`.toUpperCase();
  if (!raw || !asksAmount(secretType)) return address;
  return `ethereum:${address}${chainId === undefined ? '' : `@${chainId}`}?value=${raw}`;
}
