/** What `<cbf-approve>` draws of a transaction, loaded while the user types the PIN. */
import { type CSSResult, html, type TemplateResult } from 'lit';
import type { Summary, Warning } from '../../../chains/approval/summary.ts';
import { alertStyles } from '../../../ui/alert.ts';
import type { Clock } from '../../../base/clock.ts';
import { icon, iconCopy } from '../../../ui/icons.ts';
import { addressStyles } from '../../../ui/address.ts';
import { msg, str } from '../../../base/localize.ts';
import { spinStyles } from '../../../ui/styles.ts';
import { writeText } from '../../../ui/clipboard.ts';
import { amountText, figure, money } from '../../ui/amount.ts';
import { approvalStyles, cardStyles, chainStyles, partyStyles, tickStyles } from '../../ui/card-styles.ts';
import type { Lines, Tick } from '../../ui/consent-view.ts';
import { footParts } from '../../ui/foot-parts.ts';
import { footStyles } from '../../ui/foot-styles.ts';
import { kvStyles } from '../../ui/kv.ts';
import { viewStyles } from '../../ui/view.ts';
import type { ApproveView } from '../approve-view.ts';
import { blockStyles, type Danger, fold, networkLine } from './blocks.ts';
import type * as Calls from './call-drawing.ts';
import type * as Memo from './long-text.ts';
import type { OrderDrawing, OrderWords } from './order-drawing.ts';
import { Sight } from './sight.ts';
import { cautionBlock, dangerBlock, effectBlock, fees, linesOf, parties, tickOf } from './summary.ts';
import { details, feeTerms } from './terms-drawing.ts';

const styles = [
  ...viewStyles,
  spinStyles,
  footStyles,
  addressStyles,
  alertStyles,
  cardStyles,
  partyStyles,
  chainStyles,
  kvStyles,
  approvalStyles,
  tickStyles,
  blockStyles,
].flat() as CSSResult[];

/** Draws what only some transactions have; undefined for a transaction without it. */
interface Parts {
  calls: typeof Calls | undefined;
  memo: typeof Memo | undefined;
  order: OrderDrawing | undefined;
}

/** What the drawing needs from its view, besides the public properties. */
export interface Canvas {
  limit(raw: bigint): void;
  close(): void;
  announce(text: string): void;
}

/** A summary with all that draws it. */
export class ApprovalDrawing {
  /** The whole view's styles, replacing the ones it started with. */
  readonly styles: CSSResult[];
  readonly footParts = footParts;
  readonly #parts: Parts;

  /** Of `load`, which has every part that the summary needs. */
  constructor(
    readonly summary: Summary,
    parts: Parts,
  ) {
    this.#parts = parts;
    this.styles = [
      ...styles,
      ...(parts.calls?.callStyles ?? []),
      ...(parts.memo ? [parts.memo.memoStyles] : []),
    ];
  }

  static async load(summary: Summary): Promise<ApprovalDrawing> {
    const { order } = summary;
    const [calls, memo, orders] = await Promise.all([
      hasCalls(summary) ? import('./call-drawing.ts') : undefined,
      hasMemo(summary) ? import('./long-text.ts') : undefined,
      order && import('./order-drawing.ts').then(({ drawOrder }) => drawOrder(summary, order)),
    ]);
    return new ApprovalDrawing(summary, { calls, memo, order: orders });
  }

  /** The header's line for the network. */
  network({ secretType }: ApproveView): TemplateResult {
    return networkLine(secretType, this.summary.networkName);
  }

  sight(root: ShadowRoot, clock: Clock, onChange: () => void): Sight {
    return new Sight(root, clock, onChange);
  }

  /** Announces another fee. */
  get feeChange(): string {
    return msg(str`Updated. Maximum fee ${amountText(this.summary.fee.maximum)}`);
  }

  get tick(): Tick | undefined {
    return tickOf(this.summary, this.#parts.calls?.crossChainWords);
  }

  /** Why it cannot be approved at all. */
  get obstacle(): string | undefined {
    const { shortOf, order } = this.summary;
    if (order?.state === 'wrong') return msg('The signature is not for this order');
    if (isCrowded(this.summary)) return msg('Too many small coins');
    return shortOf && msg(str`Not enough ${shortOf.amount.symbol}`);
  }

  /** The footer of a transaction that cannot be approved, whatever the user ticks. */
  closeOnly(canvas: Pick<Canvas, 'close'>): TemplateResult | undefined {
    if (this.summary.order?.state !== 'wrong') return undefined;
    return html`<button
      type="button"
      class="btn secondary lg block"
      @click=${() => canvas.close()}
    >${msg('Close')}</button>`;
  }

  lines({ limit, email, worthDrawing }: ApproveView): Lines {
    const lines = linesOf(this.summary, this.#order, { held: limit?.held, name: email });
    return worthDrawing?.lines(this.summary, lines) ?? lines;
  }

  body(view: ApproveView, canvas: Canvas): TemplateResult {
    const { summary } = this;
    const { calls, memo, order: orders } = this.#parts;
    const { wallet, secretType, own, email, worthDrawing: worth } = view;
    const order = this.#order;
    const crossChain = calls?.crossChainWords;
    const additions = { order, worth, note: calls?.claimLine(summary) };
    const extra = (warning: Warning) => calls?.limitOf(view, warning, (raw) => canvas.limit(raw)) ?? {};
    return html`${view.networkNote?.(summary.networkName)}${effectBlock(summary, secretType, additions, view)}
      ${dangerBlock(summary, extra, { first: orders?.dangers(), last: shortOf(view, summary, canvas), crossChain })} ${order?.check} ${calls?.balanceChanges(summary, wallet)}
      ${calls?.clauses(summary, view)}
      ${parties(summary, wallet, order, email)} ${calls?.swapTerms(summary, view)}
      ${cautionBlock(summary, extra, crossChain)} ${memo?.memo(summary)} ${calls?.contractCall(summary, own)}
      ${fees(summary, wallet, additions, view.changed, feeTerms(summary))}
      ${fold(msg('Details'), details(summary))}`;
  }

  get #order(): OrderWords | undefined {
    return this.#parts.order?.words();
  }
}

export function hasCalls({ kind, amount, call, changes, parts, crossChain }: Summary): boolean {
  return (
    kind !== 'transfer' || amount.claimedDecimals !== undefined || !!(call ?? changes ?? parts ?? crossChain)
  );
}

export function hasMemo({ facts = [] }: Summary): boolean {
  return facts.some(({ code }) => code === 'memo');
}

/** The balance suffices, but is spread over more coins than one payment can spend, as a warning says. */
function isCrowded({ warnings }: Summary): boolean {
  return warnings.some(({ code }) => code === 'many-coins');
}

function shortOf(view: ApproveView, summary: Summary, canvas: Canvas): Danger[] {
  if (!summary.shortOf || isCrowded(summary)) return [];
  const { amount, need, have } = summary.shortOf;
  const text = msg(
    html`You need ${money({ ...amount, raw: need })} and have ${money(figure({ ...amount, raw: have }))}. Short by ${money({ ...amount, raw: need - have })}.`,
  );
  const copy = async (): Promise<void> => {
    if (await writeText(view.wallet.address)) canvas.announce(msg('Address copied'));
  };
  const action = html`<button type="button" class="btn secondary mini" @click=${copy}>
    ${icon(iconCopy(), 's')}<span>${msg('Copy address to add funds')}</span>
  </button>`;
  return [{ title: msg(str`Not enough ${amount.symbol}`), text, action }];
}
