/** The end of the wire where the wallet's frame would be: records what arrives, and answers by the script. */
import { type Action, actionHas, isAsk } from '../base/actions.ts';
import type { Wallet } from '../api/wallet.ts';
import { canonical } from '../base/canonical.ts';
import { systemClock } from '../base/clock.ts';
import { CARDS, CHAIN_NAMES, type SecretType } from '../chains/secret-type.ts';
import type { TransactionState } from '../chains/terms.ts';
import { secretTypeOf } from '../chains/transaction-types.ts';
import { askParams } from '../channel/ask-schema.ts';
import { type CallOptions, newId } from '../channel/host-call.ts';
import type { HostEnd } from '../channel/host-end.ts';
import type { ChainNetworks } from '../channel/node-methods.ts';
import type { ParamsOf, Pending, Results, RpcAnswer } from '../channel/messages.ts';
import { readParams } from '../channel/read-schema.ts';
import { ConnectError, FrameUnreachableError, fromWire, toWire, UserRejectedError } from '../base/errors.ts';
import type { MemoryRecord } from './memory-record.ts';
import { Nodes } from './nodes.ts';
import { checkedResult } from './results.ts';
import { aBalance, aHash, aSignature, aWallet } from './samples.ts';
import { type FakeRequest, type FakeWalletOptions, type Scripted, unanswered } from './script.ts';

const SENDS: readonly Action[] = ['transfer', 'execute', 'executeAll'];

const CHAIN_IDS: Partial<Record<SecretType, number>> = { ETHEREUM: 1, GOCHAIN: 60 };

function mainnetOf(secretType: SecretType): ChainNetworks['networks'][number] {
  const chainId = CHAIN_IDS[secretType]!;
  return { id: secretType.toLowerCase(), chainId, name: CHAIN_NAMES[secretType], kind: 'mainnet' };
}

interface Open {
  request: FakeRequest;
  body: string;
  options: CallOptions;
  promise: Promise<unknown>;
  settle(answer: unknown): void;
}

export class FakeHost implements HostEnd {
  readonly requests: FakeRequest[] = [];
  readonly #byId = new Map<string, Open>();
  readonly #states = new Map<string, TransactionState>();
  /** Listeners for what comes after a transaction's answer, by hash. */
  readonly #later = new Map<string, (state: 'confirmed' | 'failed') => void>();
  #unheard: Pending[];
  #hashes = 0;
  #destroyed = false;

  constructor(
    readonly options: FakeWalletOptions,
    readonly record: MemoryRecord,
  ) {
    this.#unheard = [...(options.pending ?? [])];
  }

