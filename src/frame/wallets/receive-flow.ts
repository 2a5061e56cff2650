import type { Network } from '../../chains/network.ts';
import { networkOf, networksOf } from '../../chains/nodes/networks.ts';
import { CARDS, coinOf, gasCoinOf } from '../../chains/secret-type.ts';
import { listOf } from '../../ui/text.ts';
import type { HeldWallet, Unsaved, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { isReminderDue, keepsStorage, noteReminded } from '../ui/backup-reminder.ts';
import { watchIncoming } from './incoming.ts';

/** How many networks are watched at a time. */
const WATCHED = 4;

/** Shows the wallet's address and QR code, and those of the user's other chains, until the user is done. */
export async function receive(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  options: OpenOptions,
): Promise<void> {
  const [own = networkOf(frame.networks, wallet)] = networksOf(frame.networks, wallet);
  const [{ ReceiveView }, wallets, before, kept] = await Promise.all([
    import('./receive-view.ts'),
    vault.wallets(),
    vault.unsaved(),
    keepsStorage(),
  ]);
  const lacks = kept ? undefined : before.get(wallet.id);
  if (lacks) await offerBackUp(frame, vault, wallet, lacks, options);
  const unsaved = lacks ? await vault.unsaved() : before;
  const choices = onePerAddress(frame, wallet, own, wallets);
  const view = Object.assign(new ReceiveView(), { clock: frame.clock, choices, kept });
  const prices =
    frame.networks.fiat === undefined
      ? undefined
      : (await import('../ui/worth.ts')).watchWorth(frame, (worth) => (view.worth = worth));
  let stop = (): void => {};
  /** Shows one of the choices and watches its address, on this network first. */
  const show = async ({ wallet: one, networks }: Choice, network = networks[0]!): Promise<void> => {
    stop();
    const chain = await frame.chain(one.secretType);
    Object.assign(view, {
      wallet: one,
      places: networks,
      network,
      coins: listOf([...new Set(networks.flatMap((on) => [coinOf(on).symbol, gasCoinOf(on).symbol]))]),
      unsaved: unsaved.get(one.id),
      arrived: undefined,
    });
    const watched = [
      network,
      ...networks.filter((other) => other !== network && other.kind === network.kind),
    ];
    const stops = watched
      .slice(0, WATCHED)
      .map((on) =>
        watchIncoming(
          { chain, node: chain.node(on), address: one.address, clock: frame.clock },
          (amount) => (view.arrived = { amount, network: on }),
        ),
      );
    stop = () => stops.forEach((each) => each());
  };
  try {
    await show(choices[0]!);
    for (;;) {
      const { type, detail } = await frame.stage
        .open(view, options)
        .next('cbf-address', 'cbf-network', 'cbf-back', 'cbf-close', 'cbf-settings-closed');
      if (type === 'cbf-back' || type === 'cbf-close') return;
      if (type === 'cbf-settings-closed') prices?.load();
      if (type === 'cbf-address') await show(choices.find((one) => one.wallet.id === detail.id)!);
      if (type === 'cbf-network')
        await show(
          choices.find((one) => one.wallet === view.wallet)!,
          view.places.find(({ id }) => id === detail.id),
        );
    }
  } finally {
    stop();
    prices?.stop();
  }
}

/** An address, with the networks on which it is the wallet's. */
export interface Choice {
  wallet: HeldWallet;
  networks: readonly Network[];
}

/**
 * The wallet itself, then the first wallet of each other chain; of chains whose addresses differ by network, on each other network of the same
 * kind, so as not to mix test coins with real ones.
 */
function onePerAddress(
  { networks }: Frame,
  wallet: HeldWallet,
  own: Network,
  wallets: readonly HeldWallet[],
): Choice[] {
  const choices = new Map<string, Choice>();
  for (const one of [wallet, ...wallets]) {
    const all = networksOf(networks, one);
    const key = CARDS[one.secretType].addressPerNetwork ? all[0]?.id : one.secretType;
    if (key !== undefined && !choices.has(key) && all.some(({ kind }) => kind === own.kind))
      choices.set(key, { wallet: one, networks: all });
  }
  return [...choices.values()];
}

/**
 * Offers a backup before a wallet at risk receives anything, if a reminder is due. Resolves whatever the user does.
 */
export async function offerBackUp(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  unsaved: Unsaved,
  options: OpenOptions,
): Promise<void> {
  if (!isReminderDue(frame.clock.date())) return;
  const [{ backUpQuestion }, { passkey }] = await Promise.all([
    import('./wallet-questions.ts'),
    vault.state(),
  ]);
  const view = backUpQuestion(unsaved, passkey);
  const { type } = await frame.stage
    .open(view, options)
    .next('cbf-show-words', 'cbf-save-file', 'cbf-export', 'cbf-back', 'cbf-close');
  noteReminded(frame.clock.date());
  if (type === 'cbf-back' || type === 'cbf-close') return;
  // On the wallet's own page, nothing else has taken it.
  const turn = await frame.stage.asks('wallets', options);
  try {
    const asking = { ...options, signal: turn.signal };
    if (type === 'cbf-export')
      return await (await import('./export-flow.ts')).exportWallet(frame, vault, wallet, asking);
    const { saveFile, showWords } = await import('../settings/settings-flow.ts');
    if (type === 'cbf-show-words') await showWords(frame, vault, asking);
    else await saveFile(frame, vault, asking);
  } finally {
    turn.end();
  }
}
