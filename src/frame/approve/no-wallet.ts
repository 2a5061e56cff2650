import { ConnectError, RequestInvalidError } from '../../base/errors.ts';
import type { Payloads } from '../../chains/requests/payloads.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import type { HostRequest } from '../../channel/link.ts';
import type { HeldWallet, KeyStore } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';

/**
 * For a wallet that the site names but cannot use. Throws what is wrong with the request besides, else the reason, unless a retry may find
 * the wallet, after enrolling this device or asking the wallet service again.
 */
export async function assertComing(
  frame: Frame,
  vault: KeyStore,
  task: HostRequest,
  request: { walletId: string },
  archived: HeldWallet | undefined,
): Promise<void> {
  await judgeRequest(frame, task.action, request);
  const options: OpenOptions = { signal: task.signal, requestId: task.id };
  if (archived)
    throw new ConnectError(
      'wallet.archived',
      'This wallet is archived. Its owner can bring it back in manageWallets().',
    );
  if ((await vault.service?.elsewhere())?.some((wallet) => wallet.id === request.walletId))
    return (await import('../service/service-account-flow.ts')).enrol(frame, options);
  const trouble = await vault.service?.trouble();
  if (!trouble)
    throw new ConnectError(
      'wallet.forbidden',
      'This wallet is not linked to your site, or does not exist. Call linkWallets() first.',
    );
  const { untilServed } = await import('../service/service-down-flow.ts');
  await untilServed(frame, vault, trouble, options);
}

/** What a request says about its chain. */
interface Named {
  type?: string;
  secretType?: unknown;
}

/**
 * Parses a request, or one of a list, by the schemas of the chain that it names itself: so a site reads which field is wrong also where it
 * may not use the wallet, and learns nothing about the wallet from it. Throws `request.invalid` and `chain.not-supported`.
 */
export async function judgeRequest(
  frame: Frame,
  action: HostRequest['action'],
  request: object,
): Promise<void> {
  const parse = PARSE[action];
  if (!parse) return;
  const { type = '', secretType } = request as Named;
  const { isSecretType, secretTypeOf } = await import('../../chains/transaction-types.ts');
  const chain = isSecretType(String(secretType)) ? (secretType as SecretType) : secretTypeOf(type);
  if (!chain) {
    const path = secretType === undefined && type ? 'type' : 'secretType';
    throw new RequestInvalidError([{ path, message: 'names none of the chains' }]);
  }
  parse(await frame.payloads(chain), request);
}

const PARSE: Partial<Record<HostRequest['action'], (payloads: Payloads, request: object) => unknown>> = {
  transfer: (payloads, request) => payloads.parseTransfer(request),
  execute: (payloads, request) => payloads.parse(request),
  executeAll: (payloads, request) => payloads.parse(request),
  sign: (payloads, request) => payloads.parseSigning(request),
};
