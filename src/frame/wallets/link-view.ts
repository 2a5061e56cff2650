import { css, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { Network } from '../../chains/network.ts';
import { CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import { shortAddress, shortText } from '../../ui/address.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { holderName, holderMark } from '../../ui/holder-mark.ts';
import { msg, str } from '../../ui/localize.ts';
import type { Unsaved } from '../../wallets/types.ts';
import { cardStyles } from '../ui/card-styles.ts';
import { chainStyles } from '../ui/chain-styles.ts';
import { ConsentView } from '../ui/consent-view.ts';
import { elsewhereCard, holderNotes, type Trouble, troubleLine } from '../ui/holder-notes.ts';
import { networkTag } from '../ui/network-tag.ts';
import { type CoveredEvents, FrameView } from '../ui/view.ts';
import { backupMark } from './backup-mark.ts';
import { checkStyles } from './check-styles.ts';
import { type Holding, holding } from './holding.ts';

export interface LinkEvents extends CoveredEvents {
  /** Link wallets, fired by a trusted event on a view in plain sight. Read `chosen`. */
  'cbf-link': null;
  /** Close, if there is no wallet to link. */
  'cbf-done': null;
  /** Asks the wallet service again. */
  'cbf-retry': null;
  /** Use the wallets that were made elsewhere. */
  'cbf-enrol': null;
  'cbf-reject': null;
}

/** Which wallets a site may see, by chain. */
@customElement('cbf-link')
export class LinkView extends ConsentView<LinkEvents> {
  static override styles = [
    FrameView.styles,
    cardStyles,
    chainStyles,
    checkStyles,
    css`
      fieldset > .line { padding: 8px 12px; gap: 12px; background: var(--_surface-2); border-radius: 11px 11px 0 0; min-block-size: 44px; }
      fieldset > .rows { border-block-start: 1px solid var(--_border); }
      .net { display: inline-flex; align-items: center; gap: 6px; font-size: var(--_fs-sm); font-weight: 560; color: var(--_text-2); white-space: nowrap; }
      .held > .strong { font-weight: 400; color: var(--_text-2); }
      .rows > li { min-block-size: 50px; padding-block: 0; position: relative; }
      label.row-main { cursor: pointer; padding-block: 6px; }
      label.row-main::after { content: ""; position: absolute; inset: 0; }
      .check { position: relative; z-index: 1; }
      .none { display: grid; justify-items: center; gap: 10px; text-align: center; padding: 28px var(--_s4); }
    `,
  ];

  @property() site = '';
  @property({ attribute: false }) wallets: readonly Wallet[] = [];
  @property({ attribute: false }) chosen: ReadonlySet<string> = new Set();
  @property({ attribute: false }) balances: ReadonlyMap<string, Holding> = new Map();
  /** By wallet id. */
  @property({ attribute: false }) networks: ReadonlyMap<string, Network> = new Map();
  /** Wallets that are not backed up, by id. */
  @property({ attribute: false }) unsaved: ReadonlyMap<string, Unsaved> = new Map();
  /** Why service wallets are missing. */
  @property({ attribute: false }) trouble: Trouble;
  /** How many service wallets this browser does not take for the user's own yet. */
  @property({ attribute: false }) elsewhere = 0;
  /** Chains that the site asks for and the user has no wallet on. */
  @property({ attribute: false }) missing: readonly SecretType[] = [];

  #before: boolean | undefined;

  protected override readonly escape = 'cbf-reject';

  override connectedCallback(): void {
    super.connectedCallback();
    // A user who unlinks everything has to be able to confirm that.
    this.#before ??= this.chosen.size > 0;
  }

  #choose(ids: readonly string[], on: boolean): void {
    const next = new Set(this.chosen);
    for (const id of ids) {
      if (on) next.add(id);
      else next.delete(id);
    }
    this.chosen = next;
  }

  #link(event: Event): void {
    if (this.busy || !this.#ready || !this.allows(event)) return;
    this.busy = true;
    this.emit('cbf-link');
  }

  get #ready(): boolean {
    return this.armed && !this.busy && (this.chosen.size > 0 || !!this.#before);
  }

  #group(secretType: SecretType): TemplateResult {
    const wallets = this.wallets.filter((wallet) => wallet.secretType === secretType);
    const ids = wallets.map(({ id }) => id);
    const on = ids.filter((id) => this.chosen.has(id)).length;
    const chain = CHAIN_NAMES[secretType];
    return html`<fieldset class="card">
      <legend class="sr">${chain}</legend>
      <div class="line">
        <input type="checkbox" class="check" aria-label=${msg(str`All ${chain} wallets`)} .checked=${on === ids.length}
          .indeterminate=${on > 0 && on < ids.length}
          @change=${(event: Event) => this.#choose(ids, (event.target as HTMLInputElement).checked)} />
        <span class="net">${chainBadge(secretType, 's')}${chain}</span>
      </div>
      <ul class="rows">${wallets.map((wallet) => this.#wallet(wallet))}</ul>
    </fieldset>`;
  }

  #wallet(wallet: Wallet): TemplateResult {
    const { id, alias, address } = wallet;
    const unsaved = this.unsaved.get(id);
    const name = [alias, shortText(address), holderName(wallet)].filter(Boolean).join(', ');
    return html`<li>
      <input type="checkbox" class="check" id=${id} aria-label=${unsaved ? `${name}, ${msg('not backed up')}` : name} .checked=${this.chosen.has(id)}
        @change=${(event: Event) => this.#choose([id], (event.target as HTMLInputElement).checked)} />
      <label for=${id} class="row-main">
        <span class="strong trunc">${alias}</span><span class="sm muted">${shortAddress(address)}${networkTag(this.networks.get(id))}${holderMark(wallet)}${backupMark(unsaved)}</span>
      </label>
      ${holding(this.balances.get(id))}
    </li>`;
  }

  #missing(secretType: SecretType): TemplateResult {
    return html`<div class="card none">
      ${chainBadge(secretType, 'l')}
      <div>
        <p class="strong">${noWallet(secretType)}</p>
        <p class="sm muted">${msg('The site asks for one. Create or import it with “Manage wallets” on the site.')}</p>
      </div>
    </div>`;
  }

  /** Several chains in one card: a large one each would push the wallets out of sight. */
  #allMissing(): TemplateResult {
    return html`<div class="card">
        <ul class="rows">
          ${this.missing.map(
            (secretType) =>
              html`<li>${chainBadge(secretType)}<span class="row-main">${noWallet(secretType)}</span></li>`,
          )}
        </ul>
      </div>
      <p class="sm muted">${msg('The site asks for them. Create or import them with “Manage wallets” on the site.')}</p>`;
  }

  protected override render(): TemplateResult {
    const chains = [...new Set(this.wallets.map(({ secretType }) => secretType))];
    const none = !this.wallets.length && !this.missing.length && !this.elsewhere;
    return this.layout({
      body: html`<h1 class="h1" tabindex="-1">${msg(html`<bdi>${this.site}</bdi> wants to see your wallets`)}</h1>
        ${
          this.wallets.length
            ? html`<p class="sm muted">${msg(
                'It will see the address and balance of each wallet you choose. It cannot move anything without your PIN or passkey.',
              )}</p>`
            : nothing
        }
        ${chains.map((chain) => this.#group(chain))}
        ${troubleLine(this.trouble, this.busy, () => this.emit('cbf-retry'))} ${holderNotes(this.wallets)}
        ${elsewhereCard(this.elsewhere, this.busy, () => this.emit('cbf-enrol'))}
        ${this.missing.length > 1 ? this.#allMissing() : this.missing.map((chain) => this.#missing(chain))}
        ${
          none
            ? html`<div class="card none">
                <div>
                  <p class="strong">${msg('You have no wallet yet')}</p>
                  <p class="sm muted">${msg('Create or import one with “Manage wallets” on the site.')}</p>
                </div>
              </div>`
            : nothing
        }`,
      foot: this.wallets.length
        ? this.#foot()
        : html`<button type="button" class="btn secondary lg block"
            @click=${() => this.emit('cbf-done')}>${msg('Close')}</button>`,
    });
  }

  #foot(): TemplateResult {
    return html`<p class="sm muted" aria-live="polite">${msg(str`${this.chosen.size} of ${this.wallets.length} wallets chosen`)}</p>
      <div class="actions">
        <button type="button" class="btn secondary lg" ?disabled=${this.busy} @click=${() => this.emit('cbf-reject')}>${msg('Reject')}</button>
        <button type="button" class="btn primary lg" ?disabled=${!this.#ready} @click=${this.#link}>${msg('Link wallets')}</button>
      </div>`;
  }
}

function noWallet(secretType: SecretType): string {
  return msg(str`You have no ${CHAIN_NAMES[secretType]} wallet`);
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-link': LinkView;
  }
}
