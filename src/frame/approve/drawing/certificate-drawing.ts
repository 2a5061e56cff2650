/** Draws a certificate (VIP-192): its purpose, the site it is for, and its full text. */
import { html } from 'lit';
import type { CertificateSigning } from '../../../chains/approval/signing.ts';
import { holderMark } from '../../../ui/holder-mark.ts';
import { msg, str } from '../../../base/localize.ts';
import { kv } from '../../ui/kv.ts';
import { party } from './blocks.ts';
import { comparison, signInNotices, signInStyles } from './sign-in-drawing.ts';
import type { Draws, SignatureDrawing, Surroundings } from './signature-drawing.ts';
import { walletName } from './summary.ts';

function drawCertificate(
  { purpose, text, domain, mismatches }: CertificateSigning,
  around: Surroundings,
): SignatureDrawing {
  const { wallet, site } = around;
  const identifies = purpose === 'identification';
  const elsewhere = mismatches?.find(({ what }) => what === 'domain');
  return {
    title: elsewhere
      ? msg('Sign in to another site')
      : identifies
        ? msg('Identify yourself')
        : msg('Agree to a text'),
    sub: identifies ? msg(str`shows ${site} that this wallet is yours`) : msg(str`asked for by ${site}`),
    notices: mismatches ? signInNotices(mismatches, around) : [],
    body: html`${mismatches?.map((mismatch) => comparison(mismatch, around))}
      <div class="card"><cbf-long-text class="message" dir="auto" must .text=${text}></cbf-long-text></div>
      <dl class="card">${party(msg('With'), html`${walletName(wallet)}${holderMark(wallet)}`)}</dl>
      <div class="card rows-card">${kv([
        { term: msg('Certificate for'), value: html`<bdi dir="ltr">${domain}</bdi>` },
        { term: msg('Dated'), value: msg('when you approve') },
      ])}</div>`,
    effect: mismatches
      ? { term: msg('At risk'), value: msg(str`your account at ${elsewhere?.named ?? site}`), risk: true }
      : { term: msg('Sign a certificate'), value: msg(str`as ${wallet.alias}`) },
    total: { term: msg('Costs nothing'), value: mismatches ? '' : msg('moves nothing') },
  };
}

export const certificateDrawing: Draws<CertificateSigning> = { styles: signInStyles, draw: drawCertificate };
