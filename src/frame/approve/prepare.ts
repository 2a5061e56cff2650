/** Turns a page's request into everything an approval needs. Nothing is shown before the whole request is checked. */
import type { Wallet } from '../../api/wallet.ts';
import { RequestInvalidError } from '../../base/errors.ts';
import type { Chain } from '../../chains/chain.ts';
import {
  isCustom,
  type NetworkChoice,
  networkOn,
  networksOf,
  splitNetwork,
} from '../../chains/nodes/networks.ts';
import type { Network } from '../../chains/network.ts';
import type { Home } from '../../chains/secret-type.ts';
import type { ChainRequest, Known, Node, ParsedRequest, Signed } from '../../chains/terms.ts';
import type { TransferParams } from '../../channel/ask-schema.ts';
import type { HostRequest } from '../../channel/link.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { askedNetwork } from '../shell/site-wallets.ts';
import type { OrderCheck } from './signed-order.ts';
import type { RequestEntry } from './approval.ts';
import type { NetworkNote } from './other-network.ts';

export interface Prepared {
  vault: Vault;
  wallet: Wallet;
  chain: Chain;
  node: Node;
  request: ParsedRequest;
  customNode: NetworkChoice | undefined;
  /** The e-mail address or name by which `request.to` was found. */
  email?: string | undefined;
  /** The result of verifying the signed order that came with it. */
  orderCheck?: Promise<OrderCheck> | undefined;
}

/** Throws `wallet.forbidden`, `wallet.archived`, `chain.not-supported` and `request.invalid`. */
export async function prepare(
  frame: Frame,
  vault: Vault,
  task: HostRequest,
  params: ChainRequest | TransferParams,
  transfer: boolean,
): Promise<Prepared> {
  const wallet = await ownWallet(frame, vault, task, params);
  const { secretType } = wallet;
  if ('secretType' in params && params.secretType !== secretType)
    throw new RequestInvalidError([
      { path: 'secretType', message: `must be ${secretType}, as this wallet’s` },
    ]);
  const [chain, payloads] = await Promise.all([frame.chain(secretType), frame.payloads(secretType)]);
  const { networkId, body } = splitNetwork(params);
  const request = transfer ? payloads.parseTransfer(body) : payloads.parse(body);
  namedLately(frame, request['to']);
  const customNode = request['network'] as NetworkChoice | undefined;
  const network = customNode
    ? (await import('./other-network.ts')).customNetwork(frame, wallet, customNode)
    : await requestNetwork(frame, vault, wallet, networkId);
  const node = chain.node(network);
  const { order } = params as Partial<TransferParams>;
  const orderCheck =
    transfer && order ? loadSignedOrder().then((it) => it.readOrder(frame, order)) : undefined;
  orderCheck?.catch(() => {});
  const prepared: Prepared = { vault, wallet, chain, node, request, customNode, orderCheck };
  // An e-mail address or a name: no chain's addresses contain a dot.
  if (String(request['to']).includes('.'))
    return (await import('./recipient-flow.ts')).resolved(frame, task, prepared);
  return prepared;
}

/**
 * The wallet that a request names, or one of its list. An unknown wallet and one not linked to the site fail alike, so that a site cannot
 * probe which wallets exist. An archived wallet keeps its links, so a linked site learns that it is archived.
 */
export async function ownWallet(
  frame: Frame,
  vault: Vault,
  task: HostRequest,
  request: { walletId: string },
): Promise<HeldWallet> {
  for (;;) {
    const [wallet] = await vault.linked(frame.link.origin, true, request.walletId);
    if (wallet && !wallet.archived) return wallet;
    await (await import('./no-wallet.ts')).assertComing(frame, vault, task, request, wallet);
  }
}

/**
 * The network of a request: the one that it names, else the one that the site asked for when the wallet was linked to it, else the wallet's
 * default one. Throws as `networkOn` does.
 */
export async function requestNetwork(
  { networks, link }: Frame,
  vault: Vault,
  wallet: HeldWallet,
  named: string | undefined,
): Promise<Network> {
  const id = named ?? askedNetwork(networks, await vault.linkNetworks(link.origin), wallet);
  return networkOn(networks, wallet, id);
}

/** Draws where the site's last approval on this chain was, if that was another network than this one. */
export async function networkNoteOf(
  frame: Frame,
  vault: Vault,
  wallet: Home,
  network: Network,
): Promise<NetworkNote | undefined> {
  if (networksOf(frame.networks, wallet).length < 2 && !isCustom(network)) return undefined;
  return (await import('./other-network.ts')).networkNote(frame, vault, network);
}

/** Addresses for the first-time and look-alike warnings. */
export async function knownTo(frame: Frame, vault: Vault, { id, secretType }: Wallet): Promise<Known> {
  const [used, own, named] = await Promise.all([
    vault.activity.used(id),
    vault.wallets({ secretType, now: true }),
    vault.recipients(),
  ]);
  // The user knows whom their other wallets have paid, even if this wallet has not.
  const others = own.filter((wallet) => wallet.id !== id).map((wallet) => wallet.id);
  const [seen, senders] = await Promise.all([
    vault.activity.used(...others),
    // Address poisoning: senders of tiny amounts want their address mistaken for another in the list.
    vault.activity.senders(id),
  ]);
  return {
    used,
    own: own.map(({ address }) => address),
    seen: [...seen, ...senders, ...named.map(({ address }) => address), ...namedLately(frame)],
    reported: frame.networks.reported,
  };
}

/** How long later recipients are compared with one that a site named, in case the site swaps it for a look-alike. */
const LATELY = 60_000;

const named = new WeakMap<Frame, { address: string; at: number }[]>();

function namedLately(frame: Frame, ...more: readonly unknown[]): string[] {
  const now = frame.clock.now();
  const lately = (named.get(frame) ?? []).filter(({ at }) => now - at < LATELY);
  for (const address of more) if (typeof address === 'string') lately.push({ address, at: now });
  named.set(frame, lately.slice(-20));
  return lately.map(({ address }) => address);
}

export function entryOf(
  { link }: Frame,
  task: HostRequest,
  { wallet, node, customNode }: Prepared,
): RequestEntry {
  return {
    origin: link.origin,
    requestId: task.id,
    action: task.action,
    walletId: wallet.id,
    params: task.params,
    state: 'signed',
    signed: [],
    networkId: node.network.id,
    ...(customNode && { customNode: { ...customNode, chainId: customNode.chainId ?? undefined } }),
  };
}

/** One transaction answers one request. The same bytes, signed again while still unsent, would answer two. */
export async function assertSingle(vault: Vault, { hash }: Signed): Promise<void> {
  const waiting = await vault.journal.unsent();
  if (waiting.some(({ signed }) => signed.some((one) => one.hash === hash)))
    throw (await loadResume()).waiting();
}

/** The same id may have been approved in another tab while it was open in this one. */
export async function assertNew({ link }: Frame, vault: Vault, id: string): Promise<void> {
  const entry = await vault.journal.get(link.origin, id);
  // A request pending at the service gets the same answer in every window.
  if (entry && !entry.asked) throw (await loadResume()).approvedElsewhere(id);
}

export const loadSignedOrder = () => import('./signed-order.ts');

/** Also the errors for a request that conflicts with one approved before. */
const loadResume = () => import('./outcome/resume-flow.ts');
