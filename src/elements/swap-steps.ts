/** The progress of a swap: a list of its transactions, and the result. */
import { html, nothing, type TemplateResult } from 'lit';
import { amountText } from '../ui/amount-text.ts';
import { icon, iconCheck, iconClose, iconCopy } from '../ui/icons.ts';
import { iconExternal } from '../ui/list-icons.ts';
import { msg, str } from '../base/localize.ts';
import { currentStep, isDone, isOver, isSent, type Run, type Step } from './swap-run.ts';
import { spinner } from './view.ts';
import { type Priced, worth } from './worth.ts';

export interface StepActions {
  host: Priced;
  /** The wallet is being asked. */
  asking: boolean;
  /** The notice that all elements show for a blocked or lost request. */
  notice: unknown;
  /** The explorer's page for the swap's transaction. */
  explorer: string | null | undefined;
  copied(hash: string): boolean;
  copy(hash: string): void;
  cancel(): void;
  leave(): void;
  again(): void;
}

function titleOf(run: Run, { kind }: Step): string {
  switch (kind) {
    case 'reset':
      return msg(str`Set the limit of ${run.exchange} to 0`);
    case 'approve':
      return msg(str`Approve ${run.limit}`);
    case 'swap':
      return msg(str`Swap for ${run.buySymbol}`);
  }
}

/** "Step 2 of 2. Swap for ETH: waiting for confirmation". */
export function spoken(run: Run): string {
  const step = currentStep(run);
  if (!step) return isDone(run) ? msg('The swap is done.') : '';
  const state = step.hash ? msg('waiting for confirmation') : msg('waiting for your approval');
  return msg(
    str`Step ${run.steps.indexOf(step) + 1} of ${run.steps.length}. ${titleOf(run, step)}: ${state}`,
  );
}

export function steps(run: Run, actions: StepActions): TemplateResult {
  const heading = html`<div class="head2"><h2 class="title grow" tabindex="-1">${msg('Swap')}</h2></div>`;
  if (isDone(run)) return html`${heading}${done(run, actions)}`;
  const failed = isOver(run);
  return html`${heading}<ol class="steps">${run.steps.map((step) => stepItem(run, step, actions))}</ol>${actions.notice}${
    failed
      ? html`<div class="actions"><button type="button" class="btn secondary" @click=${actions.leave}>${msg('Cancel')}</button><button type="button" part="button" class="btn primary" @click=${actions.again}>${msg('Try again')}</button></div>`
      : actions.asking
        ? html`<button type="button" part="button" class="btn secondary" @click=${actions.cancel}>${msg('Cancel')}</button>`
        : nothing
  }${
    !failed && !actions.asking && isSent(run)
      ? html`<p class="sm muted">${msg('You can leave this page. The swap goes on.')}</p>`
      : nothing
  }`;
}

function stepItem(run: Run, step: Step, actions: StepActions): TemplateResult {
  const { state, hash } = step;
  const isNow = state !== 'done' && state !== 'fail' && step === currentStep(run);
  const look = isNow ? 'now' : state;
  const mark =
    state === 'done'
      ? icon(iconCheck(), 's')
      : state === 'fail'
        ? icon(iconClose(), 's')
        : isNow
          ? spinner()
          : run.steps.indexOf(step) + 1;
  return html`<li class=${look} aria-current=${isNow ? 'step' : nothing}><span class="dot" aria-hidden="true">${mark}</span
    ><span class="row-main"><span class="strong">${titleOf(run, step)}</span><span class="sm ${state === 'fail' ? 'why' : 'muted'}">${stateOf(step, isNow && actions.asking, run.reason)}</span>${hash ? hashLine(hash, actions) : nothing}</span></li>`;
}

function stateOf({ state, hash, took }: Step, asked: boolean, reason = ''): string {
  switch (state) {
    case 'done':
      return took === undefined
        ? msg('Confirmed')
        : msg(str`Confirmed in ${Math.max(1, Math.round(took / 1000))} s`);
    case 'fail':
      return hash
        ? msg(
            'Failed: the exchange refused it, for example because the price passed your limit. Only the fee was spent.',
          )
        : reason;
    default:
      if (hash) return msg('Waiting for confirmation');
      return asked ? msg('Waiting for your approval') : msg('Not yet');
  }
}

function hashLine(hash: string, { copied, copy }: StepActions): TemplateResult {
  return html`<span class="hash"><span class="sr">${msg('Transaction hash')}</span><span class="addr trunc" title=${hash}>${hash.slice(0, 12)}…${hash.slice(-8)}</span><button
    type="button"
    part="copy"
    class="btn icon ${copied(hash) ? 'done' : ''}"
    aria-label=${msg('Copy transaction hash')}
    @click=${() => copy(hash)}
  >${icon(copied(hash) ? iconCheck() : iconCopy())}</button></span>`;
}

/** What is known for certain about both sides: the amounts in the transaction's logs, or else the limit that the exchange kept. */
function endOf({ buy, sell, exact, bound, got, paid }: Run) {
  return {
    got: amountText(got ?? (exact ? buy : (bound ?? buy))),
    paid: amountText(paid ?? (exact ? (bound ?? sell) : sell)),
    atLeast: !exact && !got,
    atMost: exact && !paid,
  };
}

function done(run: Run, actions: StepActions): TemplateResult {
  const { alias, exchange, rawGot, units, walletId, saved } = run;
  const { explorer } = actions;
  const { got, paid, atLeast, atMost } = endOf(run);
  const hash = run.steps.at(-1)?.hash;
  const value =
    rawGot && units
      ? worth(actions.host, { id: walletId }, { ...units.buy, address: saved.to ?? '', raw: BigInt(rawGot) })
      : nothing;
  return html`<div class="end"><span class="badge-round">${icon(iconCheck())}</span><div><p class="title">${atLeast ? msg(html`You got at least ${got}`) : msg(html`You got ${got}`)}</p>${value}<p class="sm muted">${
    atMost
      ? msg(html`for at most ${paid} from ${alias}, by ${exchange}`)
      : msg(html`for ${paid} from ${alias}, by ${exchange}`)
  }</p></div></div>${hash ? hashLine(hash, actions) : nothing}
    <div class=${explorer ? 'actions' : ''}>${
      explorer
        ? html`<a class="btn secondary" href=${explorer} target="_blank" rel="noopener noreferrer">${icon(iconExternal(), 's')}<span>${msg('View on explorer')}</span></a>`
        : nothing
    }<button type="button" part="button" class="btn primary block" @click=${actions.leave}>${msg('New swap')}</button></div>`;
}
