/** What is asked about one wallet: its name, whether to archive it, to back it up, or to move its coins. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { ConnectError } from '../../base/errors.ts';
import { msg, str } from '../../base/localize.ts';
import type { Amount } from '../../chains/coin.ts';
import { addressStyles, fullAddress, shortAddress } from '../../ui/address.ts';
import { alert, alertStyles } from '../../ui/alert.ts';
import { grouped } from '../../ui/amount-text.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { iconCaution } from '../../ui/icons.ts';
import { listOf } from '../../ui/text.ts';
import type { Unsaved } from '../../wallets/types.ts';
import { blockStyles } from '../approve/drawing/blocks.ts';
import { amountStyles, amountText, headline } from '../ui/amount.ts';
import { chainStyles, partyStyles } from '../ui/card-styles.ts';
import { head, mainButton, mainButtonStyles } from '../ui/head.ts';
import { hidesBalances } from '../ui/hidden-balances.ts';
import { badgeQuestion, QuestionView } from '../ui/question-view.ts';
import { listStyles, walletLine } from '../ui/rows.ts';
import { errorLine, FrameView } from '../ui/view.ts';
import { keepsCopy, mayDelete, passkeyOnly } from '../ui/backup-reminder.ts';
import { type Holding, holding, holdingStyles } from './balances.ts';
import type { Coins } from './coins-elsewhere.ts';
import { failureDetails, failureText } from './failure.ts';

export interface RenameEvents {
  /** Save: read `alias`. */
  'cbf-save': null;
  /** Back, Cancel, Esc. */
  'cbf-back': null;
}

/** Renames a wallet. */
@customElement('cbf-rename')
export class RenameView extends FrameView<RenameEvents> {
  static override styles = [FrameView.styles, listStyles, chainStyles, fieldStyles, ...mainButtonStyles];

  @property({ attribute: false }) wallet!: Wallet;
  /** What is wrong with the name. */
  @property() error = '';
  @state() private filled = true;
  @query('input') private input!: HTMLInputElement;

  protected override readonly escape = 'cbf-back';

  get alias(): string {
    return this.input.value.trim();
  }

  #typed(): void {
    this.filled = this.alias !== '';
    this.error = '';
  }

  #save(): void {
    if (this.alias) this.emit('cbf-save');
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Rename wallet'))} ${walletLine(this.wallet)}
        <div class="field">
          <label for="alias">${msg('Alias')}</label>
          <input
            class="input"
            id="alias"
            maxlength="32"
            dir="auto"
            autocomplete="off"
            data-start
            aria-describedby="error who"
            aria-invalid=${this.error ? 'true' : 'false'}
            .value=${this.wallet.alias}
            @input=${() => this.#typed()}
            @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && !event.isComposing && this.#save()}
          />
          ${errorLine(this.error)}
          <p class="help" id="who">${msg('Only you see it until you link this wallet to a site.')}</p>
        </div>`,
      foot: html`<div class="actions">
        <button type="button" class="btn secondary lg" @click=${() => this.emit('cbf-back')}>${msg('Cancel')}</button>
        ${mainButton({
          label: msg('Save'),
          why: this.filled ? undefined : msg('Type a name'),
          press: () => this.#save(),
        })}
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-rename': RenameView;
  }
}

/** Removes a wallet from every list; it can be restored. */
export function archiveQuestion(
  { secretType, alias, address }: Wallet,
  balance: Holding | undefined,
  elsewhere: readonly Coins[] = [],
): QuestionView<'cbf-back' | 'cbf-archive'> {
  const here = [balance?.coin, balance?.gas].flatMap((amount) => (amount?.raw ? [amountText(amount)] : []));
  const left = () => [
    ...here,
    ...elsewhere.map(({ amount, network }) => msg(str`${amountText(amount)} on ${network.name}`)),
  ];
  return new QuestionView(
    'cbf-back',
    () => ({
      heading: msg(str`Archive “${alias}”?`),
      text: msg(
        'It leaves your lists and sites no longer see it. Nothing is deleted, and you can bring it back at any time.',
      ),
      details: html`<div class="card"><ul class="rows"><li>
          ${chainBadge(secretType)}
          <span class="row-main"><span class="strong">${alias}</span><span class="sm muted">${shortAddress(address)}</span></span>
          ${holding(balance)}
        </li></ul></div>
        ${
          here.length || elsewhere.length
            ? alert('caution', {
                title: hidesBalances()
                  ? msg('This wallet still holds something')
                  : msg(str`This wallet still holds ${listOf(left())}`),
                text: msg('You can send it to another wallet first.'),
              })
            : nothing
        }`,
      buttons: [
        { text: msg('Cancel'), event: 'cbf-back', look: 'secondary' },
        { text: msg('Archive'), event: 'cbf-archive', look: 'primary' },
      ],
    }),
    [alertStyles, listStyles, holdingStyles, chainStyles],
  );
}

