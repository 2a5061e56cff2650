/** The wallet's own Send: a transfer that no site asked for, approved and sent like any other. */
import type { NativeBalance } from '../../api/wallet.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Node } from '../../chains/terms.ts';
import { networkOf } from '../../chains/nodes/networks.ts';
import { partlyRead } from '../../chains/nodes/balances.ts';
import { formatAmount } from '../../base/amount.ts';
import type { Payloads } from '../../chains/requests/payloads.ts';
import { ConnectError, UserRejectedError } from '../../base/errors.ts';
import { type Asset, coinOf, tokenOf } from '../../ui/assets.ts';
import { hasCamera } from '../../ui/qr-reader.ts';
import { recipientCheck } from '../../ui/recipient-check.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import { deliverAgain, dismissed } from '../approve/outcome/delivery.ts';
import { approveOwn, type OwnTransaction } from '../approve/own-transaction-flow.ts';
import { knownTo } from '../approve/prepare.ts';
import { showEnd, type Shown, watchSending } from '../approve/transact-flow.ts';
import type { Frame } from '../frame.ts';
import { knownRecipients } from '../recipients/search.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { loadBalances } from './balances.ts';
import type { Item } from './nfts.ts';
import { SendView } from './send-view.ts';
import { networksByWallet } from '../shell/site-wallets.ts';

/**
 * Resolves once something was sent and the user has seen the outcome, or on Back. `first`: the wallet preselected; `what`: the token
 * preselected (default: the coin), or the NFT to send, which is only in this wallet.
 */
export async function send(
  frame: Frame,
  vault: Vault,
  first: HeldWallet,
  options: OpenOptions,
  what: { token?: string | undefined; item?: Item | undefined } = {},
): Promise<void> {
  const { secretType } = first;
  const [chain, payloads, check, others] = await Promise.all([
    frame.chain(secretType),
    frame.payloads(secretType),
    recipientCheck(secretType),
    vault.wallets({ secretType, now: true }),
  ]);
  const networks = networksByWallet(frame.networks, [first, ...others]);
  const wallets = others.filter(({ id }) => (what.item ? id === first.id : networks.has(id)));
  const own: OpenOptions = { ...options, own: true, settings: false };
  const view = Object.assign(new SendView(), {
    clock: frame.clock,
    wallets,
    networks,
    camera: frame.link.surface === 'popup' && hasCamera(),
    item: what.item,
  });
  const { fields } = view;
  fields.recipient = check;
  let wallet = first;
  let node = chain.node(networkOf(frame.networks, first));
  const use = (next: HeldWallet, token: string | undefined): void => {
    wallet = next;
    node = chain.node(networkOf(frame.networks, next));
    const { network } = node;
    const listed = token && network.tokens.find((one) => one.address.toLowerCase() === token.toLowerCase());
    view.from(next, network, coinOf(secretType, undefined), listed ? { ...listed, raw: null } : undefined);
    if (!what.item) void readAssets(chain, next, node, view);
  };
  view.maxSpendable = async (to) => {
    if (!chain.maxSpendable) return undefined;
    const raw = await chain.maxSpendable(wallet.address, to, node);
    return formatAmount(raw, chain.coin.decimals);
  };
  view.lookUp = async (text) => {
    const { lookUpName, NameProblem, problemText } = await import('../recipients/look-up-name.ts');
    const { network } = node;
    try {
      return { ...(await lookUpName(frame, text, network)), at: frame.clock.date() };
    } catch (error) {
      if (!(error instanceof NameProblem)) throw error;
      return { why: problemText(error, network) };
    }
  };
  view.readCode = async (code) => {
    const { fillFrom } = await import('../recipients/scan-flow.ts');
    return fillFrom(code, view.network, view);
  };
  view.readBalances = () => {
    const unread = wallets.filter(({ id }) => !view.balances.has(id));
    void loadBalances(frame, unread, (found) => (view.balances = new Map([...view.balances, ...found])));
  };
  const prices = watchPrices(frame, view);
  const readKnown = async (): Promise<void> => {
    const all = await knownRecipients(vault, secretType);
    const self = wallet.address.toLowerCase();
    view.known = all.filter(
      ({ address }) => chain.isAddress(address, node.network.kind) && address.toLowerCase() !== self,
    );
  };
  use(first, what.token);
  try {
    await readKnown();
    for (;;) {
      const { type, detail } = await frame.stage
        .open(view, own)
        .next('cbf-continue', 'cbf-known', 'cbf-scan', 'cbf-wallet', 'cbf-back');
      view.error = undefined;
      if (type === 'cbf-back') return;
      if (type === 'cbf-wallet') {
        const chosen = wallets.find(({ id }) => id === detail.id);
        if (!chosen) continue;
        use(chosen, fields.asset?.address);
        // Not awaited: a press meanwhile must not be lost.
        readKnown().catch(() => {});
        continue;
      }
      if (type === 'cbf-known') {
        const { pickRecipient } = await import('../recipients/recipients-flow.ts');
        const address = await pickRecipient(frame, vault, wallet, own);
        await readKnown();
        if (address) view.fill(address);
        continue;
      }
      if (type === 'cbf-scan') {
        await (await import('../recipients/scan-flow.ts')).scan(frame, view.network, own, view);
        continue;
      }
      let signed: Shown;
      try {
        const sending: Sending = { vault, wallet, chain, node, payloads };
        signed = await approveOwn(frame, await transactionOf(frame, sending, view, options), options);
      } catch (error) {
        if (!(error instanceof ConnectError) || options.signal.aborted) throw error;
        if (!(error instanceof UserRejectedError)) view.error = error;
        continue;
      }
      // From here on there is no way back to the form: another attempt would send twice.
      return await showOutcome(frame, signed, options);
    }
  } finally {
    prices?.stop();
  }
}

