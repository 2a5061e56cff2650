/** Recipients that the user knows on a chain. */
import type { SecretType } from '../../chains/secret-type.ts';
import type { KnownRecipient, Vault } from '../../wallets/types.ts';

export async function knownRecipients(vault: Vault, secretType: SecretType): Promise<KnownRecipient[]> {
  const [book, active, archived] = await Promise.all([
    vault.recipientBook(),
    vault.wallets({ secretType, now: true }),
    vault.wallets({ secretType, archived: true, now: true }),
  ]);
  return book.list(secretType, [...active, ...archived]);
}

export function knownAs(
  known: readonly KnownRecipient[],
  address: string | null | undefined,
): KnownRecipient | undefined {
  return known.find((one) => one.address.toLowerCase() === address?.toLowerCase());
}
