/** The wallet's own Send: a transfer that no site asked for, approved and sent like any other. */
import type { NativeBalance } from '../../api/wallet.ts';
import type { Chain, Node } from '../../chains/chain.ts';
import { networkOf } from '../../chains/nodes/networks.ts';
import { formatAmount } from '../../chains/amount.ts';
import { ConnectError, UserRejectedError } from '../../errors.ts';
import { inertText } from '../../inert-text.ts';
import { coinOf, tokenOf } from '../../ui/assets.ts';
import { msg } from '../../ui/localize.ts';
import { recipientCheck } from '../../ui/recipient-check.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import { deliver } from '../approve/outcome/delivery.ts';
import { approveOwn, type OwnTransaction } from '../approve/own-transaction-flow.ts';
import { knownTo } from '../approve/prepare.ts';
import { showEnd, watchSending } from '../approve/transact-flow.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../shell/stage.ts';
import { SendView } from './send-view.ts';

/** Resolves once something was sent and the user has seen the outcome, or went back. `asset`: the token to begin with; the coin without. */
export async function send(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  options: OpenOptions,
  asset?: { token?: string | undefined },
): Promise<void> {
  const { secretType } = wallet;
  const network = networkOf(frame.networks, wallet);
  const [chain, payloads, check] = await Promise.all([
    frame.chain(secretType),
    frame.payloads(secretType),
    recipientCheck(secretType),
  ]);
  const node = chain.node(network);
  const own: OpenOptions = { ...options, own: true, settings: false };
  const view = Object.assign(new SendView(), { clock: frame.clock, wallet, network });
  const { fields } = view;
  fields.wallet = wallet;
  fields.recipient = check;
  fields.asset = coinOf(secretType, undefined);
  view.most = async (to) => {
    if (!chain.maxSpendable) return undefined;
    const raw = await chain.maxSpendable(wallet.address, to, node);
    return formatAmount(raw, chain.coin.decimals);
  };
  void readAssets(chain, wallet, node, asset?.token, view);
  for (;;) {
    const screen = frame.stage.open(view, own);
    const { type } = await screen.next('cbf-continue', 'cbf-back');
    if (type === 'cbf-back') return;
    view.error = '';
    try {
      const request = payloads.parseTransfer({
        walletId: wallet.id,
        secretType,
        to: fields.to.trim(),
        value: fields.amount,
        ...(fields.asset?.address && { tokenAddress: fields.asset.address }),
      });
      const known = await knownTo(frame, vault, wallet);
      const make = () => chain.prepare(request, wallet.address, node, known);
      await sendAndShow(
        frame,
        { vault, wallet, chain, node, heading: msg('Send'), make },
        { ...options, settings: false },
      );
      return;
    } catch (error) {
      if (!(error instanceof ConnectError) || options.signal.aborted) throw error;
      if (!(error instanceof UserRejectedError)) view.error = inertText(error.shortMessage, 300);
    }
  }
}

/**
 * Resolves once the user has seen the outcome. What no node took is kept by the activity, which sends it again: the form is left then, as
 * another try would send twice.
 */
async function sendAndShow(frame: Frame, transaction: OwnTransaction, options: OpenOptions): Promise<void> {
  const shown = await approveOwn(frame, transaction, options);
  const { approved, outgoing } = shown;
  const { vault, chain, node, signed } = outgoing;
  if (approved.unsent) {
    const { sendAgain, showRefused } = await import('../approve/outcome/outcome-flow.ts');
    const fail = () => vault.activity.setState(signed.hash, 'failed');
    let refused: ConnectError | undefined;
    try {
      const again = () => deliver(chain, signed, node);
      refused = await sendAgain(frame, outgoing, approved.unsent.error, again, fail);
    } catch (error) {
      if (options.signal.aborted) throw error;
      return;
    }
    if (refused) {
      await fail();
      return showRefused(frame, outgoing, refused);
    }
    await vault.activity.setState(signed.hash, 'pending');
  }
  await showEnd(frame, shown, await watchSending(frame, shown));
}

/** What the wallet holds of its coin and of the tokens that the operator lists. What cannot be read is only checked later. */
async function readAssets(
  chain: Chain,
  { secretType, address }: HeldWallet,
  node: Node,
  wanted: string | undefined,
  view: SendView,
): Promise<void> {
  const quiet = <T>(reading: Promise<T>): Promise<T | undefined> => reading.catch(() => undefined);
  const [coins, tokens] = await Promise.all([
    quiet<NativeBalance>(chain.balance(address, node)),
    quiet(chain.tokenBalances(address, node.network.tokens, node)),
  ]);
  view.show(
    [coinOf(secretType, coins), ...(tokens ?? []).filter(({ transferable }) => transferable).map(tokenOf)],
    wanted,
  );
}
