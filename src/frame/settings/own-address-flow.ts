/** "Use on another device": the address of the wallet's own page, as a code. There, what the user keeps outside of this browser opens it. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { msg } from '../../base/localize.ts';
import { qrCode } from '../../ui/qr-code.ts';
import type { Frame } from '../frame.ts';
import { QuestionView } from '../ui/question-view.ts';
import { listStyles, ownPageLink, ownPageUrl } from '../ui/rows.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { type Backups, waysBack } from './settings-view.ts';

const codeStyles = css`
  .code { display: grid; justify-items: center; gap: 10px; padding: 14px 12px; }
  .qr { inline-size: min(176px, 100%); border-radius: var(--_r-sm); forced-color-adjust: none; }
  .at { max-inline-size: 100%; overflow-wrap: anywhere; text-align: center; }
`;

/** Resolves on Back. `backups`: what the user has outside of this browser. */
export async function showOwnAddress(
  { stage, link }: Frame,
  backups: Backups,
  options: OpenOptions,
): Promise<void> {
  const view = ownAddress(ownPageUrl(), backups, link.origin !== location.origin);
  await stage.open(view, options).next('cbf-back');
}

/** `leads`: this is another page than the one at `url`. */
export function ownAddress(url: string, backups: Backups, leads: boolean): QuestionView<'cbf-back'> {
  return new QuestionView<'cbf-back'>(
    'cbf-back',
    () => ({
      heading: msg('Use on another device'),
      text: msg('Scan this code there. It opens your wallet’s own page. The code itself holds no secret.'),
      details: html`<div class="card code">
          ${qrCode(url, msg('QR code of the address of your wallet'))}
          <bdi dir="ltr" class="strong at">${url.replace(/^https:\/\/|\/$/g, '')}</bdi>
        </div>
        ${waysThere(backups)}
        ${leads ? html`<p>${ownPageLink()}</p>` : nothing}`,
      buttons: [{ text: msg('Done'), event: 'cbf-back', look: 'primary' }],
      stacked: true,
    }),
    [listStyles, codeStyles],
  );
}

/** The same as the table in Settings has, without what this user lacks. */
function waysThere(backups: Backups): TemplateResult {
  const ways = waysBack(backups).filter(({ isThere }) => isThere);
  if (!ways.length)
    return html`<p class="sm muted">${
      backups.copy
        ? msg(
            'Nothing brings your wallets there yet. In Settings, keep an encrypted copy, save the back-up file or write down your 12 words.',
          )
        : msg(
            'Nothing brings your wallets there yet. In Settings, save the back-up file or write down your 12 words.',
          )
    }</p>`;
  return html`<h2 class="sm strong">${msg('What brings your wallets there')}</h2>
    <div class="card"><ul class="rows">${ways.map(
      ({ name, state, needs = state }) => html`<li>
        <span class="row-main"><span class="strong">${name}</span></span> <span class="sm muted">${needs}</span>
      </li>`,
    )}</ul></div>`;
}
