/** "Use on another device": the address of the wallet's own page, as a code. There, what the user keeps outside of this browser opens it. */
import { css, html, nothing } from 'lit';
import { msg } from '../../base/localize.ts';
import { qrCode } from '../../ui/qr-code.ts';
import type { Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { cardStyles } from '../ui/card-styles.ts';
import { QuestionView } from '../ui/question-view.ts';
import { ownPageLink, ownPageUrl } from '../ui/rows.ts';
import type { OpenOptions } from '../ui/screen.ts';

const codeStyles = css`
  .code { display: grid; justify-items: center; gap: 10px; padding: 14px 12px; }
  .qr { inline-size: min(176px, 100%); border-radius: var(--_r-sm); forced-color-adjust: none; }
  .at { max-inline-size: 100%; overflow-wrap: anywhere; text-align: center; }
`;

/** Resolves on Back. */
export async function showOwnAddress(
  { stage, link }: Frame,
  vault: Vault,
  options: OpenOptions,
): Promise<void> {
  const { backedUp } = await vault.state();
  const view = ownAddress(ownPageUrl(), backedUp, link.origin !== location.origin);
  await stage.open(view, options).next('cbf-back');
}

/** `backedUp`: the user has the words. `leads`: this is another page than the one at `url`. */
export function ownAddress(url: string, backedUp: boolean, leads: boolean): QuestionView<'cbf-back'> {
  return new QuestionView<'cbf-back'>(
    'cbf-back',
    () => ({
      heading: msg('Use on another device'),
      text: msg(
        'Scan this code there. It opens your wallet’s own page, where your 12 words or your back-up file bring your wallets. The code itself holds no secret.',
      ),
      details: html`<div class="card code">
          ${qrCode(url, msg('QR code of the address of your wallet'))}
          <bdi dir="ltr" class="strong at">${url.replace(/^https:\/\/|\/$/g, '')}</bdi>
        </div>
        ${
          backedUp
            ? nothing
            : html`<p class="sm muted">${msg('You have not checked the 12 words yet: Show words, in Settings, has them.')}</p>`
        }
        ${leads ? html`<p>${ownPageLink()}</p>` : nothing}`,
      buttons: [{ text: msg('Done'), event: 'cbf-back', look: 'primary' }],
      stacked: true,
    }),
    [cardStyles, codeStyles],
  );
}
