/** The body of `<cbf-approve>`, loaded while the user types the PIN. */
import { type CSSResult, html, nothing, type TemplateResult } from 'lit';
import type { Summary, Warning } from '../../../chains/approval/summary.ts';
import { alertStyles } from '../../../ui/alert.ts';
import { icon, iconCopy } from '../../../ui/icons.ts';
import { addressStyles } from '../../../ui/address.ts';
import { msg, str } from '../../../base/localize.ts';
import { spinStyles } from '../../../ui/styles.ts';
import { writeText } from '../../../ui/clipboard.ts';
import { amountText, figure, money } from '../../ui/amount.ts';
import {
  approvalStyles,
  cardStyles,
  chainStyles,
  codeStyles,
  partyStyles,
  tickStyles,
} from '../../ui/card-styles.ts';
import type { Lines, Tick } from '../../ui/consent-view.ts';
import { stepText } from '../../shell/step.ts';
import { footParts } from '../../ui/foot-parts.ts';
import { footStyles } from '../../ui/foot-styles.ts';
import { kvStyles } from '../../ui/kv.ts';
import { viewStyles } from '../../ui/view.ts';
import type { ApproveView } from '../approve-view.ts';
import { blockStyles, type Danger, fold } from './blocks.ts';
import type * as Calls from './call-drawing.ts';
import type * as Memo from './memo-drawing.ts';
import { networkLine } from './network.ts';
import { Sight } from './sight.ts';
import {
  also,
  cautionBlock,
  dangerBlock,
  effectBlock,
  type Extra,
  fees,
  linesOf,
  orderOf,
  parties,
  tickOf,
} from './summary.ts';
import { clauses, details, feeTerms, termsStyles } from './terms-drawing.ts';

export { amountText, footParts, networkLine, Sight, stepText };

/** The whole view's styles, replacing the ones it started with. */
export const styles: CSSResult[] = [
  ...viewStyles,
  spinStyles,
  footStyles,
  addressStyles,
  alertStyles,
  cardStyles,
  partyStyles,
  codeStyles,
  chainStyles,
  kvStyles,
  approvalStyles,
  tickStyles,
  blockStyles,
  ...termsStyles,
].flat() as CSSResult[];

let calls: typeof Calls | undefined;
let notes: typeof Memo | undefined;

function needsCalls(summary: Summary): boolean {
  const { kind, call, changes, parts } = summary;
  return kind !== 'transfer' || !!call || !!changes || !!parts?.some((part) => part.call);
}

function needsMemo({ facts }: Summary): boolean {
  return !!facts?.some(({ code }) => code === 'memo');
}

/** Whether every module needed to draw this transaction is loaded. */
export function canDraw(summary: Summary): boolean {
  return (
    (!!calls || !needsCalls(summary)) && (!!notes || !needsMemo(summary)) && (!!also.order || !summary.order)
  );
}

/** Loads the missing ones. */
export async function load(summary: Summary): Promise<void> {
  await Promise.all([
    !calls && needsCalls(summary) && import('./call-drawing.ts').then((module) => (calls = module)),
    summary.order && !also.order && import('./order-drawing.ts'),
    !notes && needsMemo(summary) && import('./memo-drawing.ts').then((module) => (notes = module)),
  ]);
}

/** What the drawing needs from its view, besides the public properties. */
export interface Canvas {
  limit(raw: bigint): void;
  close(): void;
  announce(text: string): void;
}

export function tick(summary: Summary): Tick | undefined {
  return tickOf(summary);
}

/** The footer of a transaction that cannot be approved, whatever the user ticks. */
export function closeOnly({ order }: Summary, canvas: Pick<Canvas, 'close'>): TemplateResult | undefined {
  if (order?.state !== 'wrong') return undefined;
  return html`<button type="button" class="btn secondary lg block" @click=${() => canvas.close()}>${msg('Close')}</button>`;
}

/** Why it cannot be approved at all. */
export function obstacle(summary: Summary): string | undefined {
  const { shortOf, order } = summary;
  if (order?.state === 'wrong') return msg('The signature is not for this order');
  if (isCrowded(summary)) return msg('Too many small coins');
  return shortOf && msg(str`Not enough ${shortOf.amount.symbol}`);
}

export function lines(view: ApproveView, summary: Summary): Lines {
  const lines = linesOf(summary, { held: view.limit?.held, name: view.email });
  return also.lines?.(summary, lines) ?? lines;
}

export function body(view: ApproveView, summary: Summary, canvas: Canvas): TemplateResult {
  const { wallet, secretType } = view;
  const extra = (warning: Warning) => limitOf(view, warning, canvas);
  return html`${effectBlock(summary, secretType, view)}
    ${dangerBlock(summary, extra, { first: wrongOrder(summary), last: shortOf(view, summary, canvas) })} ${orderOf(summary)?.check} ${calls?.balanceChanges(summary, wallet)}
    ${
      summary.parts
        ? clauses(summary, (part) => [also.swap?.(part, view), calls?.clauseCall(part, view.own)])
        : nothing
    }
    ${parties(summary, wallet, view.email)} ${also.swap?.(summary, view)}
    ${cautionBlock(summary, extra)} ${notes?.memo(summary)} ${calls?.contractCall(summary, view.own)}
    ${fees(summary, wallet, view.changed, feeTerms(summary))}
    ${fold(msg('Details'), details(summary))}`;
}

/** A limit of more than this many times the balance far exceeds present needs. */
const FAR = 100n;

function limitOf({ limit, busy }: ApproveView, { code, amount }: Warning, canvas: Canvas): ReturnType<Extra> {
  if (!limit || !amount || amount.token !== limit.held.token) return {};
  const { held, allowed } = limit;
  const isFar = code === 'spending-limit' && amount.raw > held.raw * FAR;
  if (!isFar && code !== 'unlimited-approval') return {};
  void import('./limit-field.ts');
  return {
    ...(isFar && { title: msg('Far more than you hold') }),
    text: html`${msg(html`You hold ${money(held)}.`)} ${msg('A limit of what you need today is safer.')}`,
    action:
      held.raw > 0n && (!isFar || amount.raw === allowed)
        ? html`<cbf-limit-field .offer=${limit} ?disabled=${busy} @cbf-limit-chosen=${({ detail }: CustomEvent<bigint>) => canvas.limit(detail)}></cbf-limit-field>`
        : nothing,
  };
}

function wrongOrder(summary: Summary): Danger[] {
  const { order } = summary;
  return order?.state === 'wrong' && also.wrongOrder ? [also.wrongOrder(summary, order)] : [];
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
