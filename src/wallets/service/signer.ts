/** Signatures by wallets whose keys the service holds: it signs what the user approved here, and sends it. */
import { draftToJson } from '../../api/draft-json.ts';
import { createSignature, executeApproved, exportWallet } from '../../api/routes.ts';
import type { Wallet } from '../../api/wallet.ts';
import { ConnectError } from '../../base/errors.ts';
import type { Asking, Holder, Signer } from '../types.ts';
import type { ServiceAccount } from './account.ts';
import type { CallService } from './calls.ts';

/** Milliseconds before each retry of a call whose answer did not come. */
const AGAIN = [1000, 3000] as const;

export function serviceHolder(
  call: CallService,
  account: ServiceAccount,
  wallet: Wallet,
  pauses: readonly number[] = AGAIN,
): Holder {
  /** `pin`: undefined if the account's passkey stands for it. */
  function signer(pin: string | undefined): Signer {
    let held: { pin: string | undefined } | undefined = { pin };
    const pincode = (): string | undefined => {
      if (held) return held.pin;
      throw new ConnectError('internal.error', 'The wallet was locked meanwhile.');
    };
    return {
      sign: (of, _chain, draft, asking) =>
        account.withPin(wallet, async () => {
          const request = await asking();
          const text = draftToJson(draft);
          const { id, replaces, signal } = request;
          const body = { walletId: of.id, draft: text, ...(replaces && { replaces }) };
          const open = () => account.opening(executeApproved, { body }, pincode(), { key: id, signal });
          let opened: ReturnType<typeof open> | undefined = open();
          await opened;
          if (request.fresh && !request.fresh()) return undefined;
          await request.begin(text);
          // A passkey's answer is valid for two minutes: after an unbounded pause it is requested again.
          const { lost } = request;
          const patient = { ...request, lost: () => lost().then(() => (opened = undefined)) };
          try {
            const { transactionHash, raw } = await answerOf(
              async () => call(executeApproved, await (opened ??= open()), id),
              patient,
            );
            return { hash: transactionHash, raw };
          } catch (error) {
            if (isOvertaken(error)) return undefined;
            throw error;
          }
        }),
      signData: (of, _chain, request, requestId, signal) =>
        account.withPin(wallet, async () => {
          const body = { ...request, walletId: of.id };
          const opened = await account.opening(createSignature, { body }, pincode(), {
            key: requestId,
            signal,
          });
          return (await call(createSignature, opened, requestId)).result;
        }),
      exportKey: ({ id }) =>
        account.withPin(wallet, async () => {
          const opened = await account.opening(exportWallet, { params: { id }, body: {} }, pincode());
          return (await call(exportWallet, opened)).key;
        }),
      close() {
        held = undefined;
      },
    };
  }

  /** Retries until there is an answer, or the user leaves it for later. */
  async function answerOf<T>(
    ask: () => Promise<T>,
    request: Pick<Asking, 'drop'> & { lost(): Promise<unknown> },
  ): Promise<T> {
    for (let tries = 0; ; tries++)
      try {
        return await ask();
      } catch (error) {
        if (!isLost(error, tries > 0)) {
          await request.drop();
          throw error;
        }
        const pause = pauses[tries];
        if (pause === undefined) await request.lost();
        else await new Promise((resolve) => setTimeout(resolve, pause));
      }
  }

  return {
    state: () => account.pinState(wallet),
    unlock: async (pin) => signer(pin),
    // The device is asked once the request is complete, because its answer is valid only for exactly that request.
    unlockWithPasskey: async () => signer(undefined),
  };
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
function isLost(error: unknown, askedBefore: boolean): boolean {
  if (!(error instanceof ConnectError)) return true;
  if (/^(service|node)\.unreachable$|^internal\.error$/.test(error.code)) return true;
  if (!askedBefore) return false;
  const unheard = /^(token|device|passkey)\.|^(request\.rate-limited|user\.rejected)$/;
  return unheard.test(error.code) || error.details['reason'] === 'passkey';
}
