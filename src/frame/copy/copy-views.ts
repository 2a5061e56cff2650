/** Questions about the encrypted copy of the wallet, and words for what goes wrong with it. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { language, msg, plural, str } from '../../base/localize.ts';
import { CARDS, CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import type { CopiedWallet } from '../../sync/content.ts';
import type { CopyState } from '../../sync/kept-copy.ts';
import type { SyncCode } from '../../sync/sync-error.ts';
import { addressStyles, fullAddress } from '../../ui/address.ts';
import { alert, alertStyles } from '../../ui/alert.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { iconPasskey } from '../../ui/icons.ts';
import { iconLayers } from '../../ui/list-icons.ts';
import { chainStyles } from '../ui/card-styles.ts';
import { type AskState, badgeQuestion, type QuestionButton, type QuestionView } from '../ui/question-view.ts';
import { listStyles, ownPageLink } from '../ui/rows.ts';

const centred = css`
  .hero { margin-block: auto; gap: 12px; }
`;

/** Whether to keep a copy. Neither answer is preset. `joins`: whether one of another browser can be joined here, or on the wallet's own page. */
export function keepQuestion(
  joins?: 'here' | 'own page',
): QuestionView<'cbf-keep' | 'cbf-find' | 'cbf-back'> {
  return badgeQuestion<'cbf-keep' | 'cbf-find' | 'cbf-back'>(
    'cbf-back',
    ({ busy = false, error }) => ({
      badge: ['acc', iconLayers()],
      heading: msg('Keep an encrypted copy?'),
      text: html`${msg('The wallet service keeps it, and your passkey opens it in another browser.')} ${whoOpensIt()}`,
      details:
        joins === 'own page'
          ? html`<p class="sm muted center">${msg('Another browser has a copy? Join it in your wallet’s own window.')} ${ownPageLink()}</p>`
          : nothing,
      error,
      buttons: [
        {
          text: msg('Keep an encrypted copy'),
          event: 'cbf-keep',
          look: 'secondary',
          disabled: busy,
          spins: busy,
        },
        { text: msg('Not now'), event: 'cbf-back', look: 'secondary' },
        ...(joins === 'here'
          ? [{ text: msg('Use my passkey'), event: 'cbf-find', look: 'ghost', disabled: busy } as const]
          : []),
      ],
      stacked: true,
    }),
    centred,
  );
}

function whoOpensIt(): string {
  return msg(
    'Whoever can use your passkey account can open this wallet. We cannot. If the passkey is deleted, only the 12 words or the file help.',
  );
}

function writtenText(at: number, isCurrent: boolean): string {
  const written = msg(str`Last written ${timeText(at)}.`);
  return isCurrent ? written : msg(str`${written} ${msg('What changed since then is not in it yet.')}`);
}

export interface CopyAskState extends AskState, Pick<CopyState, 'isCurrent' | 'problem' | 'writtenAt'> {}

/** The copy that this browser keeps. */
export function statusQuestion(
  copy: Pick<CopyState, 'isCurrent' | 'problem' | 'writtenAt'>,
): QuestionView<'cbf-update' | 'cbf-passkeys' | 'cbf-off' | 'cbf-back', CopyAskState> {
  const view = badgeQuestion<'cbf-update' | 'cbf-passkeys' | 'cbf-off' | 'cbf-back', CopyAskState>(
    'cbf-back',
    ({ busy = false, error, isCurrent, problem, writtenAt }) => ({
      badge: ['acc', iconLayers()],
      back: true,
      heading: msg('Encrypted copy'),
      text: whoOpensIt(),
      details: html`<p class="sm muted center">${writtenText(writtenAt, isCurrent)}</p>
        ${problem === undefined ? nothing : alert('caution', { text: problemText(problem) })}`,
      error,
      buttons: [
        { text: updateText(problem), event: 'cbf-update', look: 'secondary', disabled: busy, spins: busy },
        { text: msg('Turn off'), event: 'cbf-off', look: 'secondary', disabled: busy },
        { text: msg('Passkeys that open it'), event: 'cbf-passkeys', look: 'ghost', disabled: busy },
      ],
      stacked: true,
    }),
    alertStyles,
    centred,
  );
  view.state = { ...copy };
  return view;
}

