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

export interface Prompt {
  /**
   * `kind`: concurrent `link` requests share one question, because the answer would be the same. `rename` as
   * in `toRpcError`.
   */
  ask<R>(
    kind: 'link' | 'approve',
    run: (options: CallOptions) => Promise<R>,
    rename?: (path: string) => string,
  ): Promise<R>;
}

export function prompt(show: ShowNotice, theme: Notice['theme']): Prompt {
  let linking = false;
  /** Whether everything waits for the user to press our button. */
  let waits = false;

  async function ask<R>(
    kind: 'link' | 'approve',
    run: (options: CallOptions) => Promise<R>,
    rename?: (path: string) => string,
  ): Promise<R> {
    if (waits || (kind === 'link' && linking))
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
        // A window behind the page has the request, and accepts others.
        waits = blocked.reason !== 'behind';
        const leave = show({
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
          theme,
        });
        hide = () => {
          waits = false;
          leave();
        };
      },
    };
    linking ||= kind === 'link';
    try {
      return await run(options);
    } catch (error) {
      throw toRpcError(error, rename);
    } finally {
      if (kind === 'link') linking = false;
      done();
    }
  }

  return { ask };
}
