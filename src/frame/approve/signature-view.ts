import { adoptStyles, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { SigningSummary } from '../../chains/chain.ts';
import type { Summary } from '../../chains/approval/summary.ts';
import { alertStyles } from '../../ui/alert.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { addressStyles, holderMark } from '../../ui/address.ts';
import { icon } from '../../ui/icons.ts';
import { msg, plural, str } from '../../base/localize.ts';
import { spinStyles } from '../../ui/styles.ts';
import { approvalStyles, cardStyles, chainStyles, partyStyles, tickStyles } from '../ui/card-styles.ts';
import { type Lines, PinConsentView, type Tick } from '../ui/consent-view.ts';
import { footParts } from '../ui/foot-parts.ts';
import { footStyles } from '../ui/foot-styles.ts';
import { kvStyles } from '../ui/kv.ts';
import { FrameView, type Subject } from '../ui/view.ts';
import {
  blockStyles,
  cautions,
  dangers,
  effect,
  fold,
  LONG_EFFECT,
  networkLine,
  okLine,
  party,
  roundBadge,
} from './drawing/blocks.ts';
import {
  balanceChanges,
  callStyles,
  claimLine,
  clauses,
  contractCall,
  crossChainWords,
  swapTerms,
} from './drawing/call-drawing.ts';
import { linesIn, type LongText, memo, memoStyles } from './drawing/long-text.ts';
import { iconCall, iconKey, iconSign } from './drawing/heading.ts';
import { Sight } from './drawing/sight.ts';
import { type Draws, type SignatureDrawing, unprefixed } from './drawing/signature-drawing.ts';
import {
  type Additions,
  cautionBlock,
  dangerBlock,
  effectBlock,
  fees,
  linesOf,
  parties,
  tickOf,
  walletName,
} from './drawing/summary.ts';
import { details, feeTerms } from './drawing/terms-drawing.ts';
import type { NetworkNote } from './other-network.ts';

/** A raw transaction has no order, and is drawn without prices. */
const NO_ADDITIONS: Additions = { order: undefined, worth: undefined };

export interface SignatureEvents {
  'cbf-reject': null;
}

/** A signature: of readable text, unreadable bytes, a raw transaction, or what `draws` draws. */
@customElement('cbf-signature')
export class SignatureView extends PinConsentView<SignatureEvents> {
  static override styles = [
    FrameView.styles,
    alertStyles,
    addressStyles,
    cardStyles,
    partyStyles,
    chainStyles,
    kvStyles,
    spinStyles,
    approvalStyles,
    tickStyles,
    callStyles,
    memoStyles,
    blockStyles,
    footStyles,
    css`
      .code.hex { max-block-size: 96px; }
      cbf-long-text { display: block; }
      cbf-long-text > .end { display: block; block-size: 8px; }
    `,
  ];

  @property({ attribute: false }) summary!: SigningSummary;
  @property({ attribute: false }) wallet!: Wallet;
  @property({ attribute: false }) own: readonly Wallet[] = [];
  @property() site = '';
  @property({ attribute: false }) networkName = '';
  /** Draws where the site's last approval was, if on another network. */
  @property({ attribute: false }) networkNote: NetworkNote | undefined;
  /** The drawing for the summary's kind, if it has its own. */
  @property({ attribute: false }) draws: Draws<SigningSummary> | undefined;

  /** For text that does not fit: the current page, and the number of pages. */
  @state() private page: { now: number; of: number; about: boolean } | undefined;
  @query('.body') private body!: HTMLElement;
  @query('cbf-long-text') private text?: LongText;

  protected override readonly escape = 'cbf-reject';
  protected override readonly parts = footParts;

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  protected override async enter(): Promise<void> {
    await super.enter();
    const name = this.summary.kind === 'transaction' ? this.summary.summary.networkName : this.networkName;
    this.emit('cbf-subject', { below: networkLine(this.wallet.secretType, name) } satisfies Subject);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('draws') && this.draws)
      adoptStyles(this.renderRoot as ShadowRoot, [...SignatureView.elementStyles, ...this.draws.styles]);
  }

  get #drawing(): SignatureDrawing | undefined {
    return this.draws?.draw(this.summary, this);
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (!this.isConnected) return;
    this.sight ??= new Sight(this.renderRoot as ShadowRoot, this.clock, () => this.requestUpdate());
    this.sight.update(this);
    this.#count();
  }

  /** Counts pages, each one body height; estimates those of text not drawn yet. */
  readonly #count = (): void => {
    const { body, text } = this;
    // Then the text is hidden, and its pages are in the line above the PIN.
    if (!text || !body.clientHeight || this.phase === 'pin') return;
    const rest = text.whole ? 0 : (text.scrollHeight / text.share) * (1 - text.share);
    const of = Math.ceil((body.scrollHeight + rest) / body.clientHeight);
    const now = Math.min(of, Math.floor(body.scrollTop / body.clientHeight + 0.5) + 1);
    const next = of > 1 && (this.page || rest || !this.#fits()) ? { now, of, about: !text.whole } : undefined;
    if (JSON.stringify(next) !== JSON.stringify(this.page)) this.page = next;
  };

  #fits(): boolean {
    return this.body.scrollHeight <= this.body.clientHeight + 1;
  }

  protected override get doing(): string {
    return msg('Signing…');
  }

  protected override get missing(): string | undefined {
    return this.sight ? this.sight.missing : msg('Just arrived');
  }

  protected override tick(): Tick | undefined {
    const { summary } = this;
    const drawing = this.#drawing;
    if (drawing) return tickFor(drawing);
    if (summary.kind === 'transaction') return tickOf(summary.summary, crossChainWords);
    if (summary.kind !== 'blind') return undefined;
    const text = msg(str`I understand the risk and trust ${this.site}`);
    return { text, for: text, of: 1 };
  }

  protected override get danger(): boolean {
    const { summary } = this;
    const drawing = this.#drawing;
    if (drawing) return drawing.notices.some(({ level }) => level === 'danger');
    if (summary.kind !== 'transaction') return summary.kind === 'blind';
    return summary.summary.warnings.some(({ level }) => level === 'danger');
  }

  protected override showRisk(): void {
    this.renderRoot.querySelector('.alert.danger')?.scrollIntoView({ block: 'nearest' });
  }

  #lines(): Lines {
    const { summary, wallet, page } = this;
    const drawing = this.#drawing;
    if (drawing) return [drawing.effect, drawing.total];
    switch (summary.kind) {
      case 'transaction':
        return linesOf(summary.summary, undefined);
      case 'blind':
        return [
          { term: msg('At risk'), value: msg('cannot be known'), risk: true },
          { term: msg('Costs nothing now') },
        ];
      default:
        return [
          { term: msg('Sign a message'), value: msg(str`as ${wallet.alias}`) },
          { term: msg('Costs nothing'), value: page && this.#pageText(page) },
        ];
    }
  }

  #pageText({ now, of, about }: NonNullable<SignatureView['page']>): string {
    if (this.sight && !this.sight.missing) return msg('read to the end');
    return about ? msg(str`page ${now} of about ${of}`) : msg(str`page ${now} of ${of}`);
  }

  protected override get readsFirst(): boolean {
    return this.summary.kind !== 'transaction';
  }

  protected override render(): TemplateResult {
    const { summary, padOpen } = this;
    const drawing = this.#drawing;
    return this.layout({
      body: html`${this.networkNote?.(this.networkName)}${drawing ? this.#drawn(drawing) : this.#what(summary)}${this.sight?.pill()}`,
      foot: this.rejectOrApprove(this.#lines()),
      folded: padOpen && !this.readsFirst,
    });
  }

  protected override firstUpdated(changed: PropertyValues): void {
    super.firstUpdated(changed);
    this.body.addEventListener('scroll', this.#count, { passive: true });
    // What has been drawn may have to be seen.
    this.body.addEventListener('cbf-drawn', () => this.requestUpdate());
  }

  #drawn({ title, sub, notices, parties: who, body }: SignatureDrawing): TemplateResult {
    const of = (wanted: string) => notices.filter(({ level }) => level === wanted);
    const glyph = this.summary.kind === 'sign-in' ? iconKey() : iconSign();
    return html`${effect({
      badge: roundBadge(icon(glyph), of('danger').length > 0),
      title,
      sub,
      long: title.length >= LONG_EFFECT,
      what: title,
    })}
    ${dangers(of('danger'))} ${who} ${cautions(of('caution'))} ${body}`;
  }

  #what(summary: SigningSummary): unknown {
    const signer = html`<dl class="card">
      ${party(msg('With'), html`${walletName(this.wallet)}${holderMark(this.wallet)}`)}
    </dl>`;
    switch (summary.kind) {
      case 'text':
        return this.#text(summary.text, signer, summary.unprefixed);
      case 'blind': {
        const bytes = (summary.hex.length - 2) / 2;
        return html`${effect({
          badge: roundBadge(icon(iconCall()), true),
          title: msg('Sign unreadable data'),
          sub: msg(str`${bytes} bytes · could mean anything`),
          long: true,
          what: summary.hex,
        })}
        ${dangers([{ title: msg('You cannot read what you sign'), text: blindText(summary.reason) }])}
        <p class="code hex" tabindex="0" role="region" aria-label=${msg('Data to sign')}>${summary.hex}</p>
        ${signer}`;
      }
      case 'transaction':
        return this.#transaction(summary.summary);
      default:
        return nothing;
    }
  }

  #text(text: string, signer: TemplateResult, bare: boolean | undefined): TemplateResult {
    const { page } = this;
    const [shown, empty] = withoutEmptyEnd(text);
    const lines = linesIn(text);
    const moves = msg('moves nothing by itself');
    return html`${effect({
      badge: roundBadge(icon(iconSign())),
      title: msg('Sign a message'),
      sub: page
        ? plural(
            lines,
            msg(str`1 line, ${page.of} pages · ${moves}`),
            msg(str`${lines} lines, ${page.of} pages · ${moves}`),
          )
        : moves,
      long: false,
      what: text.length > 200 ? String(text.length) : text,
    })}
    ${bare ? cautions([unprefixed()]) : nothing}
    <div class="card"
      ><cbf-long-text
        class="message"
        dir="auto"
        must
        @cbf-drawn=${this.#count}
        .text=${shown}
      ></cbf-long-text
    ></div>
    ${empty ? html`<p class="sm muted">${msg(str`${empty} empty lines follow`)}</p>` : nothing}
    ${page ? okLine(msg('End of the message')) : nothing} ${signer}`;
  }

  /** Signed here, sent by the site: drawn like any transaction. */
  #transaction(summary: Summary): TemplateResult {
    const { wallet } = this;
    return html`${effectBlock(summary, wallet.secretType, { ...NO_ADDITIONS, note: claimLine(summary) })}
      <p class="sm muted">${msg(str`${this.site} can send this transaction at any time once you sign it.`)}</p>
      ${dangerBlock(summary, undefined, { crossChain: crossChainWords })} ${balanceChanges(summary, wallet)}
      ${clauses(summary, this)}
      ${parties(summary, wallet, undefined)} ${swapTerms(summary, this)}
      ${cautionBlock(summary, undefined, crossChainWords)} ${memo(summary)} ${contractCall(summary, this.own)}
      ${fees(summary, wallet, NO_ADDITIONS, new Set(), feeTerms(summary))} ${fold(msg('Details'), details(summary))}`;
  }
}

/** Trailing empty lines are counted instead of shown. */
function withoutEmptyEnd(text: string): [shown: string, empty: number] {
  const end = /[ \r\n]*$/.exec(text)?.[0] ?? '';
  const empty = end.split('\n').length - 1;
  return empty > 2 ? [text.slice(0, text.length - end.length), empty] : [text, 0];
}

function tickFor({ notices }: SignatureDrawing): Tick | undefined {
  const risks = notices.filter(({ level }) => level === 'danger');
  const worst = risks.find(({ tick }) => tick);
  if (!worst?.tick) return undefined;
  return { text: worst.tick, for: JSON.stringify(risks), of: risks.length };
}

function blindText(reason: 'bytes' | 'hash' | 'transaction'): string {
  switch (reason) {
    case 'bytes':
      return msg('This data is not text. A site you do not trust could use it to take your funds.');
    case 'hash':
      return msg(
        'This is only a hash. It can stand for a transaction, or hand over the whole account: a site you do not trust could take everything in it.',
      );
    case 'transaction':
      return msg(
        'This data is a transaction in disguise. A site you do not trust could use it to take your funds.',
      );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-signature': SignatureView;
  }
}
