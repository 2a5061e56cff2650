import { expect } from '@open-wc/testing';
import { LitElement } from 'lit';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { Network } from '../../../src/chains/network.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import type { FrameView } from '../../../src/frame/ui/view.ts';
import { BackUpView, CheckCopyView } from '../../../src/frame/set-up/back-up-view.ts';
import { ChangePinView } from '../../../src/frame/settings/change-pin-view.ts';
import { ChoosePinView } from '../../../src/frame/set-up/choose-pin-view.ts';
import { EnterPinView } from '../../../src/frame/unlock/enter-pin-view.ts';
import { FirstUseView } from '../../../src/frame/set-up/choice-views.ts';
import { GuardView } from '../../../src/frame/shell/guard-view.ts';
import { ImportView } from '../../../src/frame/set-up/import-view.ts';
import { LockedView } from '../../../src/frame/unlock/locked-flow.ts';
import { NotSentView } from '../../../src/frame/approve/outcome/not-sent-view.ts';
import { RestoreView } from '../../../src/frame/set-up/restore.ts';
import { SendingView } from '../../../src/frame/approve/outcome/sending-view.ts';
import { SentView } from '../../../src/frame/approve/outcome/sent-view.ts';
import { makePasskey } from '../../../src/frame/set-up/way-in-flow.ts';
import { lockedNow } from '../../../src/frame/settings/settings-flow.ts';
import {
  cutOffBy,
  inAppQuestion,
  nodeDown,
  storageDenied,
  tryAgain,
  unproven,
} from '../../../src/frame/shell/obstacles-flow.ts';
import { SettingsView } from '../../../src/frame/settings/settings-view.ts';
import { ShowWordsView } from '../../../src/frame/settings/show-words-view.ts';
import { GoneView, WaitingView } from '../../../src/frame/shell/session-view.ts';
import { QueueView, RestView } from '../../../src/frame/shell/queue-flow.ts';
import { UnsentView } from '../../../src/frame/approve/outcome/unsent-view.ts';
import { BookView } from '../../../src/frame/recipients/book-flow.ts';
import { RecipientsView } from '../../../src/frame/recipients/recipients-view.ts';
import { RecipientView } from '../../../src/frame/recipients/recipient-view.ts';
import { ScanView } from '../../../src/frame/recipients/scan-flow.ts';
import { SendView } from '../../../src/frame/wallets/send-view.ts';
import { unitPrice } from '../../../src/ui/worth.ts';
import { TestClock } from '../clock.ts';
import { deep, deepAll, focused, HASH, named, RECIPIENT, type Scene, show, type, WORDS } from './scene.ts';
import { checkAccessible, pictureScenes } from './scenes.ts';
import { speakEnglish, speakPseudo, untranslated } from '../pseudo.ts';
import type { Words } from '../../../src/frame/ui/words.ts';

const site = 'shop.example';
const clock = new TestClock();
const explorer = `https://explorer.example/tx/${HASH}`;
const transfer = { amount: '0.25 ETH', to: RECIPIENT, toShort: '0x8f3C…A063', hash: HASH };

function make<V extends FrameView>(View: new () => V, properties: Partial<V> = {}): V {
  return Object.assign(new View(), properties);
}

const SAVED = Array.from({ length: 6 }, (_, i) => ({
  secretType: i ? ('ETHEREUM' as const) : ('BITCOIN' as const),
  address: RECIPIENT,
  name: `Ada ${i}`,
}));
const KNOWN = [{ address: RECIPIENT, name: 'Ada', own: false, times: 2, last: 0, networks: [] }];
const WALLET = {
  id: 'main',
  hasCustomPin: false,
  secretType: 'ETHEREUM',
  alias: 'Main wallet',
  address: RECIPIENT,
  walletType: 'BROWSER',
} as Wallet;
const NETWORK = { name: 'Local Ethereum', kind: 'local' } as Network;
const BY_WALLET = new Map([WALLET.id, 'vault'].map((id) => [id, NETWORK]));