  readonly approve: HostEnd['approve'] = async (action, given, options = {}) => {
    const params = askParams(action as never, given) as ParamsOf<typeof action>;
    const id = options.requestId ?? newId();
    const body = canonical([action, params]);
    const earlier = this.#byId.get(id);
    if (earlier && earlier.body !== body)
      throw new ConnectError('request.conflict', 'This requestId is in use for another request.', {});
    if (earlier) return earlier.promise as never;
    if (this.#destroyed) throw new FrameUnreachableError('This connect was destroyed. Make a new one.');
    if (options.signal?.aborted) throw new UserRejectedError('The request was aborted before it began.');
    this.#checkWallets(action, params);
    return this.#begin(id, action as Scripted, params, body, options) as never;
  };

  readonly read: HostEnd['read'] = async (action, given) => {
    const params = readParams(action as never, given) as ParamsOf<Action>;
    if (action === 'rpc') return this.#rpc(params as ParamsOf<'rpc'>) as never;
    const id = newId();
    this.requests.push({
      action: action as Scripted,
      params: params as never,
      requestId: id,
      isOpen: false,
      answer: () => {},
    });
    return (await this.#answer(action as Scripted, params)) as never;
  };

  readonly readOwn: HostEnd['readOwn'] = (action, params, options) => this.read(action, params, options);
  readonly isOpen = (): boolean => [...this.#byId.values()].some(({ request }) => request.isOpen);
  /** False, so that bad requests are refused before they arrive. */
  readonly opensWindow = (): boolean => false;

  readonly pending: HostEnd['pending'] = async (take = () => true) => {
    const answers = [...this.#unheard];
    for (const each of answers)
      if ((each.state === 'done' || each.state === 'failed') && take(each)) this.delivered(each.requestId);
    return answers;
  };

  readonly delivered = (requestId: string): void => {
    this.#unheard = this.#unheard.filter((each) => each.requestId !== requestId);
  };

  readonly receive = (): void => {};

  readonly destroy = (): void => {
    this.#destroyed = true;
    for (const { request, settle } of this.#byId.values())
      if (request.isOpen) settle(new UserRejectedError('The page closed the wallet.'));
  };

  /** A block has the transaction, or never will. */
  settle(hash: string, state: 'confirmed' | 'failed'): void {
    this.#states.set(hash, state);
    this.#later.get(hash)?.(state);
    this.#later.delete(hash);
    this.record.renew();
  }

  /** Keeps it for `pending()`, unless somebody takes it at once. */
  arrive(pending: Pending): void {
    this.#unheard.push(pending);
  }

  #begin(
    requestId: string,
    action: Scripted,
    params: ParamsOf<Action>,
    body: string,
    options: CallOptions,
  ): Promise<unknown> {
    let isOpen = true;
    let settle!: (answer: unknown) => void;
    const settled = new Promise<unknown>((resolve) => {
      settle = (answer) => {
        isOpen = false;
        resolve(answer);
      };
    });
    const request: FakeRequest = {
      action,
      params: params as never,
      requestId,
      get isOpen() {
        return isOpen;
      },
      answer: (answer) => settle(answer),
    };
    this.requests.push(request);
    const promise = this.#serve(request, settled, options);
    this.#byId.set(requestId, { request, body, options, promise, settle });
    options.signal?.addEventListener('abort', () => {
      if (isOpen) settle(new UserRejectedError('The page cancelled the request.'));
    });
    options.onProgress?.({ requestId, stage: 'approval', transactionHash: undefined });
    this.#scripted(action, params).then(
      (answer) => answer !== unanswered && isOpen && settle(answer),
      (error: unknown) => settle(error instanceof Error ? error : new Error(String(error))),
    );
    return promise;
  }

  async #serve(request: FakeRequest, settled: Promise<unknown>, options: CallOptions): Promise<unknown> {
    const { action, requestId } = request;
    const { onProgress, isTaken } = options;
    const answer = await settled;
    const hears = (): boolean => !actionHas(action, 'signs') || isTaken?.(requestId) !== false;
    if (answer instanceof Error) {
      if (answer instanceof ConnectError && !/^(request|user)\./.test(answer.code) && !hears())
        this.#unheard.push({ requestId, action, state: 'failed', error: toWire(answer) });
      throw answer;
    }
    const result = await checkedResult(action, answer);
    if (actionHas(action, 'signs') || action === 'resume')
      onProgress?.({ requestId, stage: 'signing', transactionHash: undefined });
    const hashes = SENDS.includes(action)
      ? ([result].flat() as { transactionHash: string }[]).map(({ transactionHash }) => transactionHash)
      : [];
    for (const transactionHash of hashes) this.#send(transactionHash, requestId, options);
    if (!hears()) this.#unheard.push({ requestId, action, state: 'done', result });
    return result;
  }

  #send(transactionHash: string, requestId: string, { onProgress }: CallOptions): void {
    const { outcome = 'confirmed' } = this.options;
    this.#states.set(transactionHash, 'pending');
    onProgress?.({ requestId, stage: 'broadcast', transactionHash });
    this.#later.set(transactionHash, (stage) => onProgress?.({ requestId, stage, transactionHash }));
    // In the wallet, too, a block comes after the answer.
    if (outcome !== 'pending') systemClock.after(0, () => this.settle(transactionHash, outcome));
  }

  async #answer(action: Scripted, params: unknown): Promise<unknown> {
    const answer = await this.#scripted(action, params);
    if (answer instanceof Error) throw answer;
    return answer === unanswered ? new Promise(() => {}) : checkedResult(action, answer);
  }

