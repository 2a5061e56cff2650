/** Shared by the address book and the chooser: a search field for names and addresses, and its results. */
import { html, type TemplateResult } from 'lit';
import { msg } from '../../base/localize.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import type { KnownRecipient, Recipient, Vault } from '../../wallets/types.ts';

export function matching<R extends Pick<Recipient, 'name' | 'address'>>(
  list: readonly R[],
  typed: string,
): R[] {
  const wanted = typed.trim().toLowerCase();
  return list.filter(({ name, address }) =>
    [name, address].some((text) => text.toLowerCase().includes(wanted)),
  );
}

export function searchField(value: string, changed: (typed: string) => void): TemplateResult {
  const type = (event: Event) => changed((event.target as HTMLInputElement).value);
  return html`<input
    class="input"
    dir="auto"
    aria-label=${msg('Search recipients')}
    placeholder=${msg('Name or address')}
    autocomplete="off"
    spellcheck="false"
    .value=${value}
    @input=${type}
  />`;
}

/** `nobody`: text for an empty list; empty if only the search found nothing. */
export function rowsOf(rows: readonly TemplateResult[], nobody: string): TemplateResult {
  return rows.length
    ? html`<div class="card"><ul class="rows">${rows}</ul></div>`
    : html`<p class="muted" role="status">${nobody || msg('No known recipient has this name or address.')}</p>`;
}

// Recipients that the user knows on a chain.

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
