import { css, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { msg, str } from '../../base/localize.ts';
import type { Network } from '../../chains/network.ts';
import { CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import { holderMark, holderName, shortAddress, shortText } from '../../ui/address.ts';
import { alert, alertStyles } from '../../ui/alert.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { icon, iconCheck, iconPlus } from '../../ui/icons.ts';
import { iconImport } from '../../ui/list-icons.ts';
import type { Unsaved } from '../../wallets/types.ts';
import type { ChosenWallet } from '../set-up/set-up-flow.ts';
import { chainStyles } from '../ui/card-styles.ts';
import { ConsentView } from '../ui/consent-view.ts';
import { ariaDisabledStyles, reasonStyles } from '../ui/foot-styles.ts';
import {
  elsewhereCard,
  holderNotes,
  listStyles,
  networkTag,
  type Trouble,
  troubleLine,
  troubleStyles,
} from '../ui/rows.ts';
import { type CoveredEvents, FrameView } from '../ui/view.ts';
import type { DrawWorth } from '../ui/worth.ts';
import { backupMark, mayDelete } from '../ui/backup-reminder.ts';
import { type Holding, holding, holdingStyles } from './balances.ts';

/** Checkboxes, radios, and the checkbox of a dangerous approval. */
const checkStyles = css`
  .check { appearance: none; inline-size: 22px; block-size: 22px; margin: 0; flex: none; border: 1.5px solid var(--_border-strong); border-radius: var(--_r-xs); background: var(--_surface); display: grid; place-items: center; cursor: pointer; }
  .check[type="radio"] { border-radius: 50%; }
  .check:checked, .check:indeterminate:not([type="radio"]) { background: var(--_accent); border-color: var(--_accent); }
  .check:checked::after { content: ""; inline-size: 11px; block-size: 6px; border: solid var(--_on-accent); border-width: 0 0 2px 2px; transform: translateY(-1.5px) rotate(-45deg); }
  .check:indeterminate:not([type="radio"])::after { content: ""; inline-size: 10px; block-size: 2px; background: var(--_on-accent); }
  .check[type="radio"]:checked::after { inline-size: 8px; block-size: 8px; border: 0; border-radius: 50%; background: var(--_on-accent); transform: none; }
  .tick { display: flex; align-items: center; gap: 12px; min-block-size: 44px; font-size: var(--_fs-sm); cursor: pointer; }
  @media (forced-colors: active) { .check { appearance: auto; } }
`;

export interface LinkEvents extends CoveredEvents {
  /** Link wallets, fired by a trusted event on a view in plain sight. Read `chosen`. */
  'cbf-link': null;
  /** Close, if there is no wallet to link. */
  'cbf-done': null;
  /** Asks the wallet service again. */
  'cbf-retry': null;
  /** Use the wallets created elsewhere. */
  'cbf-enrol': null;
  /** Create a wallet. */
  'cbf-create': null;
  /** I have one. */
  'cbf-import': null;
  'cbf-reject': null;
}

/** Lets the user choose which wallets a site may see, by chain. */
@customElement('cbf-link')
export class LinkView extends ConsentView<LinkEvents> {
  static override styles = [
    FrameView.styles,
    listStyles,
    troubleStyles,
    holdingStyles,
    chainStyles,
    checkStyles,
    alertStyles,
    ariaDisabledStyles,
    reasonStyles,
    css`
      fieldset > .line { padding: 8px 12px; gap: 12px; background: var(--_surface-2); border-radius: 11px 11px 0 0; min-block-size: 44px; cursor: pointer; }
      fieldset > .line + .rows { border-block-start: 1px solid var(--_border); }
      .net { display: inline-flex; align-items: center; gap: 6px; font-size: var(--_fs-sm); font-weight: 560; color: var(--_text-2); white-space: nowrap; }
      .held > .strong { font-weight: 400; color: var(--_text-2); }
      .rows > li { min-block-size: 50px; padding-block: 0; position: relative; }
      label.row-main { cursor: pointer; padding-block: 6px; }
      label.row-main::after { content: ""; position: absolute; inset: 0; }
      /* The mark goes below a name that leaves no room beside it. */
      .named { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 6px; min-inline-size: 0; }
      .named .tag { flex: none; }
      .check { position: relative; z-index: 1; }
      .okline { display: flex; align-items: center; gap: var(--_s2); font-size: var(--_fs-sm); color: var(--_success); font-weight: 560; }
      .more { display: flex; flex-wrap: wrap; gap: var(--_s2); }
      .more .btn { flex: 1 1 0; }
      .none { display: grid; justify-items: center; gap: 10px; text-align: center; padding: 28px var(--_s4); }
    `,
  ];

  @property() site = '';
  /** Name of the only network that the site asks for. */
  @property({ attribute: false }) network: string | undefined;
  @property({ attribute: false }) wallets: readonly Wallet[] = [];
  @property({ attribute: false }) chosen: ReadonlySet<string> = new Set();
  @property({ attribute: false }) balances: ReadonlyMap<string, Holding> = new Map();
  /** By wallet id. */
  @property({ attribute: false }) networks: ReadonlyMap<string, Network> = new Map();
  /** Draws what a balance is worth, if there are prices. */
  @property({ attribute: false }) worth: DrawWorth | undefined;
  /** Wallets that are not backed up, by id. */
  @property({ attribute: false }) unsaved: ReadonlyMap<string, Unsaved> = new Map();
  /** The browser has promised to keep its storage. */
  @property({ attribute: false }) kept = true;
  /** Why service wallets are missing. */
  @property({ attribute: false }) trouble: Trouble;
  /** How many service wallets this browser does not recognize as the user's own yet. */
  @property({ attribute: false }) elsewhere = 0;
  /** Chains that the site asks for but on which the user has no wallet. */
  @property({ attribute: false }) missing: readonly SecretType[] = [];

  /** A wallet just created or imported. */
  @property({ attribute: false }) added: { wallet: Wallet; how: ChosenWallet['how'] } | undefined;
  /** Some of these were linked before: a user who unlinks all of them must be able to confirm that. */
  @property({ attribute: false }) linkedBefore = false;
  /** Wallets can be created from here. */
  @property({ attribute: false }) creates = false;

  protected override readonly escape = 'cbf-reject';

  #choose(ids: readonly string[], on: boolean): void {
    const next = new Set(this.chosen);
    for (const id of ids) {
      if (on) next.add(id);
      else next.delete(id);
    }
    this.chosen = next;
  }

  #link(event: Event): void {
    if (!this.allows(event, !this.busy && this.#ready)) return;
    this.busy = true;
    this.emit('cbf-link');
  }

  get #ready(): boolean {
    return this.armed && this.#chose;
  }

  get #chose(): boolean {
    return this.chosen.size > 0 || this.linkedBefore;
  }

  #group(secretType: SecretType): TemplateResult {
    const wallets = this.wallets.filter((wallet) => wallet.secretType === secretType);
    const ids = wallets.map(({ id }) => id);
    const on = ids.filter((id) => this.chosen.has(id)).length;
    const chain = CHAIN_NAMES[secretType];
    return html`<fieldset class="card">
      <legend class="sr">${chain}</legend>
      ${ids.length > 1 ? this.#all(chain, secretType, ids, on) : nothing}
      <ul class="rows">${wallets.map((wallet) => this.#wallet(wallet, ids.length === 1))}</ul>
    </fieldset>`;
  }

  #all(chain: string, secretType: SecretType, ids: readonly string[], on: number): TemplateResult {
    return html`<label class="line">
        <input type="checkbox" class="check" aria-label=${msg(str`All ${chain} wallets`)} .checked=${on === ids.length}
          .indeterminate=${on > 0 && on < ids.length}
          @change=${(event: Event) => this.#choose(ids, (event.target as HTMLInputElement).checked)} />
        <span class="net">${chainBadge(secretType, 's')}${chain}</span>
      </label>`;
  }

  /** `alone`: there is no heading with the chain's name. */
  #wallet(wallet: Wallet, alone: boolean): TemplateResult {
    const { id, alias, address } = wallet;
    const unsaved = this.unsaved.get(id);
    const network = this.networks.get(id);
    const name = [alias, shortText(address), holderName(wallet)]
      .filter(Boolean)
      .reduce((names, each) => msg(str`${names}, ${each}`));
    return html`<li>
      <input
        type="checkbox"
        class="check"
        id=${id}
        aria-label=${unsaved ? `${name}, ${msg('not backed up')}` : name}
        .checked=${this.chosen.has(id)}
        @change=${(event: Event) => this.#choose([id], (event.target as HTMLInputElement).checked)}
      />
      ${alone ? chainBadge(wallet.secretType) : nothing}
      <label for=${id} class="row-main">
        <span class="named"><span class="strong trunc">${alias}</span>${backupMark(unsaved)}</span><span class="sm muted">${shortAddress(address)}${networkTag(network)}${holderMark(wallet)}</span>
      </label>
      ${holding(this.balances.get(id), (amount) => network && this.worth?.(network, amount))}
    </li>`;
  }

  #missing(secretType: SecretType): TemplateResult {
    return html`<div class="card none">
      ${chainBadge(secretType, 'l')}
      <div>
        <p class="strong">${noWallet(secretType)}</p>
        <p class="sm muted">${msg('The site asks for one.')}</p>
      </div>
    </div>`;
  }

  /** All missing chains in one card: a large card each would push the wallets out of view. */
  #allMissing(): TemplateResult {
    return html`<div class="card">
        <ul class="rows">
          ${this.missing.map(
            (secretType) =>
              html`<li>${chainBadge(secretType)}<span class="row-main">${noWallet(secretType)}</span></li>`,
          )}
        </ul>
      </div>
      <p class="sm muted">${msg('The site asks for them.')}</p>`;
  }

  #title(): unknown {
    const site = html`<bdi>${this.site}</bdi>`;
    return this.network
      ? msg(html`Link your wallets on ${this.network} to ${site}?`)
      : msg(html`Link your wallets to ${site}?`);
  }

  protected override render(): TemplateResult {
    const chains = [...new Set(this.wallets.map(({ secretType }) => secretType))];
    return this.layout({
      body: html`${this.#added()}<h1 class="h1" tabindex="-1">${this.#title()}</h1>
        ${
          this.wallets.length
            ? html`<p class="sm muted">${msg(
                'It will see the address and balance of each wallet you choose. It cannot move anything without your PIN or passkey.',
              )}</p>`
            : nothing
        }
        ${chains.map((chain) => this.#group(chain))}
        ${troubleLine(this.trouble, this.busy, () => this.emit('cbf-retry'))} ${holderNotes(this.wallets)}
        ${!this.kept && !this.#isNew && this.wallets.some(({ id }) => this.unsaved.has(id)) ? html`<p class="sm muted">${mayDelete()}</p>` : nothing}
        ${elsewhereCard(this.elsewhere, this.busy, () => this.emit('cbf-enrol'))}
        ${this.missing.length > 1 ? this.#allMissing() : this.missing.map((chain) => this.#missing(chain))}
        ${this.creates && (this.missing.length || !this.added) ? this.#more() : nothing}
        ${
          this.#isNew
            ? alert('plain', {
                title: msg('Back it up later'),
                text: this.kept
                  ? msg('We will remind you once the wallet holds something. The 12 words are in Settings.')
                  : msg(str`${mayDelete()} ${msg('The 12 words are in Settings.')}`),
              })
            : nothing
        }`,
      foot: this.wallets.length
        ? this.#foot()
        : html`<button type="button" class="btn secondary lg block"
            @click=${() => this.emit('cbf-done')}>${msg('Close')}</button>`,
    });
  }

  /** A wallet was made just now, and is not backed up. */
  get #isNew(): boolean {
    return this.added?.how === 'made' && this.unsaved.has(this.added.wallet.id);
  }

  #added(): TemplateResult | typeof nothing {
    if (!this.added) return nothing;
    const { how } = this.added;
    const text =
      how === 'made'
        ? msg('Wallet created')
        : how === 'restored'
          ? msg('Wallet restored')
          : msg('Wallet imported');
    return html`<p class="okline">${icon(iconCheck(), 's')}${text}</p>`;
  }

  /** Offered along with existing wallets; if a chain is missing, importing is just as likely. */
  #more(): TemplateResult {
    return html`<div class="more">
      <button
        type="button"
        class="btn quiet"
        ?disabled=${this.busy}
        @click=${() => this.emit('cbf-create')}
      >${icon(iconPlus(), 's')}<span>${msg('Create a wallet')}</span></button>
      ${
        this.missing.length
          ? html`<button
            type="button"
            class="btn quiet"
            ?disabled=${this.busy}
            @click=${() => this.emit('cbf-import')}
          >${icon(iconImport(), 's')}<span>${msg('I have one')}</span></button>`
          : nothing
      }
    </div>`;
  }

  #count(): string {
    const [{ size }, { length }] = [this.chosen, this.wallets];
    if (length > 1) return msg(str`${size} of ${length} wallets chosen`);
    return size ? msg('1 wallet chosen') : msg('No wallet chosen');
  }

  #foot(): TemplateResult {
    const why = this.#chose ? undefined : msg('Choose a wallet first');
    return html`<p
      class="sm muted"
      aria-live="polite"
    >${this.#count()}</p>
      <div class="actions">
        <button
          type="button"
          class="btn secondary lg"
          ?disabled=${this.busy}
          @click=${() => this.emit('cbf-reject')}
        >${msg('Reject')}</button>
        <button
          type="button"
          class="btn primary lg ${why ? 'why' : ''}"
          ?disabled=${this.busy}
          aria-label=${msg('Link wallets')}
          aria-description=${why ?? nothing}
          aria-disabled=${this.armed && !why ? nothing : 'true'}
          data-text=${why ?? nothing}
          @click=${this.#link}
        >${msg('Link wallets')}</button>
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