/**
 * Offers a backup before a wallet receives anything, in a browser that may delete it. The words bring no imported key back. `passkey`: one
 * opens the file; without it only the words do, and then it is no backup of what the words bring back.
 */
export function backUpQuestion(unsaved: Unsaved, passkey: boolean) {
  return badgeQuestion<'cbf-show-words' | 'cbf-save-file' | 'cbf-export' | 'cbf-back'>(
    'cbf-back',
    () => {
      const file = { text: msg('Save back-up file'), event: 'cbf-save-file' } as const;
      const words = { text: msg('Show words'), event: 'cbf-show-words', look: 'primary' } as const;
      const key = { text: msg('Export wallet'), event: 'cbf-export', look: 'secondary' } as const;
      return {
        badge: ['warn', iconCaution()],
        heading: msg('Back up before you receive'),
        text: unsaved !== 'key' && keepsCopy() ? passkeyOnly() : mayDelete(),
        buttons: [
          ...(unsaved === 'key' ? [{ ...file, look: 'primary' } as const, key] : [words]),
          ...(unsaved !== 'key' && passkey ? [{ ...file, look: 'secondary' } as const] : []),
          { text: msg('Remind me later'), event: 'cbf-back', look: 'ghost' },
        ],
        stacked: true,
      };
    },
    css`
      .hero { margin-block: auto; gap: 12px; }
    `,
  );
}

/** Why coins were not moved. */
export interface MoveState {
  error?: ConnectError;
}

/** Offers to combine coins when there are more than one payment can spend. Nothing is approved here. */
export function combineQuestion(
  wallet: Wallet,
  coins: number,
): QuestionView<'cbf-back' | 'cbf-combine', MoveState> {
  return new QuestionView(
    'cbf-back',
    ({ error }) => ({
      heading: msg('Combine coins'),
      details: html`<p>${msg(str`This wallet holds ${grouped(String(coins))} coins, and one payment spends only the largest of them.`)}</p>
        <p class="sm muted">${msg(
          'Combining turns many coins into one, by a payment to this wallet itself. It costs a fee, which you see before you approve. If there are more coins than one payment takes, it is offered again.',
        )}</p>
        <dl class="card">
          ${toItself(wallet)}
        </dl>
        ${notMoved(msg('Not combined'), error)}`,
      buttons: [
        { text: msg('Not now'), event: 'cbf-back', look: 'secondary' },
        { text: msg('Combine'), event: 'cbf-combine', look: 'primary' },
      ],
    }),
    [addressStyles, alertStyles, blockStyles, listStyles, partyStyles],
  );
}

/** Offers to move coins from the older address of an imported key. Nothing is approved here. */
export function sweepQuestion(
  wallet: Wallet,
  source: string,
  amount: Amount,
): QuestionView<'cbf-back' | 'cbf-sweep', MoveState> {
  return new QuestionView(
    'cbf-back',
    ({ error }) => ({
      heading: msg('Coins on the older address'),
      details: html`${headline(amount)}
        <p class="sm muted">${msg(
          'This key has an older address too, and it holds coins. The wallet shows and spends only what is on its own address.',
        )}</p>
        <dl class="card">
          <div class="party"><dt class="k">${msg('From')}</dt><dd>${fullAddress(source)}</dd></div>
          ${toItself(wallet)}
        </dl>
        ${notMoved(msg('Not moved'), error)}`,
      buttons: [
        { text: msg('Not now'), event: 'cbf-back', look: 'secondary' },
        { text: msg('Move it here'), event: 'cbf-sweep', look: 'primary' },
      ],
    }),
    [addressStyles, alertStyles, amountStyles, blockStyles, listStyles, partyStyles],
  );
}

/** The row of a card that says where the coins go. */
function toItself({ alias, address }: Wallet): TemplateResult {
  return html`<div class="party">
    <dt class="k">${msg('To')}</dt><dd><span class="strong">${msg(str`${alias}, this wallet`)}</span><br />${fullAddress(address)}</dd>
  </div>`;
}

function notMoved(title: string, error: ConnectError | undefined): TemplateResult | typeof nothing {
  return error
    ? alert('danger', { title, text: failureText(error), action: failureDetails(error) })
    : nothing;
}
