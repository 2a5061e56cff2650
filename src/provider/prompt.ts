/**
 * One question to the user at a time. Libraries wait for estimates before they ask, so the click may be over
 * by then, and the browser blocks the wallet's window: the page then shows our button, and the request stays
 * open.
 */
import type { CallOptions } from '../channel/host-call.ts';
import { CODE, ProviderRpcError, toRpcError } from './rpc-error.ts';

export type Blocked = Parameters<NonNullable<CallOptions['onBlocked']>>[0];

export interface Notice {
  blocked: Blocked;
  theme: 'auto' | 'light' | 'dark' | undefined;
}

/** Shows the button; returns a function that removes it. */
export type ShowNotice = (notice: Notice) => () => void;

export class Prompt {
  readonly #show: ShowNotice;
  readonly #theme: Notice['theme'];
  #isLinking = false;
  /** Whether everything waits for the user to press our button. */
  #isBlocked = false;

  constructor(show: ShowNotice, theme: Notice['theme']) {
    this.#show = show;
    this.#theme = theme;
  }

  /**
   * `kind`: concurrent `link` requests share one question, because the answer would be the same. `rename` as
   * in `toRpcError`.
   */
  async ask<R>(
    kind: 'link' | 'approve',
    run: (options: CallOptions) => Promise<R>,
    rename?: (path: string) => string,
  ): Promise<R> {
    if (this.#isBlocked || (kind === 'link' && this.#isLinking))
      throw new ProviderRpcError(
        CODE.pending,
        'The wallet is waiting for an answer to an earlier request. Answer that one first.',
      );
    let hide = (): void => {};
    const done = (): void => {
      hide();
      hide = () => {};
    };
    const options: CallOptions = {
      onProgress: ({ stage }) => {
        if (stage !== 'approval') done();
      },
      onBlocked: (blocked) => {
        done();
        hide = this.#offer(blocked, done);
      },
    };
    this.#isLinking ||= kind === 'link';
    try {
      return await run(options);
    } catch (error) {
      throw toRpcError(error, rename);
    } finally {
      if (kind === 'link') this.#isLinking = false;
      done();
    }
  }

  /** Shows the button; returns a function that removes it. `done` is called when it is pressed. */
  #offer(blocked: Blocked, done: () => void): () => void {
    // A window behind the page has the request, and accepts others.
    this.#isBlocked = blocked.reason !== 'behind';
    const leave = this.#show({
      blocked: {
        ...blocked,
        open() {
          done();
          blocked.open();
        },
        cancel() {
          done();
          blocked.cancel();
        },
      },
      theme: this.#theme,
    });
    return () => {
      this.#isBlocked = false;
      leave();
    };
  }
}
