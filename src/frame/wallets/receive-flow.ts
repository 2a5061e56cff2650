import type { Network } from '../../chains/network.ts';
import { coinOf, gasCoinOf } from '../../chains/secret-type.ts';
import { networkOf } from '../../chains/nodes/networks.ts';
import { listOf } from '../../ui/text.ts';
import type { HeldWallet, Unsaved, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { keepsStorage, noteReminded, wasReminded } from '../ui/backup-reminder.ts';
import { watchIncoming } from './incoming.ts';
import { networksByWallet } from '../shell/site-wallets.ts';

/** Shows the wallet's address and QR code, and those on the user's other networks, until the user is done. */
export async function receive(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  options: OpenOptions,
): Promise<void> {
  const own = networkOf(frame.networks, wallet);
  const [{ ReceiveView }, wallets, before, kept] = await Promise.all([
    import('./receive-view.ts'),
    vault.wallets(),
    vault.unsaved(),
    keepsStorage(),
  ]);
  const lacks = kept ? undefined : before.get(wallet.id);
  if (lacks) await offerBackUp(frame, vault, wallet, lacks, options);
  const unsaved = lacks ? await vault.unsaved() : before;
  const choices = onePerNetwork(frame, wallet, own, wallets);
  const view = Object.assign(new ReceiveView(), { clock: frame.clock, choices, kept });
  const prices =
    frame.networks.fiat === undefined
      ? undefined
      : (await import('../ui/worth.ts')).watchWorth(frame, (worth) => (view.worth = worth));
  let stop = (): void => {};
  /** Shows one of the choices and watches its address. */
  const show = async (choice: Choice): Promise<void> => {
    stop();
    const chain = await frame.chain(choice.wallet.secretType);
    Object.assign(view, {
      ...choice,
      coins: listOf([...new Set([coinOf(choice.network).symbol, gasCoinOf(choice.network).symbol])]),
      unsaved: unsaved.get(choice.wallet.id),
      arrived: undefined,
    });
    stop = watchIncoming(
      { chain, node: chain.node(choice.network), address: choice.wallet.address, clock: frame.clock },
      (amount) => (view.arrived = amount),
    );
  };
  try {
    await show(choices[0]!);
    for (;;) {
      const { type, detail } = await frame.stage
        .open(view, options)
        .next('cbf-network', 'cbf-back', 'cbf-close', 'cbf-settings-closed');
      if (type === 'cbf-back' || type === 'cbf-close') return;
      if (type === 'cbf-settings-closed') prices?.load();
      if (type === 'cbf-network') await show(choices.find((one) => one.wallet.id === detail.id)!);
    }
  } finally {
    stop();
    prices?.stop();
  }
}

export interface Choice {
  wallet: HeldWallet;
  network: Network;
}

/** The wallet itself, then the first wallet on each other network of the same kind, so as not to mix test coins with real ones. */
function onePerNetwork(
  { networks }: Frame,
  wallet: HeldWallet,
  own: Network,
  wallets: readonly HeldWallet[],
): Choice[] {
  const choices = new Map<string, Choice>([[own.id, { wallet, network: own }]]);
  const byWallet = networksByWallet(networks, wallets);
  for (const one of wallets) {
    const network = byWallet.get(one.id);
    if (network && network.kind === own.kind && !choices.has(network.id))
      choices.set(network.id, { wallet: one, network });
  }
  return [...choices.values()];
}

/**
 * Offers a backup before a wallet at risk receives anything, whatever else has reminded the user, but after "Remind me later" not again for
 * a day. Resolves whatever the user does.
 */
export async function offerBackUp(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  unsaved: Unsaved,
  options: OpenOptions,
): Promise<void> {
  if (wasReminded(frame.clock.date(), 'offer')) return;
  const [{ backUpQuestion }, { passkey }] = await Promise.all([
    import('./wallet-questions.ts'),
    vault.state(),
  ]);
  const view = backUpQuestion(unsaved, passkey);
  const { type } = await frame.stage
    .open(view, options)
    .next('cbf-show-words', 'cbf-save-file', 'cbf-export', 'cbf-back', 'cbf-close');
  noteReminded(frame.clock.date());
  noteReminded(frame.clock.date(), 'offer');
  if (type === 'cbf-export')
    return (await import('./export-flow.ts')).exportWallet(frame, vault, wallet, options);
  if (type === 'cbf-back' || type === 'cbf-close') return;
  const { saveFile, showWords } = await import('../settings/settings-flow.ts');
  if (type === 'cbf-show-words') await showWords(frame, vault, options);
  else await saveFile(frame, vault, options);
}