type Sending = Pick<OwnTransaction, 'vault' | 'wallet' | 'chain' | 'node'> & { payloads: Payloads };

/** The form's content as a transaction to approve. Rejects with `user.rejected` if an e-mail address was not found. */
async function transactionOf(
  frame: Frame,
  { payloads, ...from }: Sending,
  { fields, recipient, item }: SendView,
  { signal, requestId }: OpenOptions,
): Promise<OwnTransaction> {
  const { vault, wallet, chain, node } = from;
  const { id, secretType, address } = wallet;
  const transfer = { walletId: id, secretType, to: recipient.address };
  const given = item
    ? payloads.parse({
        ...transfer,
        type: 'NFT_TRANSFER',
        tokenAddress: item.contract,
        tokenId: item.tokenId,
      })
    : payloads.parseTransfer({
        ...transfer,
        value: fields.amount,
        ...(fields.asset?.address && { tokenAddress: fields.asset.address }),
      });
  const task = { id: requestId, signal, progress: () => {} };
  const { request, email } = recipient.address.includes('@')
    ? await (await import('../approve/recipient-flow.ts')).resolved(frame, task, {
        ...from,
        request: given,
        customNode: undefined,
      })
    : { request: given, email: recipient.found?.name };
  const known = await knownTo(frame, vault, wallet);
  const make = () => chain.prepare(request, address, node, known);
  return { ...from, heading: '', email, make };
}

function watchPrices(frame: Frame, view: SendView): { stop(): void } | undefined {
  if (frame.networks.fiat === undefined) return undefined;
  let stop = (): void => {};
  let over = false;
  void Promise.all([import('../ui/worth.ts'), import('../../ui/worth.ts')]).then(
    ([{ pricesOf, watchWorth }, { unitPrice }]) => {
      const prices = pricesOf(frame);
      if (!prices || over) return;
      const priceOf = ({ symbol, decimals, address: token }: Asset) =>
        decimals === null
          ? undefined
          : unitPrice(
              prices.worth(view.network, {
                raw: 10n ** BigInt(decimals),
                decimals,
                symbol,
                ...(token && { token }),
              }),
            );
      const watch = watchWorth(frame, () => (view.priceOf = (asset) => priceOf(asset)));
      stop = () => watch?.stop();
    },
    () => {},
  );
  return {
    stop() {
      over = true;
      stop();
    },
  };
}

/** Resolves once the user has seen the outcome. A transaction that no node accepted stays in the activity, which can send it again. */
async function showOutcome(frame: Frame, shown: Shown, options: OpenOptions): Promise<void> {
  const { approved, outgoing } = shown;
  const { vault, chain, node, signed } = outgoing;
  if (approved.unsent) {
    const { sendAgain, showRefused } = await import('../approve/outcome/outcome-flow.ts');
    let refused: ConnectError | undefined;
    try {
      const again = () => deliverAgain(chain, signed, node);
      const leave = async () => dismissed({ requestId: outgoing.task.id, signed: [signed] });
      refused = await sendAgain(frame, outgoing, approved.unsent.error, again, leave);
    } catch (error) {
      if (options.signal.aborted) throw error;
      return;
    }
    if (refused) {
      await vault.activity.setState(signed.hash, 'failed');
      return showRefused(frame, outgoing, refused);
    }
    await vault.activity.setState(signed.hash, 'pending');
  }
  await showEnd(frame, shown, await watchSending(frame, shown));
}

/** The wallet's balances of its coin and of the operator's listed tokens. A balance that cannot be read is only checked later. */
async function readAssets(chain: Chain, wallet: HeldWallet, node: Node, view: SendView): Promise<void> {
  const { secretType, address } = wallet;
  const quiet = <T>(reading: Promise<T>): Promise<T | undefined> => reading.catch(() => undefined);
  const [coins, tokens] = await Promise.all([
    quiet<NativeBalance>(chain.balance(address, node)),
    quiet(
      chain
        .tokenBalances(address, node.network.tokens, node)
        .catch((error: unknown) => partlyRead(error).balances),
    ),
  ]);
  // Another wallet was chosen meanwhile.
  if (view.wallet !== wallet) return;
  view.show([
    coinOf(secretType, coins),
    ...(tokens ?? []).filter(({ transferable }) => transferable).map(tokenOf),
  ]);
}
