/** Shared by the address book and the chooser: a search field for names and addresses, and its results. */
import { html, type TemplateResult } from 'lit';
import { msg } from '../../base/localize.ts';
import type { Recipient } from '../../wallets/types.ts';

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
  return html`<input class="input" dir="auto" aria-label=${msg('Search recipients')} placeholder=${msg('Name or address')} autocomplete="off" spellcheck="false" .value=${value} @input=${type} />`;
}

/** `nobody`: text for an empty list; empty if only the search found nothing. */
export function rowsOf(rows: readonly TemplateResult[], nobody: string): TemplateResult {
  return rows.length
    ? html`<div class="card"><ul class="rows">${rows}</ul></div>`
    : html`<p class="muted" role="status">${nobody || msg('No known recipient has this name or address.')}</p>`;
}
