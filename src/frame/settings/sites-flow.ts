/** The sites that see wallets, in Settings. */
import { msg, language, str } from '../../base/localize.ts';
import type { Vault, LinkedSite } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { tellSite } from '../shell/site-wallets.ts';
import { badgeQuestion } from '../ui/question-view.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from '../../ui/decorators.ts';
import { icon } from '../../ui/icons.ts';
import { iconGlobe } from '../../ui/list-icons.ts';
import { siteName } from '../shell/origin.ts';
import { head } from '../ui/head.ts';
import { listStyles, optionButton, optionCard, optionStyles } from '../ui/rows.ts';
import { FrameView } from '../ui/view.ts';

/** A site with the names of the wallets that it sees. */
export interface ListedSite extends LinkedSite {
  names: readonly string[];
}

export interface SitesEvents {
  'cbf-disconnect': { origin: string };
  'cbf-disconnect-all': null;
  /** Back, Esc. */
  'cbf-back': null;
}

/** The sites that see wallets. */
@customElement('cbf-sites')
export class SitesView extends FrameView<SitesEvents> {
  static override styles = [
    FrameView.styles,
    listStyles,
    optionStyles,
    css`
      .row-main > * { overflow-wrap: anywhere; }
    `,
  ];

  @property({ attribute: false }) sites: readonly ListedSite[] = [];

  protected override readonly escape = 'cbf-back';

  #row(site: ListedSite): TemplateResult {
    const { origin, names } = site;
    const name = siteName(origin);
    const act = (): void => this.emit('cbf-disconnect', { origin });
    const list = new Intl.ListFormat(language, { type: 'unit' }).format(names);
    return html`<li>
      ${icon(iconGlobe())}
      <span class="row-main">
        <bdi class="strong">${name}</bdi>
        <span class="sm">${list}</span>
        ${times(site).map((text) => html`<span class="sm muted">${text}</span>`)}
      </span>
      ${optionButton(msg('Disconnect'), act, msg(str`Disconnect ${name}`))}
    </li>`;
  }

  protected override render(): TemplateResult {
    const { sites } = this;
    return this.layout({
      body: html`${head(this, msg('Sites'))}
        <p class="muted sm">${
          sites.length
            ? msg(
                'They see the addresses of these wallets, and can ask you for payments and signatures. A site that you disconnect keeps what it has seen.',
              )
            : msg('No site sees your wallets.')
        }</p>
        ${sites.length ? optionCard(sites.map((site) => this.#row(site))) : nothing}`,
      foot:
        sites.length > 1
          ? html`<button
              type="button"
              class="btn secondary lg block"
              @click=${() => this.emit('cbf-disconnect-all')}
            ><span>${msg('Disconnect all sites')}</span></button>`
          : undefined,
    });
  }
}

/** When it was linked, and when the user last approved something for it. */
function times({ since, approvedAt }: LinkedSite): string[] {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  return [
    ...(since === undefined ? [] : [msg(str`Linked ${format.format(since)}`)]),
    approvedAt === undefined ? msg('Nothing approved') : msg(str`Last approval ${format.format(approvedAt)}`),
  ];
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-sites': SitesView;
  }
}

/**
 * Sites that see a wallet. A wallet of the service counts for the site of this frame only: what it shows to others is known with their
 * access alone.
 */
export async function linkedSites({ link }: Frame, vault: Vault): Promise<ListedSite[]> {
  const [sites, all, here] = await Promise.all([vault.sites(), vault.wallets(), vault.linked(link.origin)]);
  const others = sites.filter(({ origin }) => origin !== link.origin);
  const own = sites.find(({ origin }) => origin === link.origin);
  const listed = here.length
    ? [{ ...own, origin: link.origin, walletIds: here.map(({ id }) => id) }, ...others]
    : others;
  return listed.map((site) => ({
    ...site,
    names: all.filter(({ id }) => site.walletIds.includes(id)).map(({ alias }) => alias),
  }));
}

/** Resolves on Back. */
export async function showSites(frame: Frame, vault: Vault, options: OpenOptions): Promise<void> {
  const view = new SitesView();
  for (;;) {
    view.sites = await linkedSites(frame, vault);
    const { type, detail } = await frame.stage
      .open(view, options)
      .next('cbf-disconnect', 'cbf-disconnect-all', 'cbf-back');
    if (type === 'cbf-back') return;
    if (type === 'cbf-disconnect') await disconnect(frame, vault, [detail.origin]);
    else if (await wantsAll(frame, options))
      await disconnect(
        frame,
        vault,
        view.sites.map(({ origin }) => origin),
      );
    else continue;
    frame.stage.shell.say({ text: msg('Disconnected') });
  }
}

async function disconnect(frame: Frame, vault: Vault, origins: string[]): Promise<void> {
  const { link, networks } = frame;
  for (const origin of origins)
    if (origin === link.origin) await vault.setLinked(origin, []);
    else await vault.unlinkSite(origin);
  if (origins.includes(link.origin)) await tellSite(link, networks, vault);
}

async function wantsAll(frame: Frame, options: OpenOptions): Promise<boolean> {
  const view = badgeQuestion<'cbf-disconnect-all' | 'cbf-back'>('cbf-back', () => ({
    badge: ['warn', iconGlobe()],
    heading: msg('Disconnect all sites?'),
    text: msg('No site sees your wallets then. You can link them again on each site.'),
    buttons: [
      { text: msg('Keep them'), event: 'cbf-back', look: 'secondary' },
      { text: msg('Disconnect all sites'), event: 'cbf-disconnect-all', look: 'primary' },
    ],
    stacked: true,
  }));
  const { type } = await frame.stage.open(view, options).next('cbf-disconnect-all', 'cbf-back');
  return type === 'cbf-disconnect-all';
}
