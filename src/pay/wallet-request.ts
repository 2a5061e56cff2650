/** The request to the wallet, by `<transfer-dialog>`, and its answer: also after a reload, and only if it is for this payment. */
import type { ReactiveControllerHost } from 'lit';
import * as z from 'zod/mini';
import type { Connect } from '../actions/types.ts';
import type {
  ConnectErrorEvent,
  ConnectProgressEvent,
  ConnectRequestEvent,
  ConnectResultEvent,
} from '../elements/events.ts';
import { TransferDialog } from '../elements/transfer-dialog/transfer-dialog.ts';
import { mayBeSent } from '../base/errors.ts';

/**
 * The request under way, in `sessionStorage`, so that a reload resumes it: its id, which ties the wallet's answer to this payment, and the
 * transaction in that answer until it has been reported to the service.
 */
const StoredRequest = z.object({ request: z.optional(z.string()), hash: z.optional(z.string()) });
type StoredRequest = z.infer<typeof StoredRequest>;

const KEY = `carabiner-pay-wallet:${location.pathname}`;

export interface RequestListener {
  /** Whether a request is open, or its answer was lost and it may have been sent: paying another way meanwhile could pay twice. */
  held(on: boolean): void;
  /** The wallet sent the transaction. */
  sent(): void;
  /** The user rejected it or closed the wallet. */
  rejected(): void;
  /** A transaction sent earlier made progress. */
  moved(): void;
}

/** Leaves it to the page to report the outcome. */
export class PaymentDialog extends TransferDialog {
  protected override followsSent = false;
}

export class WalletRequest {
  readonly dialog = new PaymentDialog();
  /** The wallet has the request. */
  asking = false;
  /** Approved, but the answer was lost: the dialog offers to look it up. */
  lost = false;
  /** The user has approved: it can no longer be cancelled. */
  #approved = false;
  /** The earlier request being looked up belongs to another payment. */
  #foreign = false;
  #kept: StoredRequest = storedRequest();

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
    on('error', ({ error }: ConnectErrorEvent) => {
      if (this.asking) this.#hold(false, mayBeSent(error));
    });
  }

  /** The hash of the transaction sent, until the service has it. */
  get hash(): string | undefined {
    return this.#kept.hash;
  }

  /** The service has the hash. */
  reported(): void {
    this.#keep({});
  }

  /** Resumes what a previous load of the page left open. */
  async recover(connect: Connect): Promise<void> {
    const state = this.#kept.request && (await this.#answer(connect))?.state;
    if (state === 'unknown' || state === 'unsent') this.#hold(false, true);
  }

  /** Cancels a request not approved by now: it would come too late. After a lost answer, the customer may pay another way. */
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
    storeRequest(kept);
    this.host.requestUpdate();
  }

  #hold(asking: boolean, lost = false): void {
    Object.assign(this, { asking, lost });
    this.#approved = false;
    this.listener.held(asking || lost);
    this.host.requestUpdate();
  }

  /** With an id, it looks up an earlier request. */
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

  /** The dialog also delivers answers owed to a previous load of this page, or to another payment's page. */
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

function storeRequest(request: StoredRequest): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(request));
  } catch {
    // Storage is full or denied: the service finds the payment on the chain anyway.
  }
}

function storedRequest(): StoredRequest {
  try {
    return StoredRequest.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? '')).data ?? {};
  } catch {
    return {};
  }
}