  async #scripted(action: Scripted, params: unknown): Promise<unknown> {
    const { [action]: answer } = this.options;
    if (answer === undefined) return this.#usual(action, params as never);
    return typeof answer === 'function' ? (answer as (params: unknown) => unknown)(params) : answer;
  }

  /** What a user who approves everything, and a network on which nothing is wrong, answer. */
  #usual(action: Scripted, params: Record<string, unknown>): unknown {
    const { secretType, hash, address } = params as { secretType: SecretType; hash: string; address: string };
    switch (action) {
      case 'linkWallets': {
        const chains = (params['secretTypes'] as SecretType[] | undefined) ?? ['ETHEREUM'];
        return chains.map((chain) => this.#walletOf(chain));
      }
      case 'manageWallets':
        return this.#walletOf(params['chain'] as SecretType);
      case 'chooseRecipient':
        return this.#wallet(params['walletId'] as string).address;
      case 'transfer':
        return { transactionHash: this.#nextHash(secretType) };
      case 'execute':
        return { transactionHash: this.#nextHash(this.#chainOf(params)) };
      case 'executeAll':
        return (params['requests'] as Record<string, unknown>[]).map((each) => ({
          transactionHash: this.#nextHash(this.#chainOf(each)),
        }));
      case 'sign': {
        const { type, walletId } = params as { type: string; walletId: string };
        return { success: true, result: aSignature(type, this.#wallet(walletId), systemClock.date()) };
      }
      case 'resume':
        return this.#resumed(params['requestId'] as string);
      case 'balance':
        return (
          this.record.wallets().find((each) => each.address === address)?.balance ??
          aBalance('10', secretType)
        );
      case 'tokenBalances':
      case 'nonFungibles':
      case 'swapPairs':
        return [];
      case 'maxSpendable':
        return '9.99';
      case 'transactionStatus':
        return this.#states.get(hash) ?? 'unknown';
      case 'swapRates':
        return { exchangeRates: [], bestRate: null };
      case 'useNetwork':
      case 'transactionUrl':
      case 'prices':
      case 'swapOutcome':
        return null;
      case 'profile':
        return {
          userId: 'user',
          hasMasterPin: true,
          username: null,
          email: null,
          firstName: null,
          lastName: null,
        };
      default:
        return new TypeError(`fakeWallet has no answer to ${action}: give it one.`);
    }
  }

  #resumed(requestId: string): unknown {
    const pending = this.#unheard.find((each) => each.requestId === requestId);
    if (!pending) return new ConnectError('request.not-found', 'The wallet knows no such request.');
    return pending.error
      ? fromWire(pending.error)
      : pending.state === 'done'
        ? pending.result
        : new UserRejectedError();
  }

  #walletOf(chain: SecretType): Wallet {
    return (
      this.record.wallets().find(({ secretType }) => secretType === chain) ?? aWallet({ secretType: chain })
    );
  }

  #wallet(id: string): Wallet {
    const wallet = this.record.wallets().find((each) => each.id === id);
    if (wallet) return wallet;
    throw new ConnectError('wallet.forbidden', 'This wallet is unknown, or not linked to this site.', {
      walletId: id,
    });
  }

  #checkWallets(action: Action, params: unknown): void {
    if (!isAsk(action)) return;
    const { requests } = params as { requests?: { walletId: string }[] };
    for (const { walletId } of requests ?? [params as { walletId?: string }])
      if (walletId !== undefined) this.#wallet(walletId);
  }

  #chainOf({ type, secretType }: Record<string, unknown>): SecretType {
    return (secretType as SecretType | undefined) ?? secretTypeOf(type as string) ?? 'ETHEREUM';
  }

  #nextHash(chain: SecretType): string {
    return aHash(chain in CARDS ? chain : 'ETHEREUM', (this.#hashes += 1));
  }

  async #rpc({ secretType, method, params, network }: ParamsOf<'rpc'>): Promise<Results['rpc']> {
    const networks = this.options.networks?.[secretType] ?? [mainnetOf(secretType)];
    if (method === 'carabiner_networks') return { result: { networks, customNodes: false, portable: true } };
    const chainId = (networks.find(({ id }) => id === network) ?? networks[0])?.chainId ?? 1;
    return this.#nodes.answer(method, params, chainId) as Promise<RpcAnswer>;
  }

  get #nodes(): Nodes {
    return new Nodes(this.options.nodes ?? {}, (hash) => this.#states.get(hash));
  }
}
