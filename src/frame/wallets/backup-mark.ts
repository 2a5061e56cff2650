/** Marks wallets that would be lost with this browser's data. */
import { html, nothing, type TemplateResult } from 'lit';
import { msg } from '../../base/localize.ts';
import type { Unsaved } from '../../wallets/types.ts';

/** Next to a wallet's name. Needs `cardStyles`. */
export function backupMark(unsaved: Unsaved | undefined): TemplateResult | typeof nothing {
  return unsaved ? html` <span class="tag warn">${msg('Not backed up')}</span>` : nothing;
}

/** For a browser that has not promised to keep the wallet. */
export function mayDelete(): string {
  return msg(
    'This browser may delete the wallet to save space; Safari does so after 7 days without a visit. A back-up brings it back.',
  );
}

/** Below a list: what to do about the marks in it. `kept`: the browser has promised to keep its storage. */
export function backupNotes(unsaved: readonly (Unsaved | undefined)[], kept: boolean): TemplateResult[] {
  const notes = [
    !kept && unsaved.some(Boolean) && mayDelete(),
    unsaved.includes('phrase') &&
      msg(
        'To back up your wallets, write down the 12 words in Settings. If you use a passkey, the back-up file there is enough.',
      ),
    unsaved.includes('key') &&
      msg(
        'The 12 words do not hold imported wallets. To back one up, save the back-up file in Settings, or export its key and keep it safe.',
      ),
  ];
  return notes.flatMap((text) => (text ? [html`<p class="sm muted">${text}</p>`] : []));
}
