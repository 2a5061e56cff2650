import { css } from 'lit';
import { type ConnectError, mayBeSent, UserRejectedError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import type { TransactionResult } from '../../channel/messages.ts';
import { ignore } from '../connect-element.ts';
import type { ConnectProgressEvent } from '../events.ts';
import { resultStyles } from '../result-row.ts';
import {
  claim,
  currentStep,
  cutShort,
  decided,
  isDone,
  isOver,
  isSent,
  isSentAway,
  keepRun,
  keptRun,
  release,
  type Run,
  running,
  sent,
  sentAll,
} from './swap-run.ts';
import { amountLabel } from '../../ui/swap/swap-fields.ts';
import type { SwapPanel } from './swap-panel.ts';

/** Everything that follows the form of `<swap-panel>`. Loaded with the first review. */
export { review, runOf, spoken, steps } from './swap-review.ts';

// Follows a swap from the press that opens the wallet until every transaction is confirmed or one has failed, across page reloads.

/** Milliseconds between polls of a transaction: the first interval, and the longest that it grows to. */
const LOOK_MS = [1_500, 8_000] as const;

export interface Listener {
  /** The run has changed. */
  changed(): void;
  /** Every transaction is confirmed, or one has failed. */
  over(): void;
  /** It was ended, by the user or a reload, before anything was sent. */
  dropped(run: Run, error: ConnectError | undefined): void;
}

export class SwapProgress {
  run: Run | undefined;
  /** Hash of a swap that an earlier load of the page asked for, if its record is lost. */
  arrived: string | undefined;
  /** The explorer's page for the swap's transaction. */
  explorer: string | null | undefined;
  #timer = 0;
  /** The run whose end was on screen. */
  #seen: Run | undefined;

  constructor(
    private readonly host: SwapPanel,
    private readonly on: Listener,
  ) {}

  connect(): void {
    this.host.addEventListener('connect-progress', this.#onProgress);
    document.addEventListener('visibilitychange', this.#note);
    if (!this.run && (this.run = keptRun())) void this.#resume(this.run);
    else this.#look();
    if (this.run) claim(this.run);
  }

  disconnect(): void {
    this.host.removeEventListener('connect-progress', this.#onProgress);
    document.removeEventListener('visibilitychange', this.#note);
    clearTimeout(this.#timer);
    if (this.run) release(this.run);
  }

  /** Opens the wallet. Call it within the user's press. */
  start(run: Run, open: () => Promise<TransactionResult[]>): Promise<TransactionResult[]> {
    const { requestId } = run;
    this.run = run;
    this.arrived = undefined;
    claim(run);
    this.#keep();
    const result = open();
    running.set(requestId, result);
    result.then(
      () => running.delete(requestId),
      (error: ConnectError) => {
        this.onFailed(error);
        running.delete(requestId);
      },
    );
    return result;
  }

  leave(): void {
    if (this.run) release(this.run);
    this.run = undefined;
    this.explorer = undefined;
    keepRun(undefined);
    clearTimeout(this.#timer);
  }

  onSent(results: readonly TransactionResult[]): void {
    const { run } = this;
    if (!run) this.arrived = results.at(-1)?.transactionHash;
    else {
      sentAll(run, results);
      this.#keep();
      this.#look();
    }
    this.on.changed();
  }

  onFailed(error: ConnectError): void {
    const { run } = this;
    if (!run || isOver(run) || mayBeSent(error)) return;
    const completed = (error.details?.['completed'] ?? []) as TransactionResult[];
    const rejected = error.code === 'user.rejected';
    if (rejected && !completed.length && !isSent(run)) {
      this.leave();
      this.on.dropped(run, error);
    } else {
      cutShort(run, completed, rejected ? msg('You stopped it here. It was not sent.') : reasonOf(error));
      this.#keep();
      this.on.over();
    }
  }

  /** After a reload. An outstanding answer arrives as the element's status. */
  async #resume(run: Run): Promise<void> {
    const { requestId } = run;
    const here = running.get(requestId);
    if (here) {
      here.then(
        (results) => this.onSent(results),
        (error: ConnectError) => this.onFailed(error),
      );
      return;
    }
    if (isOver(run) || run.steps.every(({ hash }) => hash)) return this.#look();
    let isOutstanding: boolean;
    try {
      isOutstanding = (await this.host.current.pending()).some((pending) => pending.requestId === requestId);
    } catch {
      this.host.status = { kind: 'lost', action: 'executeAll', requestId };
      return;
    }
    if (isOutstanding || this.run !== run || isOver(run) || this.host.status.kind !== 'idle') return;
    // The wallet does not know the request, so the rest of it was never approved.
    if (isSent(run)) this.onFailed(new UserRejectedError());
    else {
      this.leave();
      this.on.dropped(run, undefined);
    }
  }

  readonly #onProgress = (event: Event): void => {
    const { stage, requestId, transactionHash } = event as ConnectProgressEvent;
    const { run } = this;
    if (run?.requestId !== requestId || !transactionHash) return;
    if (stage === 'broadcast') sent(run, transactionHash);
    else if (stage === 'confirmed' || stage === 'failed') decided(run, transactionHash, stage);
    this.#keep();
    if (isOver(run)) this.#end(run);
  };

  #keep(): void {
    this.#note();
    this.on.changed();
  }

  /** Once the end has been seen, the record is removed, so that the next load does not show it again. While unloading, the page is hidden. */
  readonly #note = (): void => {
    const { run } = this;
    if (!run) return;
    if ((isOver(run) || isSentAway(run)) && !document.hidden) this.#seen = run;
    keepRun(this.#seen === run ? undefined : run);
  };

  /** Polls the network until the transaction is confirmed or has failed. */
  #look(wait: number = LOOK_MS[0]): void {
    clearTimeout(this.#timer);
    const { run } = this;
    if (!run) return;
    if (isOver(run)) return this.#end(run);
    const hash = currentStep(run)?.hash;
    if (!hash) return;
    if (isSentAway(run) && this.explorer === undefined) this.#findPage(run, hash);
    this.#timer = window.setTimeout(() => {
      this.host.current
        .transactionStatus(hash, run.secretType, onNetwork(run))
        .then((state) => {
          if (this.run !== run) return;
          decided(run, hash, state);
          this.#keep();
        }, ignore)
        .finally(() => this.run === run && this.#look(Math.min(wait * 1.4, LOOK_MS[1])));
    }, wait);
  }

  /** Reads what actually went in and came out. Without it, the result shows the limits, which hold in any case. */
  async #readOutcome(run: Run, hash: string): Promise<void> {
    const { walletId, exchange, units, saved } = run;
    if (!units) return;
    const outcome = await this.host.current.swapOutcome(hash, {
      walletId,
      exchange,
      fromToken: saved.from,
      toToken: saved.to,
      destinationWalletId: saved.destination,
      ...onNetwork(run),
    });
    Object.assign(run, {
      paid: labelled(outcome?.rawInputAmount, units.sell),
      got: labelled(outcome?.rawOutputAmount, units.buy),
      rawGot: outcome?.rawOutputAmount ?? undefined,
    });
    if (this.run === run) this.#keep();
  }

  #end(run: Run): void {
    clearTimeout(this.#timer);
    this.#note();
    this.on.over();
    const hash = run.steps.at(-1)?.hash;
    if (!hash || this.explorer !== undefined || !isDone(run)) return;
    this.#findPage(run, hash);
    this.#readOutcome(run, hash).catch(ignore);
  }

  #findPage(run: Run, hash: string): void {
    this.explorer = null;
    this.host.current.transactionUrl(hash, run.walletId, onNetwork(run)).then((url) => {
      if (this.run !== run) return;
      this.explorer = url;
      this.on.changed();
    }, ignore);
  }
}

function onNetwork({ network }: Run): { network?: string } {
  return network ? { network } : {};
}

function labelled(
  raw: string | null | undefined,
  unit: { symbol: string; decimals: number },
): string | undefined {
  return raw ? amountLabel(BigInt(raw), unit.decimals, unit.symbol, 'down') : undefined;
}

function reasonOf({ code }: ConnectError): string {
  switch (code) {
    case 'frame.unreachable':
      return msg('The wallet was closed before it was sent.');
    case 'node.unreachable':
      return msg('The network did not answer. It was not sent.');
    case 'transaction.insufficient-funds':
      return msg('There is not enough in this wallet. It was not sent.');
    case 'transaction.refused':
      return msg('The network refused the transaction.');
    default:
      return msg('Something went wrong. Try again in a moment.');
  }
}

/** Styles of review and steps. Needs `swapPanelStyles`. */
export const swapOutcomeStyles = css`
  ${resultStyles}
  .delta { display: flex; align-items: center; justify-content: space-between; gap: var(--_s2); padding: 8px var(--_s3); font-size: var(--_fs-sm); }
  .delta + .delta { border-block-start: 1px solid var(--_border); }
  .delta .line { flex-wrap: nowrap; gap: var(--_s2); }
  .delta .in { color: var(--_success); }
  .delta .num { text-align: end; }
  .delta .worth { display: block; color: var(--_text-3); font-weight: 400; }
  .sent .worth { color: var(--_text-3); font-weight: 400; }

  .steps > li { position: relative; display: grid; grid-template-columns: 28px minmax(0, 1fr); gap: 2px var(--_s3); padding-block-end: var(--_s5); }
  .steps > li:last-child { padding-block-end: 0; }
  .steps > li:not(:last-child)::before { content: ""; position: absolute; inset-inline-start: 13px; inset-block: 30px 2px; border-inline-start: 2px solid var(--_border); }
  .steps > .done:not(:last-child)::before { border-color: var(--_success); }
  .dot { display: grid; place-items: center; inline-size: 28px; block-size: 28px; border: 1.5px solid var(--_border-strong); border-radius: 50%; background: var(--_surface); color: var(--_text-2); font-size: var(--_fs-sm); font-weight: 600; }
  .done > .dot { border-color: var(--_success); background: var(--_success-soft); color: var(--_success); }
  .now > .dot { border-color: transparent; color: var(--_accent-text); }
  .now .spin { inline-size: 26px; block-size: 26px; }
  .fail > .dot { border-color: var(--_danger); background: var(--_danger-soft); color: var(--_danger); }
  .fail .why { color: var(--_danger); }
  .hash { display: flex; align-items: center; gap: var(--_s1); min-block-size: var(--_hit); padding-inline-start: var(--_s3); border: 1px solid var(--_border); border-radius: var(--_r-sm); background: var(--_surface-2); }
  .steps .hash { display: flex; margin-block-start: var(--_s2); }
  .hash .addr { flex: 1 1 0; min-inline-size: 0; color: var(--_text-2); }
  .actions { display: flex; flex-wrap: wrap; gap: var(--_s2); }
  .actions > .btn { flex: 1 1 auto; inline-size: auto; padding-inline: 14px; text-decoration: none; }
`;
