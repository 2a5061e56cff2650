/** What an element shows if the wallet could not open, its answer was lost, or the request failed. */
import { html, nothing, type SVGTemplateResult, type TemplateResult } from 'lit';
import { type ConnectError, type ErrorDetails, mayBeSent } from '../base/errors.ts';
import { inAppBrowser } from '../base/in-app-browser.ts';
import { msg, str } from '../base/localize.ts';
import { warn } from '../base/warn.ts';
import { icon, iconCaution, iconDanger, iconInfo } from '../ui/icons.ts';
import { writeText } from '../ui/clipboard.ts';
import { iconExternal, iconWindow } from '../ui/list-icons.ts';
import { type Blocked, type ConnectElement, ignore } from './connect-element.ts';

/** `failed` is the title for a failure; without it, only failures to open the wallet are shown. */
export function trouble(
  element: ConnectElement,
  failed?: string,
  again = true,
): TemplateResult | typeof nothing {
  const { status } = element;
  if (status.kind === 'blocked') {
    const { reason, open } = status;
    const press = () => {
      element.status = { kind: 'waiting' };
      open();
    };
    return blocked(reason, press, () => element.cancel());
  }
  if (status.kind === 'rejected') {
    const retry = again ? openButton(() => element.onPress(), 'secondary mini') : nothing;
    return html`<div
      class="alert caution"
      role="alert"
      part="panel"
    >${icon(iconCaution())}<div class="grow"><b>${msg('Your wallet window was closed')}</b><p>${msg('Nothing was approved.')}</p>${retry}</div></div>`;
  }
  if (status.kind !== 'lost' && status.kind !== 'failed') return nothing;
  const requestId = status.kind === 'lost' ? status.requestId : status.error.details?.['requestId'];
  if (typeof requestId === 'string' && (status.kind === 'lost' || mayBeSent(status.error))) {
    const check = () => {
      element
        .start(status.action, { requestId }, (connect, options) => connect.resume(requestId, options))
        .catch(ignore);
    };
    return html`<div class="alert" role="alert" part="panel">${icon(iconInfo())}<div class="grow"><b>${msg('The answer did not arrive')}</b><p>${msg('What you approved may have gone through. Look it up before you try again.')}</p><button
      type="button"
      part="button button-quiet"
      class="btn secondary mini"
      @click=${check}
    >${msg('Check in wallet')}</button></div></div>`;
  }
  if (status.kind === 'lost') return nothing;
  if (status.error.details['reason'] === 'in-app') return openElsewhere(inAppBrowser() ?? '');
  const cannotOpen = status.error.code.startsWith('frame.') || namesNoNetwork(status.error);
  const title = failed ?? (cannotOpen && msg('The wallet could not open'));
  if (!title) return nothing;
  const retry = html`<button
    type="button"
    class="btn secondary mini"
    @click=${() => element.onPress()}
  >${msg('Try again')}</button>`;
  return html`<div
    class="alert danger"
    role="alert"
    part="panel"
  >${icon(iconDanger())}<div class="grow"><b>${title}</b><p>${reasonOf(status.error)}</p>${again ? retry : nothing}</div></div>`;
}

/** `open` runs inside the user's click. */
export function blocked(reason: Blocked['reason'], open: () => void, cancel: () => void): TemplateResult {
  const [title, text] = BLOCKED[reason]();
  const leave = html`<button type="button" class="btn ghost" @click=${cancel}>${msg('Cancel')}</button>`;
  if (reason === 'behind')
    return html`<div
      class="alert mid"
      role="alert"
      part="panel"
    >${icon(iconWindow())}<div class="grow"><b>${title}</b><p>${text}</p></div>${button(open, msg('Show window'), undefined, 'secondary')}</div>
    <div class="line after">${leave}</div>`;
  const app = inAppBrowser();
  if (app !== undefined) return openElsewhere(app, html`${openButton(open, 'secondary')}${leave}`);
  return html`<div
    class="alert caution"
    role="alert"
    part="panel"
  >${icon(iconWindow())}<div class="grow"><b>${title}</b><p>${text}</p></div></div>
    <div class="line after">${openButton(open)}${leave}</div>`;
}

/** The address that was copied last. */
let copiedAddress = '';

async function copyAddress({ currentTarget }: Event): Promise<void> {
  const { host } = (currentTarget as Element).getRootNode() as ShadowRoot;
  if (!(await writeText(location.href))) return;
  copiedAddress = location.href;
  (host as ConnectElement).requestUpdate();
}

