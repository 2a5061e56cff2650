import { css, html, nothing, type TemplateResult } from 'lit';
import { language, msg, str } from '../../base/localize.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { icon } from '../../ui/icons.ts';
import { iconGlobe } from '../../ui/list-icons.ts';
import type { LinkedSite } from '../../wallets/types.ts';
import { siteName } from '../shell/origin.ts';
import { cardStyles } from '../ui/card-styles.ts';
import { head } from '../ui/head.ts';
import { optionButton, optionCard, optionStyles } from '../ui/rows.ts';
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
    cardStyles,
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
