import { networkOf } from '../../chains/nodes/networks.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../shell/stage.ts';
import { keepsStorage, offerBackUp } from './backup-reminder.ts';

/** The wallet's address and its QR code, until the user is done. */
export async function receive(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  options: OpenOptions,
): Promise<void> {
  const network = networkOf(frame.networks, wallet);
  const [{ ReceiveView }, { coin, gasCoin }, before, kept] = await Promise.all([
    import('./receive-view.ts'),
    frame.chain(wallet.secretType),
    vault.unsaved(),
    keepsStorage(),
  ]);
  const offers = !kept && before.get(wallet.id) === 'phrase';
  if (offers) await offerBackUp(frame, vault, options);
  const unsaved = offers ? await vault.unsaved() : before;
  const view = Object.assign(new ReceiveView(), {
    clock: frame.clock,
    wallet,
    network,
    coins: [...new Set([coin.symbol, gasCoin.symbol])].join(', '),
    unsaved: unsaved.get(wallet.id),
    kept,
  });
  await frame.stage.open(view, options).next('cbf-back', 'cbf-close');
}
