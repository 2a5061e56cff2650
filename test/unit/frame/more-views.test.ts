/** Views that flows test otherwise, as scenes: for axe, for 360 px, and for `npm run gallery`. */
import { FirstView } from '../../../src/frame/approve/outcome/first-view.ts';
import { recipientUnknown } from '../../../src/frame/approve/recipient-flow.ts';
import {
  type CopyContents,
  findQuestion,
  foundQuestion,
  keepQuestion,
  otherQuestion,
  removeQuestion,
  statusQuestion,
  turnOffQuestion,
} from '../../../src/frame/copy/copy-views.ts';
import { leadQuestion } from '../../../src/frame/copy/lead-flow.ts';
import { PasskeysView } from '../../../src/frame/copy/passkeys.ts';
import { serviceDown } from '../../../src/frame/service/service-down-flow.ts';
import { forgottenPin } from '../../../src/frame/set-up/forgot-pin-flow.ts';
import { SettingsView } from '../../../src/frame/settings/settings-view.ts';
import { SitesView } from '../../../src/frame/settings/sites-flow.ts';
import { backedUpNow, fileSaved } from '../../../src/frame/settings/settings-flow.ts';
import { EnterCodeView } from '../../../src/frame/service/enter-code-view.ts';
import { RecoveryCodeView } from '../../../src/frame/service/recovery-code-view.ts';
import { ChooseHolderView, FirstUseView } from '../../../src/frame/set-up/choice-views.ts';
import { RestoreFileView } from '../../../src/frame/set-up/restore-file-view.ts';
import { ElsewhereView, MovedView, PausedView, ReplacedView } from '../../../src/frame/shell/notice-view.ts';
import { backUpQuestion } from '../../../src/frame/wallets/wallet-questions.ts';
import { EnterPinView } from '../../../src/frame/unlock/enter-pin-view.ts';
import type { FrameView } from '../../../src/frame/ui/view.ts';
import { TestClock } from '../clock.ts';
import { HASH, RECIPIENT } from './scene.ts';
import { checkScenes } from './scenes.ts';

const site = 'shop.example';
const name = 'carabiner-backup-2026-11-23.json';
/** Made up. */
const CODE = 'K7QM-2XWD-9RTA-HC4V-P3JN-8YEB';

const AT = Date.UTC(2026, 10, 23, 9, 30);
const wallet = { id: 'a', archived: false, index: 0, createdAt: AT };
const COPY: CopyContents = {
  wallets: [
    { ...wallet, secretType: 'ETHEREUM', address: RECIPIENT, alias: 'Main wallet', primary: true },
    {
      ...wallet,
      secretType: 'BITCOIN',
      address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      alias: 'Savings for the house by the sea',
      primary: false,
    },
  ],
  writtenAt: AT,
  warning: undefined,
};

const scene = <V extends FrameView>(View: new () => V, properties: Partial<V> = {}) => ({
  view: () => Object.assign(new View(), properties),
});

