/** Signatures of wallets whose keys the service holds: it signs what the user approved here, and sends it. */
import { draftToJson } from '../../api/draft-json.ts';
import { createSignature, executeApproved, exportWallet } from '../../api/routes.ts';
import type { Wallet } from '../../api/wallet.ts';
import { ConnectError } from '../../errors.ts';
import type { Asking, Holder, Signer } from '../types.ts';
import type { ServiceAccount } from './account.ts';
import type { CallService } from './calls.ts';

/** Milliseconds before each try of a call whose answer did not come. */
const AGAIN = [1000, 3000] as const;

export function serviceHolder(
  call: CallService,
  account: ServiceAccount,
  wallet: Wallet,
  pauses: readonly number[] = AGAIN,
): Holder {
  function signer(pin: string): Signer {
    let held: string | undefined = pin;
    const pincode = (): string => {
      if (held !== undefined) return held;
      throw new ConnectError('internal.error', 'The wallet was locked meanwhile.');
    };
    return {
      sign: (of, _chain, draft, asking) =>
        account.withPin(wallet, async () => {
          const request = await asking();
          const text = draftToJson(draft);
          const { id, replaces } = request;
          const body = { walletId: of.id, pincode: pincode(), draft: text, ...(replaces && { replaces }) };
          await request.begin(text);
          try {
            const { transactionHash, raw } = await answerOf(
              () => call(executeApproved, { body }, id),
              request,
            );
            return { hash: transactionHash, raw };
          } catch (error) {
            if (isOvertaken(error)) return undefined;
            throw error;
          }
        }),
      signData: (of, _chain, request, requestId) =>
        account.withPin(wallet, async () => {
          const body = { ...request, walletId: of.id, pincode: pincode() };
          return (await call(createSignature, { body }, requestId)).result;
        }),
      exportKey: ({ id }) =>
        account.withPin(
          wallet,
          async () => (await call(exportWallet, { params: { id }, body: { pincode: pincode() } })).key,
        ),
      close() {
        held = undefined;
      },
    };
  }

  /** Asks until there is an answer, or the user leaves it for later. */
  async function answerOf<T>(ask: () => Promise<T>, request: Asking): Promise<T> {
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
    unlockWithPasskey() {
      throw new ConnectError('internal.error', 'A passkey opens only the wallets of this browser.');
    },
  };
}

/** Another device, or the application, was faster with the wallet. */
function isOvertaken(error: unknown): boolean {
  return (
    error instanceof ConnectError && error.code === 'request.conflict' && error.details['reason'] === 'draft'
  );
}

/**
 * It may have signed, and its answer did not arrive; or it cannot say yet what became of it. After that, a failure that only keeps the
 * question from being heard is no answer.
 */
function isLost(error: unknown, askedBefore: boolean): boolean {
  if (!(error instanceof ConnectError)) return true;
  return (
    /^(service|node)\.unreachable$|^internal\.error$/.test(error.code) ||
    (askedBefore && /^(token|device)\.|^request\.rate-limited$/.test(error.code))
  );
}
