import { css, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { ConnectError } from '../../base/errors.ts';
import type { Network } from '../../chains/network.ts';
import { CHAIN_NAMES } from '../../chains/secret-type.ts';
import { addressStyles, fullAddress, shortAddress } from '../../ui/address.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { hashStyles, transactionHash } from '../../ui/copy.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { icon } from '../../ui/icons.ts';
import { iconExternal } from '../../ui/list-icons.ts';
import { language, msg, str } from '../../base/localize.ts';
import { strangersStyles } from '../../ui/text.ts';
import { worthText } from '../../ui/worth.ts';
import type { ActivityRecord } from '../../wallets/types.ts';
import { blockStyles } from '../approve/drawing/blocks.ts';
import { feeText, money } from '../ui/amount.ts';
import { cardStyles, partyStyles } from '../ui/card-styles.ts';
import { hidesBalances, unlessHidden } from '../ui/hidden-balances.ts';
import { backButton } from '../ui/head.ts';
import { kv, kvStyles } from '../ui/kv.ts';
import { FrameView } from '../ui/view.ts';
import {
  type Entry,
  failureCost,
  isOnlySeen,
  limitText,
  movedOf,
  networkNameOf,
  type Names,
  pairText,
  pastWorthText,
  progressIn,
  rowWords,
  siteOf,
  stateOf,
  swapOf,
  waitsText,
  titleWith,
  wordOf,
  worthOfEntry,
} from './activity-entries.ts';
import { amountOf, isLate, progressText, type SwapProgress } from './cross-chain-words.ts';
import { activityListStyles, directionMark, iconFast, stateTag } from './activity-list.ts';
import { failureNote } from './failure.ts';

export interface TransactionEvents {
  /** Speed up or Cancel, for a pending transaction. */
  'cbf-replace': { how: 'speed-up' | 'cancel' };
  /** The user's note has changed. */
  'cbf-note': { text: string };
  /** Send again, for a transaction that the network does not have. */
  'cbf-send': null;
  /** Back, Esc. */
  'cbf-back': null;
}

/** One entry of a wallet's activity in full. */
@customElement('cbf-transaction')
export class TransactionView extends FrameView<TransactionEvents> {
  static override styles = [
    FrameView.styles,
    cardStyles,
    partyStyles,
    blockStyles,
    addressStyles,
    kvStyles,
    hashStyles,
    fieldStyles,
    activityListStyles,
    strangersStyles,
    css`
      .view-head { font-weight: 600; }
      /* The explorer's button shares the box of the hash. */
      .hash > .hash { flex: 1; min-inline-size: 0; border: 0; padding: 0; min-block-size: 0; background: none; }
      .hash > .btn { margin-inline-start: -8px; }
      .effect h1 { overflow-wrap: anywhere; }
      .kv dd .faint { white-space: nowrap; }
    `,
  ];

  @property({ attribute: false }) entry!: Extract<Entry, { type: 'sent' | 'received' }>;
  @property({ attribute: false }) wallet!: Wallet;
  @property({ attribute: false }) names: Names = new Map();
  /** URL prefix of a transaction's page. */
  @property({ attribute: false }) explorer = '';
  /** Of `networks.json`, by id. */
  @property({ attribute: false }) networkNamed: (
    id: string,
  ) => Pick<Network, 'name' | 'explorer'> | undefined = () => undefined;
  /** The chain supports replacing pending transactions. */
  @property({ attribute: false }) replaceable = false;
  /** Epoch milliseconds. */
  @property({ attribute: false }) now = 0;
  /** Why the last action failed. */
  @property({ attribute: false }) error: ConnectError | undefined;

  protected override readonly escape = 'cbf-back';

  #title(): unknown {
    const { entry } = this;
    if (hidesBalances()) return wordOf(entry);
    const swap = entry.type === 'sent' && !entry.cancels ? swapOf(entry) : undefined;
    if (swap && entry.type === 'sent')
      return html`<bdi dir="ltr">${pairText(swap, entry.record.got, rowWords)}</bdi>`;
    const moved = movedOf(entry);
    const limit = entry.type === 'sent' ? limitText(entry) : undefined;
    const isUnknown = moved?.sign === '+' && moved.amount.decimals === null;
    const what = isUnknown ? msg('Unknown token') : moved ? rowWords(moved.amount) : limit;
    return what ? titleWith(entry, html`<bdi dir="ltr">${what}</bdi>`) : wordOf(entry);
  }

  #sub(): unknown {
    const { entry, now } = this;
    const worth = hidesBalances() ? undefined : worthOfEntry(entry);
    const state = stateOf(entry);
    const parts: unknown[] = [];
    if (worth) parts.push(html`<bdi dir="ltr">${pastWorthText(worth)}</bdi>`);
    if (state === 'waiting') {
      const isLost = entry.type === 'sent' && entry.record.state === 'unknown';
      parts.push(isLost ? msg('not on the network') : waitsText(entry, now));
    } else if (state === 'failed' && entry.type === 'sent')
      parts.push(stateTag(entry, now), failureCost(entry.record));
    else if (state !== 'final') parts.push(stateTag(entry, now));
    return parts.length ? parts.map((part, i) => html`${i ? ' · ' : nothing}${part}`) : undefined;
  }

  #party(term: string, address: string, known?: string): TemplateResult {
    const name = known ?? this.names.get(address.toLowerCase());
    return html`<div class="party">
      <dt class="k">${term}</dt>
      <dd>${name ? html`<span class="strong block">${name}</span><br />` : nothing}${fullAddress(address)}</dd>
    </div>`;
  }

  #parties(): TemplateResult | typeof nothing {
    const { entry } = this;
    if (entry.type === 'received') {
      const { from } = entry.received;
      const own = this.#own(msg('To'));
      return html`<dl class="card">${own}${from === undefined ? nothing : this.#party(msg('From'), from)}</dl>`;
    }
    const { to, parts, exchange, contract, amount } = entry.record.summary;
    const token = contract !== undefined && contract === amount.token ? contract : undefined;
    /** By address, with the name of the exchange there. */
    const recipients = new Map<string, string | undefined>(
      (parts ?? [{ to, exchange }]).flatMap((part) => (part.to === null ? [] : [[part.to, part.exchange]])),
    );
    return html`<dl class="card">
      ${[...recipients].map(([one, name]) => this.#party(name ? msg('With') : msg('To'), one, name))}
      ${token ? this.#party(msg('Token'), token) : nothing} ${this.#own(msg('From'))} ${this.#payee()}
    </dl>`;
  }

  /** Who receives the output of a swap between chains. */
  #payee(): TemplateResult | typeof nothing {
    const swap = progressIn(this.entry);
    if (!swap) return nothing;
    const name = this.networkNamed(swap.network)?.name ?? CHAIN_NAMES[swap.secretType];
    return this.#party(msg(str`Receives it on ${name}`), swap.recipient);
  }

  /** How far a swap between chains is, what came of it, and where to look. */
  #swap(): TemplateResult | typeof nothing {
    const { entry, now } = this;
    const swap = progressIn(entry);
    if (!swap || stateOf(entry) === 'failed') return nothing;
    const payments = [
      ...swap.payouts.map((payment) => ({ term: msg('Received'), payment })),
      ...swap.refunds.map((payment) => ({ term: msg('Came back'), payment })),
    ];
    const late = stateOf(entry) === 'waiting' && isLate(swap, entry.at, now);
    return html`<section class="stack tight" id="swap">
      <p class="sm">${progressText(swap)}</p>
      ${late ? this.#late(swap) : nothing}
      ${kv(payments.map(({ term, payment }) => ({ term, value: unlessHidden(() => money(amountOf(payment))) })))}
      ${payments.map(({ payment: { network, transactionHash: hash } }) => {
        const { explorer } = this.networkNamed(network) ?? {};
        return transactionHash(hash, explorer && explorer + hash);
      })}
    </section>`;
  }

  #late({ exchange, network }: SwapProgress): TemplateResult {
    const { entry, explorer } = this;
    const there = this.networkNamed(network);
    const link = (href: string, name: string): TemplateResult =>
      html`<a class="btn text" href=${href} target="_blank" rel="noopener noreferrer"
        >${icon(iconExternal(), 's')}<span>${msg(str`Explorer of ${name}`)}</span></a
      >`;
    return html`<div class="note sm">
      <p>
        ${msg(
          str`It takes longer than usual, and goes on by itself. Nobody can speed it up: whoever offers help or a refund for ${exchange} wants your coins.`,
        )}
      </p>
      ${explorer && entry.network ? link(explorer + entry.id, entry.network.name) : nothing}
      ${there?.explorer ? link(new URL(there.explorer).origin, there.name) : nothing}
    </div>`;
  }

  /** The wallet itself. */
  #own(term: string): TemplateResult {
    const { alias, address } = this.wallet;
    return html`<div class="party">
      <dt class="k">${term}</dt>
      <dd><span class="strong">${alias}</span> <span class="muted">${shortAddress(address)}</span></dd>
    </div>`;
  }

  #facts(): TemplateResult {
    const { entry } = this;
    const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
      entry.at,
    );
    if (entry.type === 'received') {
      const { amount, at } = entry.received;
      return kv([
        amount.decimals === null
          ? undefined
          : { term: msg('Amount'), value: unlessHidden(() => money(amount)) },
        { term: msg('Network'), value: networkNameOf(entry) ?? CHAIN_NAMES[this.wallet.secretType] },
        at === undefined
          ? undefined
          : { term: isOnlySeen(entry) ? msg('Seen') : msg('Received'), value: when },
      ]);
    }
    const { origin, fee, summary } = entry.record;
    const waits = stateOf(entry) === 'waiting' && entry.record.state !== 'confirmed';
    return kv([
      { term: msg('Asked by'), value: siteOf(origin) },
      { term: msg('Network'), value: summary.networkName },
      { term: msg('Approved'), value: when },
      waits
        ? { term: msg('Fee at most'), value: feeText(summary.fee.maximum), note: feeWorth(entry.record) }
        : undefined,
      fee
        ? {
            term: msg('Fee paid'),
            value: money({ ...summary.fee.expected, raw: fee }),
            note: feeWorth(entry.record, fee),
          }
        : undefined,
      summary.nonce === undefined
        ? undefined
        : { term: msg('Transaction number'), value: html`<bdi dir="ltr">${summary.nonce}</bdi>` },
    ]);
  }

  /** Of coins that no transaction brought by itself. */
  #unnamed(): TemplateResult | typeof nothing {
    const { entry } = this;
    if (entry.type !== 'received' || entry.received.hash !== undefined) return nothing;
    const { seenSince } = entry.received;
    const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
    return html`<p class="sm muted">${
      seenSince === undefined
        ? msg('A contract or the network itself paid it, so it has no sender and no transaction of its own.')
        : msg(
            str`The balance rose by this since ${format.format(seenSince)}. It may have come in several payments; who sent them is not known.`,
          )
    }</p>`;
  }

  #note(): TemplateResult | typeof nothing {
    const { note } = this.entry;
    if (note === undefined) return nothing;
    return html`<div class="field">
      <label for="note">${msg('Note')}</label>
      <input
        class="input"
        id="note"
        maxlength="200"
        dir="auto"
        autocomplete="off"
        aria-describedby="who"
        .value=${note}
        @change=${({ target }: Event) => this.emit('cbf-note', { text: (target as HTMLInputElement).value })}
      />
      <p class="help" id="who">${msg('Only you see it. It is kept in this browser, encrypted.')}</p>
    </div>`;
  }

  #foot(): TemplateResult | undefined {
    const { entry } = this;
    if (entry.type !== 'sent' || stateOf(entry) !== 'waiting') return undefined;
    const { state, draft } = entry.record;
    const button = (look: string, name: unknown, act: () => void): TemplateResult =>
      html`<button type="button" class="btn ${look} lg" @click=${act}>${name}</button>`;
    const sendAgain = html`<span>${msg('Send again')}</span>`;
    const canReplace = this.replaceable && draft;
    if (state === 'unknown' && !canReplace)
      return html`<div class="actions even">${button('primary', sendAgain, () => this.emit('cbf-send'))}</div>`;
    if (!canReplace) return undefined;
    const cancel = button('secondary', html`<span>${msg('Cancel transaction')}</span>`, () =>
      this.emit('cbf-replace', { how: 'cancel' }),
    );
    const faster = html`${icon(iconFast(), 's')}<span>${msg('Speed up')}</span>`;
    return html`${
      state === 'unknown' ? button('quiet block', sendAgain, () => this.emit('cbf-send')) : nothing
    }<div class="actions even">
      ${cancel} ${button('primary', faster, () => this.emit('cbf-replace', { how: 'speed-up' }))}
    </div>`;
  }

  protected override render(): TemplateResult {
    const { entry, explorer } = this;
    const hash = entry.type === 'sent' ? entry.record.hash : entry.received.hash;
    const expired = entry.type === 'sent' && entry.record.expired;
    const sub = this.#sub();
    return this.layout({
      body: html`<div class="view-head">${backButton(this)}<span>${msg('Transaction')}</span></div>
        <div class="effect">
          ${directionMark(entry, 'l')}
          <div class="grow"><h1 tabindex="-1">${this.#title()}</h1>${sub ? html`<p class="sub">${sub}</p>` : nothing}</div>
        </div>
        ${failureNote(this.error)} ${this.#swap()} ${this.#parties()} ${this.#facts()} ${this.#unnamed()} ${this.#note()}
        ${
          hash === undefined
            ? nothing
            : html`<div class="hash">
                ${transactionHash(hash)}
                ${
                  explorer && !expired
                    ? html`<a class="btn icon" href=${explorer + hash} target="_blank" rel="noopener noreferrer"
                        aria-label=${msg('View on explorer')}>${icon(iconExternal())}</a>`
                    : nothing
                }
              </div>`
        }`,
      foot: this.#foot(),
    });
  }
}

/** What the highest fee was worth when it was approved, or the part of it that was paid. */
function feeWorth({ feeWorth: worth, summary }: ActivityRecord, paid?: bigint): unknown {
  if (!worth) return undefined;
  const { raw } = summary.fee.maximum;
  const share = paid === undefined ? 1 : Number(paid) / Number(raw);
  return html`<bdi dir="ltr">${worthText({ ...worth, value: worth.value * share }, 'up')}</bdi>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-transaction': TransactionView;
  }
}
