/** Draws a sign-in (EIP-4361, or text that begins like one): which site it is for, and any mismatches; and a certificate. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { language, msg, str } from '../../../base/localize.ts';
import type {
  CertificateSigning,
  Mismatch,
  SignInMessage,
  SignInSigning,
} from '../../../chains/approval/signing.ts';
import { fullAddress, holderMark } from '../../../ui/address.ts';
import { icon, iconCheck } from '../../../ui/icons.ts';
import { visibleText, visibleTextStyles } from '../../../ui/text.ts';
import { kv, type Row } from '../../ui/kv.ts';
import { fold, party } from './blocks.ts';
import {
  type Draws,
  type Notice,
  type SignatureDrawing,
  type Surroundings,
  unprefixed,
} from './signature-drawing.ts';
import { walletName } from './summary.ts';
import { risk } from './warnings.ts';

const styles = [
  visibleTextStyles,
  css`
    .okline { display: flex; align-items: center; gap: var(--_s2); min-block-size: 32px; font-size: var(--_fs-sm); color: var(--_success); font-weight: 560; line-height: 1.3; }
    .rows-card > .kv { padding-inline: 12px; }
    .apart > .kv > div { flex-direction: column; align-items: start; gap: 2px; }
    .apart dd { text-align: start; }
    .is-not { color: var(--_danger); font-weight: 620; }
  `,
];

function drawSignIn(summary: SignInSigning, around: Surroundings): SignatureDrawing {
  const { message, mismatches } = summary;
  const { wallet, site } = around;
  const notices = [
    ...(message && !mismatches.length ? [] : signInNotices(mismatches, around)),
    ...(summary.unprefixed ? [unprefixed()] : []),
  ];
  const elsewhere = mismatches.find(({ what }) => what === 'domain');
  const fits = message !== undefined && mismatches.length === 0;
  const domain = message?.domain ?? elsewhere?.named ?? site;
  return {
    title: elsewhere ? msg('Sign in to another site') : message ? msg('Sign in') : msg('Sign a message'),
    sub: fits ? msg(str`to ${site} as ${wallet.alias}`) : msg(str`${site} asks for it`),
    notices,
    parties: html`${
      fits
        ? html`<p class="okline">${icon(iconCheck(), 's')}${msg(str`The message names ${site}, the site that asks`)}</p>`
        : mismatches.map((mismatch) => comparison(mismatch, around))
    }
      <dl class="card">${party(msg('With'), html`${walletName(wallet)}${holderMark(wallet)}`)}</dl>`,
    body: html`${message ? fields(message, summary, around) : unreadMessage(summary.text)}`,
    effect: fits
      ? { term: msg(str`Sign in to ${site}`), value: msg(str`as ${wallet.alias}`) }
      : { term: msg('At risk'), value: msg(str`your account at ${domain}`), risk: true },
    total: { term: msg('Costs nothing'), value: fits ? msg('moves nothing') : '' },
  };
}

export const signInDrawing: Draws<SignInSigning> = { styles, draw: drawSignIn };

/** `mismatches`: empty for text that only looks like a sign-in. */
function signInNotices(mismatches: readonly Mismatch[], around: Surroundings): Notice[] {
  return mismatches.length ? mismatches.map((mismatch) => noticeOf(mismatch, around)) : [lookAlike()];
}

function noticeOf({ what, named, actual }: Mismatch, { site }: Surroundings): Notice {
  const notice = (title: string, text: string, lost: string): Notice => ({
    level: 'danger',
    title,
    text,
    tick: risk(lost),
  });
  const enter = msg(str`${site} could enter my account`);
  switch (what) {
    case 'domain':
      return notice(
        msg(str`This sign-in is for ${named}`),
        msg(str`The site that asks is ${site}. With your signature it could enter your account at ${named}.`),
        enter,
      );
    case 'scheme':
      return notice(
        msg(str`This sign-in is for ${named}, not for ${actual}`),
        msg(
          'The name is the same, but only https proves whose page it is. With http, somebody between you and the site can be the one that asks.',
        ),
        enter,
      );
    case 'uri':
      return notice(
        msg('This sign-in is for a page of another site'),
        msg(str`The page that it names is not of ${site}, the site that asks.`),
        enter,
      );
    case 'address':
      return notice(
        msg('This sign-in is for another wallet'),
        msg('The message names an address that is not the wallet that signs.'),
        msg('the message is not about this wallet'),
      );
    case 'network':
      return notice(
        msg('This sign-in is for another network'),
        msg('The message names a network that this wallet is not on.'),
        msg('the message is not for this network'),
      );
    case 'expired':
      return notice(
        msg('This sign-in is no longer valid'),
        msg('It had expired before you were asked. A genuine site asks again with a new one.'),
        msg('the message has expired'),
      );
    case 'not-yet':
      return notice(
        msg('This sign-in is not valid yet'),
        msg('Your signature could be kept and used later.'),
        msg('it could be used later'),
      );
  }
}

