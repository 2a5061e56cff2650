/** Marks wallets that would be lost with this browser's data. */
import { html, nothing, type TemplateResult } from 'lit';
import { msg } from '../../ui/localize.ts';
import type { Unsaved } from '../../wallets/types.ts';

/** Beside a wallet's address. Needs `cardStyles`. */
export function backupMark(unsaved: Unsaved | undefined): TemplateResult | typeof nothing {
  return unsaved ? html` <span class="tag warn">${msg('Not backed up')}</span>` : nothing;
}

/** Below a list, what to do about the marks in it. */
export function backupNotes(unsaved: readonly (Unsaved | undefined)[]): TemplateResult[] {
  const notes = [
    unsaved.includes('phrase') && msg('To back up your wallets, write down the 12 words in Settings.'),
    unsaved.includes('key') &&
      msg('The 12 words do not hold imported wallets. To back one up, export its key and keep it safe.'),
  ];
  return notes.flatMap((text) => (text ? [html`<p class="sm muted">${text}</p>`] : []));
}