function updateText(problem: string | undefined): string {
  if (problem === 'copy.rolled-back') return msg('Write it again');
  return problem === 'copy.unknown' || problem === 'copy.removed' ? msg('Keep it again') : msg('Update now');
}

/** Consent to remove it from the server. */
export function turnOffQuestion(): QuestionView<'cbf-off' | 'cbf-back'> {
  return badgeQuestion<'cbf-off' | 'cbf-back'>(
    'cbf-back',
    ({ busy = false, error }) => ({
      badge: ['warn', iconLayers()],
      heading: msg('Turn off the encrypted copy?'),
      text: msg(
        'It is removed from the wallet service. Your wallets stay in this browser. If it loses them, only the 12 words or the file help.',
      ),
      error,
      buttons: [
        { text: msg('Keep it'), event: 'cbf-back', look: 'secondary' },
        { text: msg('Turn off'), event: 'cbf-off', look: 'secondary', disabled: busy, spins: busy },
      ],
      stacked: true,
    }),
    centred,
  );
}

/** Consent to take a passkey's copy away from it. `name`: of another one than the vault's own. */
export function removeQuestion(name?: string): QuestionView<'cbf-remove' | 'cbf-back'> {
  return badgeQuestion<'cbf-remove' | 'cbf-back'>(
    'cbf-back',
    ({ busy = false, error }) => ({
      badge: ['warn', iconPasskey()],
      heading: name === undefined ? msg('Remove the passkey?') : msg(str`Remove “${name}”?`),
      text:
        name === undefined
          ? msg(
              'It opens your encrypted copy. If no other passkey does, the copy is removed, too. It stays in your password manager, as other browsers may use it.',
            )
          : msg('It no longer opens the encrypted copy. What it has opened before, its holder may know.'),
      error,
      buttons: [
        { text: msg('Keep it'), event: 'cbf-back', look: 'secondary' },
        { text: msg('Remove'), event: 'cbf-remove', look: 'secondary', disabled: busy, spins: busy },
      ],
      stacked: true,
    }),
    centred,
  );
}

/**
 * While the device asks which passkey to use, and after it was not used. `another`: the copy goes on with another passkey than the one that is removed.
 */
export function findQuestion(another = false): QuestionView<'cbf-passkey' | 'cbf-back'> {
  return badgeQuestion<'cbf-passkey' | 'cbf-back'>(
    'cbf-back',
    ({ busy = false, error }) => ({
      badge: ['acc', iconPasskey()],
      back: true,
      heading: msg('Use my passkey'),
      text: another
        ? msg('Another passkey opens the copy, too. Choose that one: it opens this wallet from then on.')
        : msg('It opens the encrypted copy that another browser kept. You see what is in it first.'),
      error,
      buttons: [
        {
          text: msg('Use my passkey'),
          event: 'cbf-passkey',
          look: 'primary',
          glyph: iconPasskey(),
          disabled: busy,
          spins: busy,
        },
      ],
      stacked: true,
    }),
    centred,
  );
}

/** What a copy has, as far as it is shown. */
export interface CopyContents {
  wallets: readonly CopiedWallet[];
  writtenAt: number | undefined;
  warning: 'rolled-back' | 'forked' | undefined;
}

type FoundEvent = 'cbf-passkey' | 'cbf-pin' | 'cbf-back';

/** The copy that was found, before anything of it is adopted. `passkey`: it can open the vault by itself. */
export function foundQuestion(contents: CopyContents, passkey: boolean): QuestionView<FoundEvent> {
  return badgeQuestion<FoundEvent>(
    'cbf-back',
    ({ busy = false, error }) => {
      const pin: QuestionButton<FoundEvent> = {
        text: msg('Choose a PIN'),
        event: 'cbf-pin',
        look: passkey ? 'ghost' : 'primary',
        disabled: busy,
      };
      return {
        badge: ['acc', iconPasskey()],
        back: true,
        heading: msg('Are these your wallets?'),
        text: contentsText(contents),
        details: contentsDetails(contents),
        error,
        buttons: passkey
          ? [
              {
                text: msg('Continue with passkey'),
                event: 'cbf-passkey',
                look: 'primary',
                disabled: busy,
                spins: busy,
              },
              pin,
            ]
          : [pin],
        stacked: true,
      };
    },
    ...contentsStyles,
  );
}

