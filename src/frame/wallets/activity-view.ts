import { html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { msg } from '../../base/localize.ts';
import type { Network } from '../../chains/network.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { cardStyles, chainStyles } from '../ui/card-styles.ts';
import { head } from '../ui/head.ts';
import { FrameView } from '../ui/view.ts';
import { ALL, networkFilter, walletLine } from '../ui/rows.ts';
import { entriesOn, type Entry, type Names } from './activity-entries.ts';
import { activityList, activityListStyles } from './activity-list.ts';

export interface ActivityEvents {
  /** Opens an entry in full. */
  'cbf-open': { id: string };
  /** Back, Esc. */
  'cbf-back': null;
}

/** Entries drawn before "Show earlier" is pressed. */
const PAGE = 50;

/** A wallet's activity, latest first. */
@customElement('cbf-activity')
export class ActivityView extends FrameView<ActivityEvents> {
  static override styles = [FrameView.styles, cardStyles, chainStyles, fieldStyles, activityListStyles];

  @property({ attribute: false }) wallet!: Wallet;
  /** Undefined while loading. */
  @property({ attribute: false }) entries: readonly Entry[] | undefined;
  @property({ attribute: false }) names: Names = new Map();
  /** Those that the wallet is on. */
  @property({ attribute: false }) networks: readonly Network[] = [];
  /** Epoch milliseconds. */
  @property({ attribute: false }) now = 0;
  /** Why the last action failed. */
  @property({ attribute: false }) error = '';

  @state() private shown = PAGE;
  /** Id of the network whose entries are shown; empty for all. */
  @state() private network = ALL;
  /** When the entries were first drawn. */
  #since: number | undefined;

  protected override readonly escape = 'cbf-back';

  protected override render(): TemplateResult {
    const { networks, network, names, now, shown } = this;
    const entries = this.entries && entriesOn(this.entries, network);
    const open = ({ id }: Entry): void => this.emit('cbf-open', { id });
    const named = networks.length > 1;
    const since = entries ? (this.#since ??= now) : now;
    return this.layout({
      body: html`${head(this, msg('Activity'))} ${walletLine(this.wallet)}
        ${this.error ? html`<p class="err" role="alert">${this.error}</p>` : nothing}
        ${networkFilter(networks, network, (id) => Object.assign(this, { network: id, shown: PAGE }))}
        ${
          entries?.length === 0
            ? html`<p class="muted">${msg('Nothing yet. What this wallet sends, receives and signs is listed here.')}</p>`
            : activityList((entries ?? []).slice(0, shown), { names, now, open, named, since })
        }
        ${
          entries && entries.length > shown
            ? html`<button
              type="button"
              class="btn text"
              @click=${() => (this.shown += PAGE)}
            >${msg('Show earlier')}</button>`
            : nothing
        }`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-activity': ActivityView;
  }
}
