/** What `<transfer-dialog>` shows in some cases only. It is loaded once the form is there. */
import { html, type TemplateResult } from 'lit';
import { iconCaution } from '../ui/base-icons.ts';
import { icon } from '../ui/icon.ts';
import { msg } from '../ui/localize.ts';
import type { TransferDialog } from './transfer-dialog.ts';

/** Closing asks once. */
export function discard(keep: () => void, drop: () => void): TemplateResult {
  return html`<div class="alert caution" role="alert">${icon(iconCaution())}<div class="grow"><b>${msg('Close without sending?')}</b><p>${msg('What you entered is not kept.')}</p><div class="line"
    ><button type="button" class="btn secondary mini" @click=${keep}>${msg('Keep editing')}</button
    ><button type="button" class="btn secondary mini" @click=${drop}>${msg('Discard')}</button></div></div></div>`;
}

/** Linking is another request: its events are not this element's. */
export function unlinked({ walletId, secretType, current, theme }: TransferDialog): TemplateResult {
  const own = (event: Event) => event.stopPropagation();
  const title = walletId
    ? msg('This wallet is not linked to this site')
    : msg('No wallet is linked to this site');
  return html`<div class="body center" @connect-request=${own} @connect-progress=${own} @connect-result=${own} @connect-cancel=${own} @connect-error=${own}><div><p class="strong">${title}</p><p class="sm muted">${msg('Connect it to send from it here.')}</p></div
    ><link-wallets .connect=${current} .theme=${theme} .secretTypes=${secretType ? [secretType] : undefined}></link-wallets></div>`;
}
