/** Which coin or token the customer pays in, if the shop takes several: those that a linked wallet holds come first. */
import { css, html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import type { Connect } from '../actions/types.ts';
import type { PayChoice } from '../api/pay.ts';
import type { Wallet } from '../api/wallet.ts';
import { msg } from '../base/localize.ts';
import { chainBadge, tokenBadge } from '../ui/chain-badge.ts';
import { open, type Shared } from './wallet-views.ts';

/** Wallets of one network whose balances are asked for. */
const ASKED_WALLETS = 5;

/** Whether a linked wallet can pay in it; one that names no network is on the first of its chain. */
export function isOn(
  { secretType, network, firstNetwork }: Pick<PayChoice, 'secretType' | 'network' | 'firstNetwork'>,
  wallet: Wallet,
): boolean {
  return (
    wallet.secretType === secretType &&
    wallet.status === 'ACTIVE' &&
    (wallet.network ?? (firstNetwork ? network : undefined)) === network
  );
}

const keyOf = ({ network, tokenAddress }: PayChoice): string => `${network} ${tokenAddress ?? ''}`;

/** What linked wallets hold of the choices, as far as nodes have answered. */
export class Holdings {
  readonly #held = new Set<string>();
  readonly #asked = new Set<string>();

  constructor(private readonly host: Pick<ReactiveControllerHost, 'requestUpdate'>) {}

  has(choice: PayChoice): boolean {
    return this.#held.has(keyOf(choice));
  }

  /** Asks once for each choice and wallet. A node that does not answer leaves the choice where it is. */
  look(connect: Connect, choices: readonly PayChoice[], wallets: readonly Wallet[]): void {
    for (const choice of choices)
      for (const { id } of wallets.filter((wallet) => isOn(choice, wallet)).slice(0, ASKED_WALLETS)) {
        const question = `${keyOf(choice)} ${id}`;
        if (this.#asked.has(question)) continue;
        this.#asked.add(question);
        const { network, tokenAddress } = choice;
        const balance = tokenAddress
          ? connect.tokenBalance(id, tokenAddress, { network })
          : connect.balance(id, { network });
        balance.then(
          ({ rawBalance }) => {
            if (BigInt(rawBalance) === 0n) return;
            this.#held.add(keyOf(choice));
            this.host.requestUpdate();
          },
          () => {},
        );
      }
  }

  /** What is held first, then what a linked wallet could pay in, each in the shop's order. */
  sorted(choices: readonly PayChoice[], wallets: readonly Wallet[]): PayChoice[] {
    const rank = (choice: PayChoice): number =>
      this.has(choice) ? 0 : wallets.some((wallet) => isOn(choice, wallet)) ? 1 : 2;
    return [...choices].sort((one, other) => rank(one) - rank(other));
  }
}

export function choiceView(
  shared: Shared,
  {
    choices,
    holdings,
    choose,
  }: {
    choices: readonly PayChoice[];
    holdings: Holdings;
    choose: (choice: PayChoice) => void;
  },
): TemplateResult {
  const row = (choice: PayChoice): TemplateResult => {
    const { secretType, symbol, networkName, tokenAddress } = choice;
    return html`<li>
      <button type="button" class="btn secondary block co-coin" @click=${() => choose(choice)}>
        ${tokenAddress ? tokenBadge(symbol) : chainBadge(secretType, 'm')}
        <span class="grow"><bdi class="strong">${symbol}</bdi> <span class="muted">${networkName}</span></span>
        ${holdings.has(choice) ? html`<span class="xs muted">${msg('In your wallet')}</span>` : nothing}
      </button>
    </li>`;
  };
  return open(
    'choice',
    shared,
    undefined,
    html`<p id="coins">${msg('Choose the coin and the network to pay with.')}</p>
      <ul class="stack mid" aria-labelledby="coins">${choices.map(row)}</ul>${shared.dialog}`,
  );
}

export function othersButton(show: () => void): TemplateResult {
  return html`<button type="button" class="btn text co-other" @click=${show}>
    <span>${msg('Pay with another coin')}</span>
  </button>`;
}

export const choiceStyles = css`
  .co-coin { justify-content: flex-start; gap: var(--_s3); text-align: start; }
  .co-coin .grow { overflow-wrap: anywhere; }
  .co-other { justify-self: start; margin-inline-start: calc(-1 * var(--_s2)); padding-inline: var(--_s2); }
`;
