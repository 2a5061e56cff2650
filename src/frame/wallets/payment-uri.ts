/** The content of an address's QR code, by chain: the bare address if wallets accept nothing else. */
import { formatAmount } from '../../base/amount.ts';
import type { Network } from '../../chains/network.ts';
import { CARDS, type SecretType } from '../../chains/secret-type.ts';

/** Chains with a payment URI for an amount that wallets support: EIP-681, BIP-21. */
export function asksAmount(secretType: SecretType): boolean {
  return secretType === 'ETHEREUM' || secretType === 'GOCHAIN' || CARDS[secretType].uriScheme !== undefined;
}

/** `raw`: the requested amount of the coin, in smallest units. */
export function paymentUri(
  { secretType, chainId }: Pick<Network, 'secretType' | 'chainId'>,
  address: string,
  raw?: bigint,
): string {
  const { uriScheme, coin } = CARDS[secretType];
  if (uriScheme)
    return raw
      ? `${uriScheme}:${address}?amount=${formatAmount(raw, coin.decimals)}`
      : // Upper case makes a bech32 address's QR code smaller; by BIP-173 wallets accept both cases.
        `${uriScheme}:${address}`.toUpperCase();
  if (!raw || !asksAmount(secretType)) return address;
  return `ethereum:${address}${chainId === undefined ? '' : `@${chainId}`}?value=${raw}`;
}