/** Another app shows this page. `app`: its name, or empty. */
function openElsewhere(app: string, others: TemplateResult | typeof nothing = nothing): TemplateResult {
  const text = app
    ? msg(str`${app} can read everything on this page. Your wallet opens in your browser.`)
    : msg('The app around this page can read everything on it. Your wallet opens in your browser.');
  const label = copiedAddress === location.href ? msg('Address copied') : msg('Copy address');
  return html`<div
    class="alert caution"
    role="alert"
    part="panel"
  >${icon(iconExternal())}<div class="grow"><b>${msg('Open this page in your browser')}</b><p>${text}</p></div></div>
    <div class="line after">${button(copyAddress, label)}${others}</div>`;
}

const openButton = (open: () => void, look?: string): TemplateResult =>
  button(open, msg('Open in a window'), iconExternal(), look);

function button(
  act: (event: Event) => void,
  label: string,
  mark?: SVGTemplateResult,
  look = 'primary',
): TemplateResult {
  return html`<button
    type="button"
    part="button button-${look.startsWith('p') ? 'primary' : 'quiet'}"
    class="btn ${look}"
    @click=${act}
  >${mark ? icon(mark) : nothing}<span>${label}</span></button>`;
}

const BLOCKED: Record<Blocked['reason'], () => [title: string, text: string]> = {
  popup: () => [
    msg('Your browser blocked the wallet window'),
    msg('Open it yourself, or allow pop-ups for this site.'),
  ],
  csp: () => [
    msg('This site does not allow the wallet'),
    msg('Its settings keep the wallet out of the page. It opens safely in its own window.'),
  ],
  silent: () => [
    msg('Your wallet does not answer in this page'),
    msg('Something may block it here. Try it in its own window.'),
  ],
  window: () => [
    msg('Your wallet needs its own window'),
    msg('This browser keeps wallets away from embedded pages. It opens safely in its own window.'),
  ],
  behind: () => [
    msg('Your wallet window is open'),
    msg('Approve there. This page then continues by itself.'),
  ],
};

/** Reasons that only the page's owner can fix. */
const NOT_SET_UP: unknown[] = ['config', 'coop', 'unreadable', 'version'];

/** The reason for the user; the page gets the error itself. */
function reasonOf(error: ConnectError): string {
  const { code, details } = error;
  switch (code) {
    case 'frame.unreachable':
    case 'frame.blocked':
      if (!NOT_SET_UP.includes(details['reason']))
        return msg('The wallet does not answer. Try again in a moment.');
      // Each error is logged once, even if `fail` has already logged it.
      warn(error);
      return notSetUp();
    case 'node.unreachable':
      return msg('The network did not answer. Try again in a moment.');
    case 'transaction.insufficient-funds':
      return msg('Not enough funds in this wallet.');
    case 'recipient.unknown':
      return unknownRecipient(error);
    case 'wallet.forbidden':
      return msg('This wallet is not linked to this site.');
    case 'transaction.refused':
      return msg('The network refused the transaction.');
    case 'policy.refused':
      return msg('The rules for this wallet do not allow it. Nothing was sent.');
    case 'service.unreachable':
      return msg('The wallet service did not answer. Try again in a moment.');
    case 'wallet.archived':
      return msg('This wallet is archived. Bring it back in your wallet first.');
    case 'chain.not-supported':
    case 'request.conflict':
    case 'request.invalid':
      if (namesNoNetwork(error)) return notSetUp();
      return msg('The site asked for something that the wallet cannot do.');
    default:
      return msg('Something went wrong. Try again in a moment.');
  }
}

const notSetUp = (): string =>
  msg('This site is not set up for the wallet. Its owner can find the reason in the browser’s console.');

/** Its `network` is not one of the wallet's. */
const namesNoNetwork = ({ code, details }: ConnectError): boolean =>
  code === 'request.invalid' &&
  (details as ErrorDetails<'request.invalid'>).issues.some(({ path }) => path === 'network');

/** Of `recipient.unknown`: only that of a name has a reason. */
export function unknownRecipient({ details }: ConnectError): string {
  return details['reason']
    ? msg('No address found for this name. Ask the recipient for an address.')
    : msg('No wallet found for this e-mail. Ask the recipient for an address.');
}
