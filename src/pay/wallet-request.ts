/** What the wallet is asked for, by `<transfer-dialog>`, and what it answers: also after a reload, and only what is about this payment. */
import type { ReactiveControllerHost } from 'lit';
import type { Connect } from '../actions/types.ts';
import type {
  ConnectErrorEvent,
  ConnectProgressEvent,
  ConnectRequestEvent,
  ConnectResultEvent,
} from '../elements/events.ts';
import { TransferDialog } from '../elements/transfer-dialog.ts';
import { type StoredRequest, keepWallet, keptWallet } from './kept-wallet.ts';

export interface RequestListener {
  /** Whether the wallet is being asked, or may have sent what it did not answer: another payment meanwhile could be a second one. */
  held(on: boolean): void;
  /** The wallet sent it. */
  sent(): void;
  /** The user rejected it or closed the wallet. */
  rejected(): void;
  /** What was sent got further. */
  moved(): void;
}

/** The page itself says what became of the payment. */
export class PaymentDialog extends TransferDialog {
  protected override followsSent = false;
}

export class WalletRequest {
  readonly dialog = new PaymentDialog();
  /** The wallet has the request. */
  asking = false;
  /** It was approved, and no answer came: the dialog offers to look it up. */
  lost = false;
  /** The user has approved: it cannot be called off. */
  #approved = false;
  /** An earlier request that is looked up is the one of another payment. */
  #foreign = false;
  #kept: StoredRequest = keptWallet();

  constructor(
    private readonly host: Pick<ReactiveControllerHost, 'requestUpdate'>,
    private readonly listener: RequestListener,
  ) {
    const on = <E extends Event>(name: string, hear: (event: E) => void): void =>
      this.dialog.addEventListener(`connect-${name}`, hear as (event: Event) => void);
    on('request', ({ request }: ConnectRequestEvent) => this.#onRequest(request as { requestId?: string }));
    on('progress', ({ stage, requestId }: ConnectProgressEvent) => this.#onProgress(stage, requestId));
    on('result', ({ result }: ConnectResultEvent) => {
      void this.#onResult((result as { transactionHash: string }).transactionHash);
    });
    on('cancel', () => this.#onCancel());
    on('error', ({ error: { code, details } }: ConnectErrorEvent) => {
      if (this.asking)
        this.#hold(false, code === 'frame.unreachable' && typeof details['requestId'] === 'string');
    });
  }

  /** What was sent, until the service knows. */
  get hash(): string | undefined {
    return this.#kept.hash;
  }

  /** The service knows it. */
  reported(): void {
    this.#keep({});
  }

  /** Takes up what a former load of the page left open. */
  async recover(connect: Connect): Promise<void> {
    const state = this.#kept.request && (await this.#answer(connect))?.state;
    if (state === 'unknown' || state === 'unsent') this.#hold(false, true);
  }

  /** A request that is not approved by now would come too late. An approved one may still arrive; the customer can still pay another way. */
  giveUp(): void {
    if (this.asking && !this.#approved) this.dialog.cancel();
    if (this.lost) this.listener.held(false);
  }

  async #answer(connect: Connect) {
    const answers = await connect.pending().catch(() => []);
    return answers.find(({ requestId }) => requestId === this.#kept.request);
  }

  #keep(kept: StoredRequest): void {
    this.#kept = kept;
    keepWallet(kept);
    this.host.requestUpdate();
  }

  #hold(asking: boolean, lost = false): void {
    Object.assign(this, { asking, lost });
    this.#approved = false;
    this.listener.held(asking || lost);
    this.host.requestUpdate();
  }

  /** With an id it looks up an earlier one. */
  #onRequest({ requestId }: { requestId?: string }): void {
    this.#foreign = requestId !== undefined && requestId !== this.#kept.request;
    if (!this.#foreign) this.#keep(requestId ? { request: requestId } : {});
    this.#hold(true);
  }

  #onProgress(stage: string, request: string): void {
    this.#approved = stage !== 'approval';
    if (!this.asking) this.listener.moved();
    else if (!this.#foreign) this.#keep({ request });
  }

  /** The dialog also hands over what a former load of this page was owed, or the page of another payment. */
  async #onResult(hash: string): Promise<void> {
    if (!this.asking) {
      const answer = await this.#answer(this.dialog.current);
      if ((answer?.result as { transactionHash?: string } | undefined)?.transactionHash !== hash) return;
    }
    this.#hold(false);
    if (this.#foreign) return;
    this.#keep({ hash });
    this.listener.sent();
  }

  #onCancel(): void {
    if (!this.asking) return;
    this.#hold(false);
    if (this.#foreign) return;
    this.#keep({});
    this.listener.rejected();
  }
}
