import type { HostRequest } from '../../channel/link.ts';
import { ConnectError } from '../../errors.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../shell/stage.ts';

/**
 * Why a site cannot use the wallet that it names: throws, unless the wallet service was asked again, which may have it, or this device was
 * enrolled for it.
 */
export async function assertComing(
  frame: Frame,
  vault: Vault,
  task: HostRequest,
  id: string,
  archived: HeldWallet | undefined,
): Promise<void> {
  const options: OpenOptions = { signal: task.signal, requestId: task.id };
  if (archived)
    throw new ConnectError(
      'wallet.archived',
      'This wallet is archived. Its owner can bring it back in manageWallets().',
    );
  if ((await vault.service?.elsewhere())?.some((wallet) => wallet.id === id))
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