const lookAlike = (): Notice => ({
  level: 'danger',
  title: msg('This reads like a sign-in, but is not one'),
  text: msg(
    'It is not in the format of one, so the site, the address and the times in it cannot be checked.',
  ),
  tick: risk(msg('somebody could enter an account of mine')),
});

/** Both values, side by side. */
function comparison(
  { what, named, actual, network }: Mismatch,
  { networkName }: Pick<Surroundings, 'networkName'>,
): TemplateResult {
  const labels: Record<Mismatch['what'], () => string> = {
    domain: () => msg('The site that asks'),
    scheme: () => msg('The site that asks'),
    uri: () => msg('The site that asks'),
    address: () => msg('This wallet'),
    network: () => msg('The wallet’s network'),
    expired: () => msg('Now'),
    'not-yet': () => msg('Now'),
  };
  const value = (text: string): unknown => {
    switch (what) {
      case 'address':
        return fullAddress(text);
      case 'network':
        return networkText(text === named ? network : networkName, text);
      case 'expired':
      case 'not-yet':
        return dateText(text);
      default:
        return html`<bdi dir="ltr">${text}</bdi>`;
    }
  };
  // A full address needs the full width.
  return html`<div class="card rows-card ${what === 'address' ? 'apart' : ''}">${kv([
    { term: msg('The message names'), value: html`<b>${value(named)}</b>` },
    { term: labels[what](), value: html`<span class="is-not">${value(actual)}</span>` },
  ])}</div>`;
}

/** By its trusted name: what the message calls it proves nothing. */
function networkText(name: string | undefined, chainId: string): TemplateResult {
  const id = html`<bdi dir="ltr">${msg(str`chain ID ${chainId}`)}</bdi>`;
  return name ? html`<bdi>${name}</bdi>` : id;
}

function fields(
  message: SignInMessage,
  { text, mismatches }: SignInSigning,
  { networkName }: Surroundings,
): TemplateResult {
  const { statement, uri, chainId, issuedAt, expirationTime, notBefore, nonce, requestId, resources } =
    message;
  const plain = (value: string): TemplateResult => html`<bdi dir="ltr">${value}</bdi>`;
  const elsewhere = mismatches.find(({ what }) => what === 'network');
  const rows: (Row | undefined)[] = [
    { term: msg('Page'), value: plain(uri) },
    {
      term: msg('Network'),
      value: networkText(elsewhere ? elsewhere.network : networkName, chainId),
    },
    { term: msg('Issued'), value: dateText(issuedAt) },
    expirationTime ? { term: msg('Valid until'), value: dateText(expirationTime) } : undefined,
    notBefore ? { term: msg('Not before'), value: dateText(notBefore) } : undefined,
    { term: msg('Nonce'), value: html`<bdi dir="ltr" class="mono">${nonce}</bdi>` },
    requestId ? { term: msg('Request'), value: plain(requestId) } : undefined,
    ...resources.map((resource) => ({ term: msg('Also asked for'), value: plain(resource) })),
  ];
  return html`${statement ? html`<div class="card"><p class="message" dir="auto">${visibleText(statement)}</p></div>` : nothing}
    <div class="card rows-card">${kv(rows)}</div>
    ${fold(msg('Message'), wholeMessage(text))}`;
}

function wholeMessage(text: string): TemplateResult {
  return html`<div class="card"><p class="message" dir="auto">${visibleText(text)}</p></div>`;
}

/** A message that cannot be parsed has to be read to the end. */
function unreadMessage(text: string): TemplateResult {
  return html`<div class="card"><cbf-long-text class="message" dir="auto" must .text=${text}></cbf-long-text></div>`;
}

function dateText(text: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(text),
  );
}

/** A certificate (VIP-192): its purpose, the site it is for, and its full text. */
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
        { term: msg('Date'), value: msg('when you approve') },
      ])}</div>`,
    effect: mismatches
      ? { term: msg('At risk'), value: msg(str`your account at ${elsewhere?.named ?? site}`), risk: true }
      : { term: msg('Sign a certificate'), value: msg(str`as ${wallet.alias}`) },
    total: { term: msg('Costs nothing'), value: mismatches ? '' : msg('moves nothing') },
  };
}

export const certificateDrawing: Draws<CertificateSigning> = { styles, draw: drawCertificate };
