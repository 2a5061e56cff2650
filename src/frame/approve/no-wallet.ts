import type { HostRequest } from '../../channel/link.ts';
import { ConnectError } from '../../base/errors.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../shell/stage.ts';
import { judgeRequest } from './judge-request.ts';

/**
 * For a wallet that the site names but cannot use. Throws what is wrong with the request besides, else the reason, unless a retry may find
 * the wallet, after enrolling this device or asking the wallet service again.
 */
export async function assertComing(
  frame: Frame,
  vault: Vault,
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