/** Each view in each state that renders differently; `act` brings it there. */
const SCENES: Record<string, { view: () => FrameView; act?: (view: FrameView) => unknown }> = {
  send: { view: () => make(SendView, { clock, wallet: WALLET, network: NETWORK, networks: BY_WALLET }) },
  'send, to a look-alike': {
    view: () =>
      make(SendView, {
        clock,
        wallet: WALLET,
        network: NETWORK,
        networks: BY_WALLET,
        known: KNOWN,
        camera: true,
      }),
    act: (view) => (view as SendView).fill('0x8f3c11d94b0075ae21c0b7719de5a0c6412fa063'),
  },
  'send, from one of several wallets': {
    view: () =>
      make(SendView, {
        clock,
        wallet: WALLET,
        network: NETWORK,
        wallets: [WALLET, { ...WALLET, id: 'vault', alias: 'Vault', walletType: 'THREEWAY_SHARED' }],
        networks: BY_WALLET,
        balances: new Map([[WALLET.id, { coin: { symbol: 'ETH', decimals: 18, raw: 12n * 10n ** 17n } }]]),
      }),
    act: (view) => named(view, 'From Main wallet 0x8f3C…A063').click(),
  },
  'send, refused by the network': {
    view: () =>
      make(SendView, {
        clock,
        wallet: WALLET,
        network: NETWORK,
        networks: BY_WALLET,
        error: new ConnectError('transaction.refused', 'The network refused it: underpriced.'),
      }),
    act: (view) => (deepAll<HTMLDetailsElement>(view, '.fold')[0]!.open = true),
  },
  'send, an amount in dollars': {
    view: () => make(SendView, { clock, wallet: WALLET, network: NETWORK, networks: BY_WALLET }),
    act: async (view) => {
      const send = view as SendView;
      send.show([{ symbol: 'ETH', decimals: 18, raw: 12n * 10n ** 17n }]);
      send.priceOf = () => unitPrice({ value: 2450, currency: 'USD', at: 0 });
      await send.updateComplete;
      send.fill(RECIPIENT, '0.25');
      await send.updateComplete;
      deepAll<HTMLElement>(send, '.toggle')[0]!.click();
    },
  },
  'send, several networks': {
    view: () =>
      make(SendView, {
        clock,
        wallet: WALLET,
        network: NETWORK,
        places: [NETWORK, { ...NETWORK, id: 'base', name: 'Base' }],
        networks: BY_WALLET,
        known: KNOWN.map((one) => ({ ...one, networks: ['base'] })),
      }),
    act: (view) => (view as SendView).fill(RECIPIENT, '0.25'),
  },
  'send, an NFT': {
    view: () =>
      make(SendView, {
        clock,
        wallet: WALLET,
        network: NETWORK,
        networks: BY_WALLET,
        item: {
          network: NETWORK,
          name: 'Ticket #214',
          number: '214',
          collection: 'Harbour Tickets',
          contract: RECIPIENT,
          tokenId: '214',
        },
      }),
  },
  'known recipients': { view: () => make(RecipientsView, { known: KNOWN, armed: true }) },
  'known recipients, for a site': { view: () => make(RecipientsView, { known: KNOWN, site, armed: true }) },
  'the address book': { view: () => make(BookView, { saved: SAVED }) },
  'an empty address book': { view: () => make(BookView) },
  'add a recipient': { view: () => make(RecipientView) },
  'add a recipient on one of several chains': {
    view: () => make(RecipientView, { chains: ['ETHEREUM', 'BITCOIN'], chain: 'ETHEREUM' }),
  },
  'edit a recipient': { view: () => make(RecipientView, { address: RECIPIENT, saved: 'Ada' }) },
  scan: { view: () => make(ScanView, { clock }) },
  'first use': { view: () => make(FirstUseView, {}) },
  'choose a PIN': { view: () => make(ChoosePinView, { progressOf: 3 }) },
  'choose a PIN, easy to guess': {
    view: () => make(ChoosePinView),
    act: (view) => type(named(view, 'PIN'), '1234'),
  },
  'choose a PIN, refused': { view: () => make(ChoosePinView, { error: 'The PIN could not be changed.' }) },
  'change the PIN': { view: () => make(ChangePinView) },
  'enter the PIN, wrong': {
    view: () => make(EnterPinView, { text: 'For a new wallet.', error: 'Wrong PIN. 3 attempts left.' }),
  },
  'make a passkey': { view: () => makePasskey() },
  'make a passkey, not made': {
    view: () =>
      Object.assign(makePasskey(), { state: { error: 'No passkey was made. Try again, or use a PIN.' } }),
  },
  'choose a PIN, for want of a passkey': {
    view: () => make(ChoosePinView, { note: 'The passkeys of this device cannot open a wallet. A PIN can.' }),
  },
  'use the passkey': { view: () => make(EnterPinView, { text: 'For a new wallet.', passkey: true }) },
  'use the passkey, without a PIN': {
    view: () => make(EnterPinView, { passkey: true, hasPin: false, error: 'It did not open.' }),
  },
  'enter the PIN, at work': { view: () => make(EnterPinView, { busy: true }) },
  'back up, hidden': { view: () => make(BackUpView, { reveal: () => WORDS }) },
  'back up, shown': {
    view: () => make(BackUpView, { reveal: () => WORDS }),
    act: (view) => deep<Words>(view.shadowRoot as ShadowRoot, 'cbf-words').show(),
  },
  'check your copy, one wrong': {
    view: () => make(CheckCopyView, { positions: [3, 7, 11], check: (n, word) => WORDS[n - 1] === word }),
    act: (view) => {
      type(named(view, 'Word 3'), 'copper');
      type(named(view, 'Word 7'), 'latern');
      named(view, 'Word 11').focus();
    },
  },
  'import words, one unknown': {
    view: () => make(ImportView, { check: (word) => word !== 'peper' || 'pepper' }),
    act: (view) => type(deep(view.shadowRoot as ShadowRoot, 'textarea'), 'harbor peper glide '),
  },
  'import a private key': {
    view: () => make(ImportView, { kinds: ['key', 'keystore'], error: 'Not a private key.' }),
  },
  'import a key file': {
    view: () => make(ImportView, { kinds: ['keystore'], error: 'The password does not fit.' }),
  },
  'settings without a PIN': {
    view: () => make(SettingsView, { clock, passkey: 'on', hasPin: false, passkeyFailed: true }),
  },
  restore: { view: () => make(RestoreView, { error: 'These are not the words of this wallet.' }) },
  locked: { view: () => make(LockedView, { clock, until: clock.date() + 272_000 }) },
  'locked, with a passkey': { view: () => make(LockedView, { until: Infinity, passkey: true }) },
  'locked for good': { view: () => make(LockedView, { until: Number.POSITIVE_INFINITY }) },
  'node down': {
    view: () => nodeDown('Ethereum', clock, clock.date() + 8000),
  },
  'needs a window': { view: () => make(GuardView) },
  covered: { view: () => make(GuardView, { kind: 'covered' }) },
  'waiting for the site': {
    view: () =>
      make(WaitingView, {
        site,
        since: 1_800_000_000_000,
        deeds: [{ text: 'Main wallet linked', at: 1_800_000_000_000 }],
      }),
  },
  'the site was closed': { view: () => make(GoneView, { site }) },
  'several requests': {
    view: () =>
      make(QueueView, {
        site,
        items: [
          { action: 'transfer', effect: 'Send 0.25 ETH', state: 'approved' },
          { action: 'sign', effect: 'Sign', state: 'next' },
          { action: 'execute', effect: 'Call a contract', state: 'waiting' },
        ],
      }),
  },
  'the other requests': { view: () => make(RestView, { others: 2, next: 2, of: 3 }) },
  'cut off from its opener': { view: () => cutOffBy('opener') },
  'cut off by headers': { view: () => cutOffBy('coop') },
  'a site that does not answer': { view: () => cutOffBy('silent') },
  'not set up': { view: () => cutOffBy('config') },
  'a page that has not proven its origin': { view: () => unproven(site) },
  'a request by redirect that is over': { view: () => unproven() },
  'inside another app': { view: () => inAppQuestion('Telegram', 'https://shop.example', false) },
  'inside another app, a wallet there': { view: () => inAppQuestion('', 'https://shop.example', true) },
  'storage denied': { view: () => storageDenied(false) },
  'storage full': { view: () => storageDenied(true) },
  'something failed': { view: () => tryAgain() },
  sending: { view: () => make(SendingView, { amount: '0.25 ETH', hash: HASH }) },
  'waiting for confirmation': {
    view: () => make(SendingView, { amount: '0.25 ETH', hash: HASH, stage: 'confirming' }),
  },
  sent: { view: () => make(SentView, { ...transfer, who: 'Lena', fee: '0.000248 ETH', explorer }) },
  'sent, in a window that stays': {
    view: () =>
      make(SentView, {
        ...transfer,
        who: 'Lena',
        fee: '0.000248 ETH',
        explorer,
        site,
        since: 1_800_000_000_000,
        unnamed: true,
      }),
  },
  cancelling: { view: () => make(SendingView, { cancels: true, hash: HASH, stage: 'confirming' }) },
  cancelled: { view: () => make(SentView, { ...transfer, cancels: true, fee: '0.000248 ETH', explorer }) },
  'not sent': { view: () => make(NotSentView, { fee: '0.000248 ETH', hash: HASH, explorer }) },
  'waiting for confirmation, in a window that stays': {
    view: () => make(SendingView, { amount: '0.25 ETH', hash: HASH, stage: 'confirming', site }),
  },
  'not sent, in a window that stays': {
    view: () => make(NotSentView, { fee: '0.000248 ETH', hash: HASH, explorer, site, retry: false }),
  },
  'not sent, with a reason': {
    view: () => make(NotSentView, { reason: 'nonce of 0x8f3C too low', retry: false }),
  },
  'not sent, with an approval left': {
    view: () =>
      make(NotSentView, {
        fee: '0.000248 ETH',
        hash: HASH,
        explorer,
        retry: false,
        left: { raw: 500_000_000n, decimals: 6, symbol: 'USDC' },
      }),
  },
  'approved but not sent': {
    view: () => make(UnsentView, { ...transfer, error: 'The network did not answer.' }),
  },
  settings: {
    view: () =>
      make(SettingsView, { passkey: 'on', passkeyAdded: 'browser', clock, pinChangedAt: clock.date() - 2e9 }),
  },
  'settings of somebody with service wallets': {
    view: () =>
      make(SettingsView, {
        clock,
        service: { changedAt: clock.date() - 2e9, enrolled: true, passkey: 'on' },
        passkeyAdded: 'service',
      }),
  },
  'settings on a device that is not enrolled': {
    view: () =>
      make(SettingsView, { browser: false, service: { changedAt: null, enrolled: false, passkey: 'off' } }),
  },
  'locked just now': { view: () => lockedNow(site) },
  'locked just now, with nothing asked': { view: () => lockedNow(undefined) },
  'show words, PIN first': { view: () => make(ShowWordsView) },
  'show words': { view: () => make(ShowWordsView, { reveal: () => WORDS }) },
};