/** A copy of another wallet than the one in this browser, which is not touched. */
export function otherQuestion(contents: CopyContents): QuestionView<'cbf-back' | 'cbf-replace'> {
  return badgeQuestion<'cbf-back' | 'cbf-replace'>(
    'cbf-back',
    ({ busy = false, error }) => ({
      badge: ['warn', iconPasskey()],
      heading: msg('This copy is of another wallet'),
      text: html`${msg('Two wallets are never mixed. What this browser has stays as it is unless you replace it.')} ${contentsText(contents)}`,
      details: contentsDetails(contents),
      error,
      buttons: [
        { text: msg('Keep this browser’s wallet'), event: 'cbf-back', look: 'secondary' },
        { text: msg('Replace it'), event: 'cbf-replace', look: 'secondary', disabled: busy, spins: busy },
      ],
      stacked: true,
    }),
    ...contentsStyles,
  );
}

function contentsText({ wallets, writtenAt }: CopyContents): string {
  const { length } = wallets;
  const count = plural(length, msg('1 wallet in it'), msg(str`${length} wallets in it`));
  return writtenAt === undefined ? count : `${msg(str`Copy of ${timeText(writtenAt)}`)} · ${count}`;
}

function contentsDetails({ wallets, warning }: CopyContents): TemplateResult {
  return html`${warning ? alert('caution', { text: problemText(warning) }) : nothing}
    <div class="card"><ul class="rows">${wallets.map(walletRow)}</ul></div>`;
}

const contentsStyles = [
  addressStyles,
  alertStyles,
  listStyles,
  chainStyles,
  css`
    .hero { gap: 12px; }
    .rows > li { padding-block: 10px; }
  `,
];

/** With its whole address: a planted copy could have one that resembles it. */
function walletRow({ secretType, alias, address }: CopiedWallet): TemplateResult {
  const isKnown = secretType in CARDS;
  return html`<li>
    ${isKnown ? chainBadge(secretType as SecretType) : nothing}
    <span class="row-main">
      <span class="strong"><bdi>${alias}</bdi></span>
      <span class="sm muted">${isKnown ? CHAIN_NAMES[secretType as SecretType] : secretType}</span>
      ${fullAddress(address)}
    </span>
  </li>`;
}

function timeText(at: number): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

/** Why the user is told that nothing was lost: a server that deletes or goes back changes nothing in this browser. */
const PROBLEMS = {
  'rolled-back': olderCopy,
  forked: () => msg('The server showed two different versions of the copy. They were merged.'),
  'copy.unreachable': () => msg('The wallet service does not answer. Try again later.'),
  'copy.rate-limited': () => msg('The wallet service asks you to wait. Try again later.'),
  'copy.unknown': () =>
    msg('The wallet service has no copy for this passkey. Nothing in this browser was deleted.'),
  'copy.removed': () =>
    msg('The wallet service says that the copy was removed. Nothing in this browser was deleted.'),
  'copy.rolled-back': olderCopy,
  'copy.damaged': damagedCopy,
  'copy.commitment': damagedCopy,
  'copy.foreign': damagedCopy,
  'copy.version': () => msg('A newer version of the wallet wrote the copy. Update the wallet.'),
  'copy.other-wallet': () => msg('This passkey opens the copy of another wallet.'),
  'copy.other-passkey': () => msg('This is another passkey. Choose the one that opens this wallet.'),
  'copy.unsteady': () => msg('This passkey cannot open a copy. The 12 words and the file still help.'),
  'copy.unsupported': () => msg('This browser is too old for encrypted copies. Update it.'),
  'copy.too-large': () => msg('The copy is too large for the wallet service. Save a back-up file instead.'),
  'copy.refused': () => msg('The wallet service refused the copy. Check the clock of this device.'),
  'copy.busy': () => msg('Other devices are writing the copy. Try again later.'),
  'copy.exists': () => msg('There is a copy for this passkey already. Try again.'),
} satisfies Record<SyncCode | 'forked' | 'rolled-back', () => string>;

function olderCopy(): string {
  return msg(
    'The wallet service returned an older copy than this browser has seen. Nothing was taken over from it.',
  );
}

function damagedCopy(): string {
  return msg('The copy is damaged. Nothing in this browser was changed.');
}

export function problemText(problem: string): string {
  return (PROBLEMS[problem as SyncCode] ?? damagedCopy)();
}
