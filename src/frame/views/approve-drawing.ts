/** What an approval draws of its transaction: a part of `<cbf-approve>` that loads while the PIN is typed. */
import { css, type CSSResult, html, nothing, type TemplateResult } from 'lit';
import type { Summary, Warning } from '../../chains/chain.ts';
import { iconCopy } from '../../ui/approval-icons.ts';
import { msg, str } from '../../ui/localize.ts';
import { alert, alertStyles } from '../ui/alert.ts';
import { addressStyles } from '../ui/address.ts';
import { amountStyles, amountText, figure, money } from '../ui/amount.ts';
import { cardStyles, codeStyles, partyStyles } from '../ui/card-styles.ts';
import { chainStyles, network } from '../ui/chain-badge.ts';
import { checkStyles } from '../ui/check-styles.ts';
import { icon } from '../ui/icon.ts';
import { kv, kvStyles } from '../ui/kv.ts';
import { writeText } from '../ui/write-text.ts';
import { approvalStyles } from './approval-styles.ts';
import type { ApproveView } from './approve.ts';
import type * as Rare from './rare-drawing.ts';
import {
  afterwards,
  alerts,
  also,
  amountBlock,
  costRows,
  disclosure,
  fees,
  headlineText,
  parties,
  purpose,
  recipient,
} from './summary.ts';
import type * as Terms from './terms-drawing.ts';
import { hasWords, warningText } from './warnings.ts';

export { amountText };

export const styles: CSSResult[] = [
  amountStyles,
  addressStyles,
  alertStyles,
  cardStyles,
  partyStyles,
  codeStyles,
  chainStyles,
  checkStyles,
  kvStyles,
  approvalStyles,
  css`.under { margin-block-start: 3px; }`,
].flat() as CSSResult[];

let rare: typeof Rare | undefined;
let terms: typeof Terms | undefined;

async function loadTerms(): Promise<void> {
  const module = await import('./terms-drawing.ts');
  if (!terms) styles.push(...module.termsStyles);
  terms = module;
}

function needsRare({ kind, call, changes, parts, warnings }: Summary): boolean {
  return (
    kind !== 'transfer' ||
    !!call ||
    !!changes ||
    !!parts?.some((part) => part.call) ||
    !warnings.every(hasWords)
  );
}

function needsTerms({ facts, parts }: Summary): boolean {
  return !!facts?.length || !!parts;
}

/** Whether everything that this transaction needs to be drawn is there. */
export function canDraw(summary: Summary): boolean {
  return (!!rare || !needsRare(summary)) && (!!terms || !needsTerms(summary));
}

/** Loads the rest of it. */
export async function load(summary: Summary): Promise<void> {
  await Promise.all([
    !rare && needsRare(summary) && import('./rare-drawing.ts').then((module) => (rare = module)),
    !terms && needsTerms(summary) && loadTerms(),
  ]);
}

/** What the drawing needs of its view besides the public properties. */
export interface Canvas {
  padOpen: boolean;
  tickBoxes(): TemplateResult[];
  limit(): void;
  announce(text: string): void;
}

/** What has to be ticked, by its words. Two dangers with the same words take one tick. */
export function ticks(summary: Summary): string[] {
  const texts = summary.warnings.flatMap((warning) =>
    warning.tick ? [warningText(warning, summary).tick ?? msg('I understand the risk')] : [],
  );
  return [...new Set(texts)];
}

export function body(view: ApproveView, summary: Summary, canvas: Canvas): TemplateResult {
  return canvas.padOpen ? folded(view, summary) : whole(view, summary, canvas);
}

function whole(view: ApproveView, summary: Summary, canvas: Canvas): TemplateResult {
  const { wallet, step } = view;
  const reported = summary.warnings.some(({ code }) => code === 'reported-address');
  const { shown, more } = alerts(summary, (warning) => extra(view, warning, canvas));
  const call = summary.kind === 'call' || summary.kind === 'creation';
  return html`<div class="between">
      <h1 class="title" tabindex="-1">${view.heading || msg('Approve transaction')}</h1>
      ${network(view.secretType, summary.networkName)}
    </div>
    ${step ? html`<p class="sm muted">${msg(str`${step.index + 1} of ${step.of}`)}</p>` : nothing}
    ${amountBlock(summary)} ${also.swap?.(summary, view)} ${rare?.balanceChanges(summary, wallet)} ${shown}
    ${parties(summary, wallet, reported, view.email || summary.exchange)}
    ${
      summary.parts
        ? terms?.clauses(summary, (part) => [also.swap?.(part, view), rare?.clauseCall(part, view.own)])
        : nothing
    }
    ${terms?.memo(summary)} ${shortOf(view, summary, canvas)}
    ${rare?.contractCall(summary, view.own)} ${fees(summary, view.changed, terms?.feeTerms(summary))}
    ${call || summary.amount.token ? nothing : afterwards(summary, wallet)}
    ${more}
    ${disclosure(msg('Details'), terms?.details(summary), () => void loadTerms().then(() => view.requestUpdate()))}
    ${canvas.tickBoxes()}`;
}

/** With the pad open: what leaves, to whom in full, at most how much. */
function folded(view: ApproveView, summary: Summary): TemplateResult {
  return html`<h1 class="sr" tabindex="-1">${view.heading || msg('Approve transaction')}</h1>
    <div class="between">
      <span class="row-main">
        <span class="title num">${money(headlineText(summary))}</span>
        <span class="sm muted">${purpose(summary)}</span>
      </span>
      ${network(view.secretType, summary.networkName)}
    </div>
    ${also.swap?.(summary, view)}
    ${summary.parts ? terms?.clauses(summary, (part) => also.swap?.(part, view)) : html`<div class="card">${recipient(summary, false, view.email || summary.exchange)}</div>`}
    ${kv(costRows(summary, view.changed))}`;
}

function extra(view: ApproveView, { code }: Warning, canvas: Canvas): { text?: unknown; action?: unknown } {
  const { held } = view;
  if (code !== 'unlimited-approval' || !held) return {};
  return {
    text: html`${msg('You hold')} ${money(held)}.`,
    action:
      held.raw > 0n
        ? html`<button type="button" class="btn secondary mini" ?disabled=${view.busy} @click=${() => canvas.limit()}>
            <span>${msg('Limit to')} ${money(held)}</span>
          </button>`
        : nothing,
  };
}

function shortOf(view: ApproveView, summary: Summary, canvas: Canvas): TemplateResult | typeof nothing {
  if (!summary.shortOf) return nothing;
  const { amount, need, have } = summary.shortOf;
  const text = html`${msg('You need')} ${money({ ...amount, raw: need })} ${msg('and have')}
    <bdi dir="ltr">${figure({ ...amount, raw: have })}</bdi>. ${msg('Short by')} ${money({ ...amount, raw: need - have })}.`;
  const copy = async (): Promise<void> => {
    if (await writeText(view.wallet.address)) canvas.announce(msg('Address copied'));
  };
  const action = html`<button type="button" class="btn secondary mini" @click=${copy}>
    ${icon(iconCopy(), 's')}<span>${msg('Copy address to add funds')}</span>
  </button>`;
  return alert('danger', { title: msg(str`Not enough ${amount.symbol}`), text, action });
}
