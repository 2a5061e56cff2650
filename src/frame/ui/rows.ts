/** Lists of settings and wallets: their rows, and the notes below them. Needs `listStyles`. */
import { css, html, nothing, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { msg, str } from '../../base/localize.ts';
import type { Network, NetworkKind } from '../../chains/network.ts';
import { holderMark, shortAddress } from '../../ui/address.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { icon } from '../../ui/icons.ts';
import { iconExternal, iconOffline } from '../../ui/list-icons.ts';
import { listOf } from '../../ui/text.ts';
import { cardStyles } from './card-styles.ts';

/** Cards and their rows. */
export const listStyles = [
  cardStyles,
  css`
    .rows > li { display: flex; align-items: center; gap: var(--_s3); min-block-size: 60px; padding: var(--_s2) var(--_s3); }
    .rows > * + * { border-block-start: 1px solid var(--_border); }
    .row-main { flex: 1 1 0; min-inline-size: 0; line-height: 1.3; }
    .row-main > * { display: block; }
    .row-main .tag { margin-block: 1px; }
  `,
];

export const optionStyles = css`
  .rows > li { padding-inline: 14px; }
  .rows .i { color: var(--_text-2); }
  @container frame (max-width: 339px) { .rows > li { flex-wrap: wrap; padding-inline: var(--_s3); } .rows .row-main { flex-basis: 130px; } }
`;

/** A row of settings: name, state, and a control. */
export function optionRow(
  mark: SVGTemplateResult,
  name: string,
  note: string,
  control: TemplateResult,
): TemplateResult {
  return html`<li>
    ${icon(mark)}
    <span class="row-main"><span class="strong">${name}</span><span class="sm muted">${note}</span></span>
    ${control}
  </li>`;
}

/** The address of the wallet's own page, in the parent of this page's folder: nothing in it is secret. */
export const ownPageUrl = (): string => new URL('../', location.href).href;

/** Leads from a page's dialog or window to the wallet by itself. */
export function ownPageLink(): TemplateResult {
  return html`<a class="btn text" href=${ownPageUrl()} target="_blank" rel="noopener noreferrer">
    ${icon(iconExternal(), 's')}<span>${msg('Open my wallet')}</span>
  </a>`;
}

/** On the wallet's own page: where the user's wallets of the service are. `sites`: their names. */
export function servedNote(sites: readonly string[]): TemplateResult | typeof nothing {
  if (!sites.length) return nothing;
  return html`<p class="sm muted">${msg(str`Service wallets are not on this page. They are where you signed in: ${listOf(sites)}.`)}</p>`;
}

/** At the end of a row. `name`: its accessible name, if `text` alone is not clear. */
export function optionButton(text: string, act: () => void, name = text): TemplateResult {
  return html`<button type="button" class="btn quiet" aria-label=${name} @click=${act}><span>${text}</span></button>`;
}

export function optionCard(rows: unknown): TemplateResult {
  return html`<div class="card"><ul class="rows">${rows}</ul></div>`;
}

// Marks wallets whose coins are not real money.

export function kindName(kind: NetworkKind): string | undefined {
  if (kind === 'testnet') return msg('Testnet');
  return kind === 'local' ? msg('Local') : undefined;
}

/** Next to a wallet's address. Empty on a live network. Needs `cardStyles`. */
export function networkTag(network: Network | undefined): TemplateResult | typeof nothing {
  // Its network was removed from `networks.json`.
  if (!network) return html` <span class="tag bad">${msg('Unavailable')}</span>`;
  const name = kindName(network.kind);
  return name ? html` <span class="tag" title=${network.name}>${name}</span>` : nothing;
}

/** Value of a filter that takes all networks. */
export const ALL = '';

/** The options of a `<select>` of a wallet's networks. `about`: what is said of a network beside its name. */
export function networkOptions(
  networks: readonly Network[],
  chosen: string,
  about: (network: Network) => string | undefined = () => undefined,
): TemplateResult[] {
  return networks.map((network) => {
    const { id, name } = network;
    const more = about(network);
    return html`<option value=${id} ?selected=${id === chosen}>${name}${more ? ` · ${more}` : nothing}</option>`;
  });
}

/** Filters a list by network. Nothing for a wallet that is on one. Needs `fieldStyles`. */
export function networkFilter(
  networks: readonly Network[],
  chosen: string,
  choose: (id: string) => void,
): TemplateResult | typeof nothing {
  if (networks.length < 2) return nothing;
  return html`<select
    class="input"
    aria-label=${msg('Network')}
    .value=${chosen}
    @change=${({ target }: Event) => choose((target as HTMLSelectElement).value)}
  >
    <option value=${ALL} ?selected=${chosen === ALL}>${msg('All networks')}</option>
    ${networkOptions(networks, chosen)}
  </select>`;
}

/** Shows which wallet a view is about. Needs `chainStyles` and `listStyles`. */
export function walletLine(wallet: Wallet): TemplateResult {
  const { secretType, alias, address } = wallet;
  return html`<div class="line">
    ${chainBadge(secretType, 'l')}
    <span class="row-main">
      <span class="strong">${alias}</span>
      <span class="sm muted">${shortAddress(address)}${holderMark(wallet)}</span>
    </span>
  </div>`;
}

/** For `troubleLine`. */
export const troubleStyles = css`
  .card.line { flex-wrap: wrap; }
  .card.line > .grow { min-inline-size: 150px; }
`;

/** Why service wallets are missing from a list. */
export type Trouble = 'unreachable' | 'signed-out' | undefined;

/** Below a list of wallets: what the holder marks in it mean. */
export function holderNotes(wallets: readonly Wallet[]): TemplateResult[] {
  const has = (type: Wallet['walletType']): boolean => wallets.some(({ walletType }) => walletType === type);
  const notes = [
    has('THREEWAY_SHARED') &&
      msg(
        'Service wallets: the wallet service keeps the key, and only the PIN that you type on your devices opens it.',
      ),
    has('WHITE_LABEL') &&
      msg('App wallets: the site’s operator made them, knows their PIN and can use them.'),
    (has('THREEWAY_SHARED') || has('WHITE_LABEL')) &&
      has('BROWSER') &&
      msg('The others have their keys in this browser only.'),
  ];
  return notes.flatMap((text) => (text ? [html`<p class="sm muted">${text}</p>`] : []));
}

/** A single, plain line. Needs `cardStyles` and `troubleStyles`. */
export function troubleLine(
  trouble: Trouble,
  busy: boolean,
  retry: () => void,
): TemplateResult | typeof nothing {
  if (!trouble) return nothing;
  return html`<div class="card padded line" role="status">
    ${icon(iconOffline(), 's')}
    <span class="sm muted grow">${
      trouble === 'unreachable'
        ? msg('The wallet service does not answer. Wallets in this browser work as usual.')
        : msg('The site gave no access to your service wallets. Sign in there again.')
    }</span>
    <button type="button" class="btn ghost" ?disabled=${busy} @click=${retry}><span>${msg('Try again')}</span></button>
  </div>`;
}

/** Wallets of the user's account that this browser does not recognize as the user's own yet. Needs `cardStyles`. */
export function elsewhereCard(
  count: number,
  busy: boolean,
  enrol: () => void,
): TemplateResult | typeof nothing {
  if (count === 0) return nothing;
  return html`<section class="card padded stack" aria-labelledby="elsewhere">
    <div class="line">
      <h2 class="strong grow" id="elsewhere">${msg('These wallets were made elsewhere')}</h2>
      <span class="tag">${count}</span>
    </div>
    <p class="sm muted">${msg(
      'Your account at the wallet service has wallets that were not made in this browser. Your recovery code and your PIN show that they are yours.',
    )}</p>
    <p class="sm muted">${msg(
      'If you never made one, do not use them or give their addresses to anybody, and tell the site.',
    )}</p>
    <button type="button" class="btn secondary block" ?disabled=${busy} @click=${enrol}>
      <span>${msg('Use them here')}</span>
    </button>
  </section>`;
}
