/** What an approval draws of its transaction: a part of `<cbf-approve>` that loads while the PIN is typed. */
import { css, type CSSResult, html, nothing, type TemplateResult } from 'lit';
import type { Summary, Warning } from '../../chains/chain.ts';
import { iconCopy } from '../../ui/icons.ts';
import { msg, str } from '../../ui/localize.ts';
import { alert, alertStyles } from '../ui/alert.ts';
import { addressStyles } from '../ui/address.ts';
import { amountStyles, amountText, figure, money } from '../ui/amount.ts';
import { cardStyles, codeStyles, partyStyles } from '../ui/card-styles.ts';
import { chainStyles, network } from '../ui/chain-badge.ts';
import { writeText } from '../ui/copy.ts';
import { checkStyles } from '../ui/field-styles.ts';
import { icon } from '../ui/icon.ts';
import { kv, kvStyles } from '../ui/kv.ts';
import { approvalStyles } from './approval-styles.ts';
import type { ApproveView } from './approve.ts';
import {
  afterwards,
  alerts,
  amountBlock,
  balanceChanges,
  contractCall,
  fees,
  parties,
  purpose,
  recipient,
  totalRow,
} from './summary.ts';
import { warningText } from './warnings.ts';

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
      <h1 class="title" tabindex="-1">${msg('Approve transaction')}</h1>
      ${network(view.secretType, summary.networkName)}
    </div>
    ${step ? html`<p class="sm muted">${msg(str`${step.index + 1} of ${step.of}`)}</p>` : nothing}
    ${amountBlock(summary)} ${balanceChanges(summary, wallet)} ${shown}
    ${parties(summary, wallet, reported)} ${shortOf(view, summary, canvas)}
    ${contractCall(summary.call, view.own)} ${fees(summary, view.changed)}
    ${call || summary.amount.token ? nothing : afterwards(summary, wallet)} ${more} ${canvas.tickBoxes()}`;
}

/** With the pad open: what leaves, to whom in full, at most how much. */
function folded(view: ApproveView, summary: Summary): TemplateResult {
  const amount = summary.unlimited
    ? msg(str`Unlimited ${summary.amount.symbol}`)
    : amountText(summary.amount);
  return html`<h1 class="sr" tabindex="-1">${msg('Approve transaction')}</h1>
    <div class="between">
      <span class="row-main">
        <span class="title num">${money(amount)}</span>
        <span class="sm muted">${purpose(summary)}</span>
      </span>
      ${network(view.secretType, summary.networkName)}
    </div>
    <div class="card">${recipient(summary, false)}</div>
    ${kv([totalRow(summary, view.changed)])}`;
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
