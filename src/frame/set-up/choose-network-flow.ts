import { css, html, type TemplateResult } from 'lit';
import { msg } from '../../base/localize.ts';
import type { Network, Networks } from '../../chains/network.ts';
import { usableNetworks } from '../../chains/nodes/networks.ts';
import { CARDS, type SecretType } from '../../chains/secret-type.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { customElement, property } from '../../ui/decorators.ts';
import type { NewHome } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { chainStyles } from '../ui/card-styles.ts';
import { head } from '../ui/head.ts';
import { kindName, listStyles } from '../ui/rows.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { FrameView } from '../ui/view.ts';

/** The networks of which a new wallet has to be made on one: where it is on all of them anyway, its default one is the first. */
export function homesOf(networks: Networks, secretType: SecretType): Network[] {
  const usable = usableNetworks(networks, secretType);
  return CARDS[secretType].addressPerNetwork ? usable : usable.slice(0, 1);
}

/** The network of a new wallet: the only one, or the user's choice. Undefined on Back. */
export async function chooseHome(
  frame: Frame,
  secretType: SecretType,
  options: OpenOptions,
): Promise<NewHome | undefined> {
  const network = await chooseNetwork(frame, homesOf(frame.networks, secretType), options);
  return network && homeOn(frame.networks, network);
}

/** The only one, or the user's choice. Undefined on Back, and if there is none. */
export async function chooseNetwork(
  frame: Frame,
  networks: readonly Network[],
  options: OpenOptions,
  heading?: string,
): Promise<Network | undefined> {
  if (networks.length < 2) return networks[0];
  const view = Object.assign(new ChooseNetworkView(), { networks, chosen: networks[0] });
  if (heading) view.heading = heading;
  const { type } = await frame.stage.open(view, options).next('cbf-continue', 'cbf-back');
  return type === 'cbf-continue' ? view.chosen : undefined;
}

export function homeOn(networks: Networks, network: Network): NewHome {
  const { id, kind, secretType } = network;
  return { id, kind, first: usableNetworks(networks, secretType)[0] === network };
}

export interface ChooseNetworkEvents {
  /** Continue: read `chosen`. */
  'cbf-continue': null;
  /** Back, Esc. */
  'cbf-back': null;
}

/** Chooses the chain of a new wallet, or its network where addresses differ by network. */
@customElement('cbf-choose-network')
export class ChooseNetworkView extends FrameView<ChooseNetworkEvents> {
  static override styles = [
    FrameView.styles,
    listStyles,
    chainStyles,
    css`
      label { cursor: pointer; }
      .rows > li { padding: 0; }
      .rows label { display: flex; align-items: center; gap: var(--_s3); inline-size: 100%; min-block-size: 60px; padding: var(--_s2) var(--_s3); }
      input { inline-size: 20px; block-size: 20px; margin: 0; accent-color: var(--_accent); }
    `,
  ];

  /** The default first. */
  @property({ attribute: false }) networks: readonly Network[] = [];
  /** The title, unless a wallet is being created. */
  @property({ attribute: false }) heading: string | undefined;
  @property({ attribute: false }) chosen: Network | undefined;

  protected override readonly escape = 'cbf-back';

  protected override render(): TemplateResult {
    const { networks, chosen = networks[0] } = this;
    return this.layout({
      body: html`${head(this, this.heading ?? msg('Create wallet'))}
        <p class="sm muted" id="about">${about(networks)}</p>
        <ul class="rows card" role="radiogroup" aria-label=${msg('Network')} aria-describedby="about">
          ${networks.map(
            (network) => html`<li role="presentation"
              ><label>
                ${chainBadge(network.secretType)}
                <span class="row-main"><span class="strong">${network.name}</span><span class="sm muted">${noteOf(network)}</span></span>
                <input
                  type="radio"
                  name="network"
                  ?data-start=${network === chosen}
                  .checked=${network === chosen}
                  @change=${() => (this.chosen = network)}
                />
              </label></li
            >`,
          )}
        </ul>`,
      foot: html`<button
        type="button"
        class="btn primary lg block"
        @click=${() => this.emit('cbf-continue')}
      >${msg('Continue')}</button>`,
    });
  }
}

function about(networks: readonly Network[]): string | undefined {
  if (networks.some(isOneOfSeveral))
    return msg('A wallet belongs to one network. What is on a testnet has no value.');
  return networks.some(({ kind }) => kind !== 'mainnet')
    ? msg('What is on a testnet has no value.')
    : undefined;
}

function noteOf(network: Network): string | undefined {
  return kindName(network.kind) ?? (isOneOfSeveral(network) ? msg('Mainnet') : undefined);
}

/** A wallet is on this network alone. */
function isOneOfSeveral({ secretType }: Network): boolean {
  return CARDS[secretType].addressPerNetwork ?? false;
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-choose-network': ChooseNetworkView;
  }
}