pictureScenes('frame views', SCENES);

checkAccessible('frame views', SCENES);

/** With every text in long words of another language. */
async function fitsFromRightToLeft(scene: Scene<FrameView>): Promise<void> {
  try {
    speakPseudo('rtl', scene.shell);
    await scene.settle();
    expect(untranslated(scene.shell, scene.view)).to.deep.equal([]);
    const body = scene.view.shadowRoot?.querySelector('.body') as Element;
    expect(body.scrollWidth).to.be.at.most(body.clientWidth);
    for (const element of deepAll<HTMLElement>(
      scene.shell.shadowRoot as ShadowRoot,
      '.addr, .words, cbf-pin-pad',
    ))
      expect(
        getComputedStyle(element instanceof LitElement ? deep(element, 'div') : element).direction,
      ).to.equal('ltr');
  } finally {
    speakEnglish();
  }
}

describe('every frame view', () => {
  for (const [name, { view, act }] of Object.entries(SCENES)) {
    it(`${name}: one title, focus inside, 44 px to press, 0x as it is, nothing cut off at 360 px, all of it translated, also from right to left`, async () => {
      const scene = await show(view(), 'light', 360);
      await act?.(scene.view);
      await scene.settle();
      const root = scene.view.shadowRoot as ShadowRoot;
      expect(root.querySelectorAll('h1')).to.have.length(1);
      expect(root.querySelector('h1')?.getAttribute('tabindex')).to.equal('-1');
      expect(scene.view.contains(scene.shell.shadowRoot?.activeElement as Element)).to.equal(true);
      expect(scene.shell.scrollWidth).to.be.at.most(360);
      for (const body of root.querySelectorAll('.body'))
        expect(body.scrollWidth).to.be.at.most(body.clientWidth);
      for (const button of deepAll<HTMLElement>(scene.shell.shadowRoot as ShadowRoot, 'button')) {
        if (!button.checkVisibility()) continue;
        // Of a mini button, what can be pressed reaches 8 px beyond what is drawn, and of a pill 4 px.
        const { classList } = button;
        const beyond = classList.contains('mini') ? 16 : classList.contains('pill') ? 8 : 0;
        const { height } = button.getBoundingClientRect();
        expect(height + beyond, button.textContent ?? '').to.be.at.least(44);
      }
      // Fonts with ligatures make a multiplication sign of it.
      for (const element of deepAll<HTMLElement>(scene.shell.shadowRoot as ShadowRoot, '*'))
        if ([...element.childNodes].some((node) => node instanceof Text && /0x[0-9a-f]/i.test(node.data)))
          expect(getComputedStyle(element).fontVariantLigatures, element.outerHTML).to.equal('none');
      await fitsFromRightToLeft(scene);
    });

    // A phone of 640 px at 200 % zoom.
    it(`${name}: nothing cut off at 320 px`, async () => {
      const scene = await show(view(), 'light', 320, 480);
      await act?.(scene.view);
      await scene.settle();
      expect(scene.shell.scrollWidth).to.be.at.most(320);
      const { right } = scene.shell.getBoundingClientRect();
      for (const part of scene.view.shadowRoot!.querySelectorAll('.body, .foot'))
        expect(part.scrollWidth, part.className).to.be.at.most(part.clientWidth);
      for (const button of deepAll<HTMLElement>(scene.shell.shadowRoot as ShadowRoot, 'button, label, h1'))
        expect(button.getBoundingClientRect().right, button.textContent ?? '').to.be.at.most(right);
    });
  }

  it('takes focus back when it is shown again after another', async () => {
    const view = make(LockedView, { until: Number.POSITIVE_INFINITY });
    const scene = await show(view);
    scene.shell.view = undefined as never;
    await scene.settle();
    scene.shell.view = (await show(view)).shell.view;
    await scene.settle();
    expect(focused()?.textContent).to.equal('Locked');
  });
});
