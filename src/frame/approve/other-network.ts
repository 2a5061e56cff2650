/** What only requests on another network than the wallet's only one need: a site's own node, and which network the site used last. */
import { html, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { Network } from '../../chains/network.ts';
import { networkFor } from '../../chains/nodes/network-choice.ts';
import type { CustomNetwork, NetworkChoice } from '../../chains/nodes/networks.ts';
import { invalid } from '../../chains/requests/payloads.ts';
import { msg, str } from '../../base/localize.ts';
import type { Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { networkLine } from './drawing/blocks.ts';

/**
 * For browser wallets only: the service uses nodes of its own. Throws `request.invalid` at `network`,
 * before that node is queried.
 */
export function customNetwork(
  { networks, link }: Frame,
  wallet: Wallet,
  choice: NetworkChoice,
): Network | CustomNetwork {
  if (wallet.walletType !== 'BROWSER')
    throw invalid('network', 'is only supported for wallets of the browser; leave it out');
  return networkFor(networks, wallet, choice, link.origin);
}

/** Takes the trusted name of the request's network. */
export type NetworkNote = (name: string) => TemplateResult;

/** Says which network the site's last approval on this chain was for, if that was another one: it has to be seen. */
export async function networkNote(
  { link, networks }: Frame,
  vault: Vault,
  { id, chainId, secretType }: Network,
): Promise<NetworkNote | undefined> {
  const ofChain = networks.networks.filter((each) => each.secretType === secretType);
  const ids = [...ofChain.map((each) => each.id), ...(secretType === 'ETHEREUM' ? ['custom'] : [])];
  const last = await vault.journal.last(link.origin, ids);
  const isSame = last?.networkId === id && (!last.customNode || last.customNode.chainId === chainId);
  if (!last || isSame) return undefined;
  return (name) => {
    // Whatever a site calls its own node.
    const before = ofChain.find((each) => each.id === last.networkId)?.name ?? msg('another network');
    return html`<p class="note sm" data-seen="network" data-what=${JSON.stringify([name, before])}>
      ${networkLine(secretType, name)} <span class="muted">${msg(str`Last time: ${before}`)}</span>
    </p>`;
  };
}
