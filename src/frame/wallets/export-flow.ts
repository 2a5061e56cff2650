import type { Chain } from '../../chains/chain.ts';
import type { NetworkKind } from '../../chains/network.ts';
import { networksOf } from '../../chains/nodes/networks.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { intentToExport } from '../unlock/ask-pin-flow.ts';
import { unlockOrLeave, waitOutLock } from '../unlock/unlock.ts';
import { ExportView, PrivateKeyView } from './export-view.ts';

/** Shows the private key, after a tick and the passkey or PIN. */
export async function exportWallet(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  options: OpenOptions,
): Promise<void> {
  const own: OpenOptions = { ...options, own: true, settings: false };
  const holder = vault.holder(wallet);
  await waitOutLock(frame, holder, own);
  const [chain, ways] = await Promise.all([frame.chain(wallet.secretType), holder.state()]);
  const kind = kindOf(chain, wallet.address);
  const networks = networksOf(frame.networks, wallet);
  const kinds = networks.length ? networks.map((network) => network.kind) : [kind];
  const test = !kinds.includes('mainnet');
  const view = Object.assign(new ExportView(), { wallet, test, passkey: ways.passkey, pin: ways.pin });
  const screen = frame.stage.open(view, own);
  for (;;) {
    const { type } = await screen.next('cbf-approve', 'cbf-passkey-approve', 'cbf-back');
    if (type === 'cbf-back') return;
    const pin = type === 'cbf-approve' ? view.takePin() : undefined;
    const tell = (text: string): void => {
      view.busy = false;
      view.pinError = text;
    };
    const keyOf = async (signal: AbortSignal): Promise<string> => {
      const signer = await (pin === undefined
        ? holder.unlockWithPasskey(intentToExport(wallet, own), signal)
        : holder.unlock(pin));
      try {
        signal.throwIfAborted();
        return await signer.exportKey(wallet, chain, kind);
      } finally {
        signer.close();
      }
    };
    const key = await unlockOrLeave(frame, holder, screen, tell, keyOf);
    if (key === undefined) continue;
    const keyView = Object.assign(new PrivateKeyView(), { clock: frame.clock, alias: wallet.alias, key });
    await vault.confirmExport(wallet.id);
    await frame.stage.open(keyView, own).next('cbf-done');
    return;
  }
}

const KINDS: readonly NetworkKind[] = ['mainnet', 'testnet', 'local'];

/** Derived from the address, so that the key can be exported even if the wallet's network is gone. */
function kindOf(chain: Chain, address: string): NetworkKind {
  return KINDS.find((kind) => chain.isAddress(address, kind)) ?? 'mainnet';
}
