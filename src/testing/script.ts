/** What a test writes: the answers of its wallet. */
import type { Wallet } from '../api/wallet.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { ChainNetworks } from '../channel/node-methods.ts';
import type { ParamsOf, Pending, Results } from '../channel/messages.ts';
import {
  type ConnectError,
  type ErrorCode,
  type ErrorDetails,
  FrameBlockedError,
  fromWire,
  UserRejectedError,
} from '../base/errors.ts';
import type { Action } from '../base/actions.ts';

/** Leaves a request open: the approval is on screen until the test calls `answer` of the request. */
export const unanswered: unique symbol = Symbol('unanswered');

/** What can be scripted. */
export type Scripted = Exclude<Action, 'pending' | 'unlink' | 'rpc'>;

/** A result, or how the request fails. */
export type Given<A extends Scripted> = Results[A] | ConnectError | typeof unanswered;

/** The same each time, or by the request. */
export type Answer<A extends Scripted> = Given<A> | ((params: ParamsOf<A>) => Given<A> | Promise<Given<A>>);

export type Script = { [A in Scripted]?: Answer<A> };

/** By JSON-RPC method: what the network's nodes answer to the provider. */
export type NodeAnswers = Record<string, unknown>;

export interface FakeWalletOptions extends Script {
  /** Wallets that are linked to the page from the start. */
  linked?: readonly Wallet[];
  /** What becomes of transactions after they were sent; `confirmed` when absent. `settle()` changes it later. */
  outcome?: 'confirmed' | 'failed' | 'pending';
  /** What `connect.pending()` finds: answers that an earlier load of the page missed. */
  pending?: readonly Pending[];
  /** Networks of the wallets, for the provider; the mainnet when absent. */
  networks?: Partial<Record<SecretType, ChainNetworks['networks']>>;
  /** `{ eth_call: '0x…' }`, or functions of the parameters. */
  nodes?: NodeAnswers;
}

/** A request that reached the wallet. */
export interface FakeRequest<A extends Scripted = Scripted> {
  readonly action: A;
  readonly params: ParamsOf<A>;
  readonly requestId: string;
  readonly isOpen: boolean;
  /** Answers one that was left open. */
  answer(given: Exclude<Given<A>, typeof unanswered>): void;
}

/** The user presses Reject. */
export function rejected(): ConnectError {
  return new UserRejectedError() as ConnectError;
}

/** The user closes the wallet. */
export function closed(): ConnectError {
  return new UserRejectedError('The wallet was closed before the request was approved.', {
    reason: 'closed',
  }) as ConnectError;
}

/** An error with any code of docs/errors.md, as the page gets it. */
export function failed<C extends ErrorCode>(
  code: C,
  details: Partial<ErrorDetails<C>> = {},
  message = 'The test wants this to fail.',
): ConnectError {
  if (code !== 'frame.blocked') return fromWire({ code, message, details });
  const { reason = 'silent' } = details as Partial<ErrorDetails<'frame.blocked'>>;
  return new FrameBlockedError(message, reason, details) as ConnectError;
}

/** One after the other; the last one stays. */
export function inTurn<A extends Scripted>(...answers: readonly [Answer<A>, ...Answer<A>[]]): Answer<A> {
  let next = 0;
  return (params) => {
    const answer = answers[Math.min(next, answers.length - 1)]!;
    next += 1;
    return typeof answer === 'function' ? (answer as (params: ParamsOf<A>) => Given<A>)(params) : answer;
  };
}
