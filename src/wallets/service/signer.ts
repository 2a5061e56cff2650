/** Signatures by wallets whose keys the service holds: it signs what the user approved here, and sends it. */
import { draftToJson } from '../../api/draft-json.ts';
import { createSignature, executeApproved, exportWallet } from '../../api/routes.ts';
import type { Wallet } from '../../api/wallet.ts';
import type { AnySignature, Chain, Draft, ParsedSigning, Signed } from '../../chains/chain.ts';
import { ConnectError } from '../../base/errors.ts';
import type { Asking, Holder, PinState, Signer, SigningAsking } from '../types.ts';
import type { ServiceAccount } from './account.ts';
import type { CallService } from './calls.ts';

/** Milliseconds before each retry of a call whose answer did not come. */
const PAUSES = [1000, 3000] as const;

export class ServiceHolder implements Holder {
  readonly #call: CallService;
  readonly #account: ServiceAccount;
  readonly #wallet: Wallet;
  readonly #pauses: readonly number[];

  constructor(
    call: CallService,
    account: ServiceAccount,
    wallet: Wallet,
    pauses: readonly number[] = PAUSES,
  ) {
    this.#call = call;
    this.#account = account;
    this.#wallet = wallet;
    this.#pauses = pauses;
  }

  state(): Promise<PinState> {
    return this.#account.pinLocks.state(this.#wallet);
  }

  async unlock(pin: string): Promise<Signer> {
    return this.#signer(pin);
  }

  /** The device is asked once the request is complete, because its answer is valid only for exactly that request. */
  async unlockWithPasskey(): Promise<Signer> {
    return this.#signer(undefined);
  }

  #signer(pin: string | undefined): Signer {
    return new ServiceSigner(this.#call, this.#account, this.#wallet, this.#pauses, pin);
  }
}

class ServiceSigner implements Signer {
  readonly #call: CallService;
  readonly #account: ServiceAccount;
  readonly #wallet: Wallet;
  readonly #pauses: readonly number[];
  /** `pin`: undefined if the account's passkey stands for it. */
  #opener: { pin: string | undefined } | undefined;

  constructor(
    call: CallService,
    account: ServiceAccount,
    wallet: Wallet,
    pauses: readonly number[],
    pin: string | undefined,
  ) {
    this.#call = call;
    this.#account = account;
    this.#wallet = wallet;
    this.#pauses = pauses;
    this.#opener = { pin };
  }

  sign(
    { id: walletId }: Wallet,
    _chain: Chain,
    draft: Draft,
    asking: () => Promise<Asking>,
  ): Promise<Signed | undefined> {
    return this.#account.pinLocks.watch(this.#wallet, async () => {
      const request = await asking();
      const text = draftToJson(draft);
      const { id: key, replaces, signal } = request;
      const body = { walletId, draft: text, ...(replaces && { replaces }) };
      const open = () =>
        this.#account.openings.inputOf(executeApproved, { body }, this.#pin(), { key, signal });
      let input: ReturnType<typeof open> | undefined = open();
      await input;
      if (request.fresh && !request.fresh()) return undefined;
      await request.begin(text);
      // A passkey's answer is valid for two minutes: after an unbounded pause it is requested again.
      const lost = () => request.lost().then(() => (input = undefined));
      try {
        const { transactionHash, raw } = await this.#answerOf(
          async () => this.#call(executeApproved, await (input ??= open()), key),
          { drop: () => request.drop(), lost },
        );
        return { hash: transactionHash, raw };
      } catch (error) {
        if (isOvertaken(error)) return undefined;
        throw error;
      }
    });
  }

  signData(
    { id: walletId }: Wallet,
    _chain: Chain,
    request: ParsedSigning,
    { id: key, network, signal }: SigningAsking,
  ): Promise<AnySignature> {
    return this.#account.pinLocks.watch(this.#wallet, async () => {
      const { openings } = this.#account;
      const body = { ...request, walletId, ...(network === undefined ? {} : { network }) };
      const input = await openings.inputOf(createSignature, { body }, this.#pin(), { key, signal });
      return (await this.#call(createSignature, input, key)).result;
    });
  }

  exportKey({ id }: Wallet): Promise<string> {
    return this.#account.pinLocks.watch(this.#wallet, async () => {
      const { key } = await this.#account.openings.call(
        exportWallet,
        { params: { id }, body: {} },
        this.#pin(),
      );
      return key;
    });
  }

  close(): void {
    this.#opener = undefined;
  }

  #pin(): string | undefined {
    if (this.#opener) return this.#opener.pin;
    throw new ConnectError('internal.error', 'The wallet was locked meanwhile.');
  }

  /** Retries until there is an answer, or the user leaves it for later. */
  async #answerOf<T>(
    call: () => Promise<T>,
    request: Pick<Asking, 'drop'> & { lost(): Promise<unknown> },
  ): Promise<T> {
    for (let tries = 0; ; tries++)
      try {
        return await call();
      } catch (error) {
        if (!isLost(error, tries > 0)) {
          await request.drop();
          throw error;
        }
        const pause = this.#pauses[tries];
        if (pause === undefined) await request.lost();
        else await new Promise((resolve) => setTimeout(resolve, pause));
      }
  }
}

/** Another device, or the application, was faster with the wallet. */
function isOvertaken(error: unknown): boolean {
  return (
    error instanceof ConnectError && error.code === 'request.conflict' && error.details['reason'] === 'draft'
  );
}

/**
 * The service may have signed without its answer arriving, or cannot say yet what happened. After that, a failure
 * that merely keeps the request from being processed is not an answer.
 */
function isLost(error: unknown, isRetry: boolean): boolean {
  if (!(error instanceof ConnectError)) return true;
  if (/^(service|node)\.unreachable$|^internal\.error$/.test(error.code)) return true;
  if (!isRetry) return false;
  const unheard = /^(token|device|passkey)\.|^(request\.rate-limited|user\.rejected)$/;
  return unheard.test(error.code) || error.details['reason'] === 'passkey';
}
