import { css, html, LitElement, type TemplateResult } from 'lit';
import type { SecretType } from '../../../chains/secret-type.ts';
import { chainBadge, chainBadgeStyles } from '../../../ui/chain-badge.ts';
import { customElement, property } from '../../../ui/decorators.ts';

/** A network's name and badge, below the origin in the header. A separate element because the header loads before the badges. */
@customElement('cbf-network')
export class NetworkElement extends LitElement {
  static override styles = [
    chainBadgeStyles,
    css`
      :host { display: inline-flex; align-items: center; gap: 5px; min-inline-size: 0; font-weight: 560; white-space: nowrap; }
      .chain.xs { inline-size: 15px; block-size: 15px; }
      .chain.xs svg { stroke-width: 2.4; }
    `,
  ];

  @property({ attribute: false }) secretType: SecretType = 'ETHEREUM';

  protected override render(): TemplateResult {
    return html`${chainBadge(this.secretType, 'xs')}<slot></slot>`;
  }
}

/** The header's line for a request's network. */
export function networkLine(secretType: SecretType, name: string): TemplateResult {
  return html`<cbf-network .secretType=${secretType}>${name}</cbf-network>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-network': NetworkElement;
  }
}