checkScenes('other views', {
  'who holds the keys': scene(ChooseHolderView),
  'restore from a file': scene(RestoreFileView),
  'restore from a file, no file of ours': scene(RestoreFileView, {
    fileError: 'This is not a back-up file of this wallet. Choose another.',
  }),
  'restore from a file, by its words': scene(RestoreFileView, { passkey: false }),
  'restore from a file, by its passkey': scene(RestoreFileView, { passkey: true }),
  'backed up just now': { view: () => backedUpNow() },
  'the file is saved': { view: () => fileSaved(name, true) },
  'the file is saved, and only the words open it': { view: () => fileSaved(name, false) },
  'sites that see wallets': scene(SitesView, {
    sites: [
      {
        origin: 'https://shop.example',
        walletIds: ['a', 'b'],
        names: ['Main wallet', 'Savings'],
        since: Date.UTC(2026, 10, 2),
        approvedAt: Date.UTC(2026, 10, 23),
      },
      {
        origin: 'https://a-very-long-name-of-a-market-for-tickets.example:8443',
        walletIds: ['a'],
        names: ['Main wallet'],
      },
    ],
  }),
  'no site sees wallets': scene(SitesView),
  'a forgotten PIN': { view: () => forgottenPin(true) },
  'a forgotten PIN without a passkey': { view: () => forgottenPin(false) },
  'a wrong PIN': scene(EnterPinView, {
    text: 'To show your 12 words.',
    error: 'Wrong PIN. 3 attempts left.',
    forgotPin: () => {},
  }),
  'first use, with copies': scene(FirstUseView, { copies: true }),
  'first use for a site, with copies': scene(FirstUseView, {
    copies: true,
    ownPage: 'https://wallet.example/',
  }),
  'first use by somebody who has a wallet': scene(FirstUseView, { copies: true, hasOne: true }),
  'settings with an encrypted copy': {
    view: () =>
      Object.assign(new SettingsView(), {
        clock: new TestClock(AT),
        passkey: 'on',
        backedUp: true,
        savedFile: true,
        copy: { writtenAt: AT, isCurrent: true, problem: undefined },
      }),
  },
  'keep an encrypted copy': { view: () => keepQuestion() },
  'keep an encrypted copy, in Settings': { view: () => keepQuestion('own page') },
  'keep an encrypted copy, on the wallet’s own page': { view: () => keepQuestion('here') },
  'while the wallet’s own page brings wallets back': { view: () => leadQuestion() },
  'the encrypted copy': {
    view: () => statusQuestion({ writtenAt: AT, isCurrent: true }),
  },
  'the encrypted copy, which the server lost': {
    view: () => statusQuestion({ writtenAt: AT, isCurrent: false, problem: 'copy.unknown' }),
  },
  'the encrypted copy, older than seen': {
    view: () => statusQuestion({ writtenAt: AT, isCurrent: true, problem: 'copy.rolled-back' }),
  },
  'turn off the encrypted copy': { view: turnOffQuestion },
  'passkeys of the encrypted copy': scene(PasskeysView, {
    passkeys: [
      { name: 'Carabiner wallet · 2026-11-23', isOwn: true },
      { name: 'Carabiner wallet · 2026-11-28', isOwn: false },
    ],
  }),
  'remove the passkey of the copy': { view: () => removeQuestion() },
  'remove another passkey of the copy': { view: () => removeQuestion('Carabiner wallet · 2026-11-28') },
  'use my passkey': { view: () => Object.assign(findQuestion(), { state: { busy: true } }) },
  'use my passkey, not used': {
    view: () =>
      Object.assign(findQuestion(), {
        state: { error: 'No passkey was used. Try again, or go back and use the 12 words or the file.' },
      }),
  },
  'the copy that was found': { view: () => foundQuestion(COPY, true) },
  'the copy that was found, rolled back, without its date': {
    view: () => foundQuestion({ ...COPY, writtenAt: undefined, warning: 'rolled-back' }, false),
  },
  'a copy of another wallet': { view: () => otherQuestion(COPY) },
  'back up before you receive': { view: () => backUpQuestion('phrase', false) },
  'a new request in place of another': scene(ReplacedView, { site, gone: 'Send 0.25 ETH' }),
  'a window that was another site’s': scene(MovedView, {
    site,
    from: 'game.example',
    here: true,
    gone: 'Send 0.25 ETH',
  }),
  'a request after another site’s': scene(MovedView, { site, from: 'game.example' }),
  'another window is asking': scene(ElsewhereView, { site }),
  'the user began something in another window': scene(ElsewhereView, { own: true }),
  'a site that is paused': scene(PausedView, { site }),
  'the first one was confirmed': scene(FirstView, { hash: HASH, fee: '0.000420 ETH' }),
  'nobody has this e-mail address': { view: () => recipientUnknown({ email: 'lena@example.com' }) },
  'the recovery code': scene(RecoveryCodeView, { reveal: () => CODE }),
  'enter the recovery code': scene(EnterCodeView, { use: 'device', error: 'This code does not fit.' }),
  'use another device, by the passkey': scene(EnterCodeView, { use: 'device-by-passkey' }),
  'remove the lost passkey': scene(EnterCodeView, { use: 'passkey' }),
  'use the passkey of the service': scene(EnterPinView, {
    text: 'To remove it from your account. After that, your service PIN is enough again.',
    passkey: true,
    hasPin: false,
    withCode: true,
  }),
  'the service does not answer': { view: serviceDown },
});
