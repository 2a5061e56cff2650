import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { LitElement } from 'lit';
import { ConnectError } from '../../../src/base/errors.ts';
import type { Frame } from '../../../src/frame/frame.ts';
import type { OpenOptions } from '../../../src/frame/ui/screen.ts';
import { fullAddress } from '../../../src/ui/address.ts';
import { amountText, figure } from '../../../src/frame/ui/amount.ts';
import { clock as clockText } from '../../../src/ui/countdown.ts';
import { cutOffBy, nodeDown, retryNode, storageDenied } from '../../../src/frame/shell/obstacles-flow.ts';
import { FirstUseView } from '../../../src/frame/set-up/choice-views.ts';
import { GuardView } from '../../../src/frame/shell/guard-view.ts';
import { LockedView } from '../../../src/frame/unlock/locked-flow.ts';
import { NotSentView } from '../../../src/frame/approve/outcome/not-sent-view.ts';
import { SendingView } from '../../../src/frame/approve/outcome/sending-view.ts';
import { SentView } from '../../../src/frame/approve/outcome/sent-view.ts';
import { SettingsView } from '../../../src/frame/settings/settings-view.ts';
import { UnsentView } from '../../../src/frame/approve/outcome/unsent-view.ts';
import { TestClock } from '../clock.ts';
import { deep, focused, HASH, named, RECIPIENT, type Scene, show } from './scene.ts';

const make = <T extends object>(View: new () => T, properties: Partial<T> = {}): T =>
  Object.assign(new View(), properties);
const text = ({ view }: Scene<never>): string =>
  (view as HTMLElement).shadowRoot?.textContent?.replace(/\s+/g, ' ') ?? '';

describe('the shell', () => {
  it('names the site, its own region, and offers Settings and Close', async () => {
    const { shell } = await show(make(GuardView));
    const events: string[] = [];
    for (const name of ['cbf-settings', 'cbf-close']) shell.addEventListener(name, () => events.push(name));
    const region = deep(shell.shadowRoot as ShadowRoot, 'section');
    expect(region.getAttribute('aria-label')).to.equal('Carabiner wallet');
    expect(region.querySelector('header')?.textContent?.replace(/\s+/g, ' ').trim()).to.equal(
      'https://pay.shop.example',
    );
    expect(region.querySelector('b')?.textContent).to.equal('shop.example');
    named(shell, 'Settings').click();
    named(shell, 'Close').click();
    expect(events).to.deep.equal(['cbf-settings', 'cbf-close']);
    shell.settings = shell.closable = false;
    await shell.updateComplete;
    expect(region.querySelectorAll('header button')).to.have.length(0);
  });

  it('warns of a site without https', async () => {
    const { shell, settle } = await show(make(GuardView));
    shell.origin = 'http://localhost:8080';
    await settle();
    const header = deep(shell.shadowRoot as ShadowRoot, 'header');
    expect(header.textContent?.replace(/\s+/g, ' ').trim()).to.equal('http://localhost:8080 Not secure');
    expect(header.querySelector('.origin .sr')).to.equal(null);
  });

  it('shows its own host for settings and export', async () => {
    const { shell, settle } = await show(make(GuardView));
    shell.own = true;
    await settle();
    const header = deep(shell.shadowRoot as ShadowRoot, 'header');
    expect(header.textContent).to.contain('Your wallet').and.to.contain(location.hostname);
    expect(header.textContent).not.to.contain('shop.example');
  });

  it('announces the same text twice', async () => {
    const { shell } = await show(make(GuardView));
    const live = deep(shell.shadowRoot as ShadowRoot, 'section > [role=status]');
    shell.say({ text: 'Saved' });
    await shell.updateComplete;
    const first = live.textContent;
    shell.say({ text: 'Saved' });
    await shell.updateComplete;
    expect(live.textContent).not.to.equal(first);
    shell.say({ text: 'Danger', assertive: true });
    await shell.updateComplete;
    expect(deep(shell.shadowRoot as ShadowRoot, 'section > [role=alert]').textContent).to.equal('Danger');
  });

  it('leaves nothing that was announced behind once the user goes on', async () => {
    const { shell, view } = await show(make(GuardView));
    const said = () =>
      ['status', 'alert'].map(
        (role) => shell.shadowRoot!.querySelector(`section > [role=${role}]`)!.textContent,
      );
    for (const go of [
      () => view.click(),
      () => void view.dispatchEvent(new KeyboardEvent('keydown', { composed: true })),
    ]) {
      shell.say({ text: 'Check your copy' });
      shell.say({ text: 'Danger', assertive: true });
      await shell.updateComplete;
      expect(said()).to.deep.equal(['Check your copy', 'Danger']);
      go();
      await shell.updateComplete;
      expect(said()).to.deep.equal(['', '']);
    }
  });

  it('follows the theme of the user, else of the system', async () => {
    const { shell } = await show(make(GuardView), 'dark');
    expect(getComputedStyle(shell).colorScheme).to.equal('dark');
    shell.theme = 'light';
    await shell.updateComplete;
    expect(getComputedStyle(shell).colorScheme).to.equal('light');
    shell.theme = undefined;
    await shell.updateComplete;
    expect(shell.hasAttribute('theme')).to.equal(false);
  });
});

describe('the lock', () => {
  it('counts down, says each minute and the last ten seconds, and opens', async () => {
    const clock = new TestClock();
    const view = make(LockedView, { clock, until: clock.date() + 130_000 });
    const said: string[] = [];
    let unlocked = 0;
    view.addEventListener('cbf-announce', (event) =>
      said.push((event as CustomEvent<{ text: string }>).detail.text),
    );
    view.addEventListener('cbf-unlocked', () => unlocked++);
    document.body.append(view);
    await view.updateComplete;
    const timer = (): string => deep(view.shadowRoot as ShadowRoot, '[role=timer]').textContent ?? '';
    expect(timer()).to.equal('2:10');
    expect(deep(view.shadowRoot as ShadowRoot, '[role=timer]').getAttribute('aria-label')).to.equal(
      'Time left',
    );
    said.length = 0;
    await clock.pass(10_000);
    await view.updateComplete;
    expect(timer()).to.equal('2:00');
    expect(said).to.deep.equal(['2 minutes left']);
    await clock.pass(109_000);
    expect(said).to.deep.equal(['2 minutes left', '1 minute left']);
    await clock.pass(10_000);
    expect(said.slice(2)).to.deep.equal(['10', '9', '8', '7', '6', '5', '4', '3', '2', '1']);
    expect(unlocked).to.equal(0);
    await clock.pass(1000);
    expect(unlocked).to.equal(1);
    await clock.pass(60_000);
    expect(unlocked).to.equal(1);
    view.remove();
  });

  it('stops counting off the page and goes on when it is back', async () => {
    const clock = new TestClock();
    const view = make(LockedView, { clock, until: clock.date() + 20_000 });
    let unlocked = 0;
    view.addEventListener('cbf-unlocked', () => unlocked++);
    document.body.append(view);
    await view.updateComplete;
    view.remove();
    await clock.pass(30_000);
    expect(unlocked).to.equal(0);
    document.body.append(view);
    await clock.pass(0);
    expect(unlocked).to.equal(1);
    view.remove();
  });

  it('shows hours, and no time if only the words help', async () => {
    expect(clockText(4 * 3600)).to.equal('4:00:00');
    expect(clockText(272)).to.equal('4:32');
    const scene = await show(make(LockedView, { until: Number.POSITIVE_INFINITY }));
    expect(scene.view.shadowRoot?.querySelector('[role=timer]')).to.equal(null);
    expect(text(scene as never)).to.contain('Restore the wallet with your 12 words');
    named(scene.view, 'Restore with 12 words').click();
    await sendKeys({ press: 'Escape' });
    expect(scene.events).to.deep.equal(['restore', 'reject']);
  });

  it('promises no words to somebody who has not written them down', async () => {
    const until = Date.now() + 900_000;
    const scene = await show(make(LockedView, { until, backedUp: false }));
    expect(text(scene as never))
      .to.contain('This wallet is not backed up')
      .and.not.contain('your 12 words');
  });
});

describe('a network that does not answer', () => {
  it('tries again by itself, once, and on Retry', async () => {
    const clock = new TestClock();
    let retries = 0;
    const open = async () => {
      const view = nodeDown('Ethereum', clock, clock.date() + 8000);
      view.addEventListener('cbf-retry', () => retries++);
      document.body.append(view);
      await view.updateComplete;
      return view;
    };
    const view = await open();
    expect(view.shadowRoot?.textContent)
      .to.contain('Cannot reach Ethereum')
      .and.to.contain('Trying again in 8 s');
    await clock.pass(3000);
    await view.updateComplete;
    expect(view.shadowRoot?.textContent).to.contain('Trying again in 5 s');
    await clock.pass(20_000);
    expect(retries).to.equal(1);
    view.remove();
    const again = await open();
    named(again, 'Retry').click();
    await clock.pass(20_000);
    expect(retries).to.equal(2);
    again.remove();
  });

  it('is that of the wallet, unless the error names another', async () => {
    const stage = {
      open(view: HTMLElement) {
        document.body.append(view);
        return { next: () => Promise.resolve((view as LitElement).updateComplete) };
      },
    };
    const frame = { stage, clock: new TestClock() } as unknown as Frame;
    const headingFor = async (details?: Record<string, unknown>): Promise<string> => {
      const error = details && new ConnectError('node.unreachable', 'Down.', details);
      await retryNode(frame, { secretType: 'BITCOIN' }, {} as OpenOptions, error && { error });
      const view = document.body.lastElementChild!;
      view.remove();
      return view.shadowRoot!.querySelector('h1, h2')!.textContent!;
    };
    expect(await headingFor()).to.equal('Cannot reach Bitcoin');
    expect(await headingFor({ reason: 'network' })).to.equal('Cannot reach Bitcoin');
    expect(await headingFor({ secretType: 'ETHEREUM' })).to.equal('Cannot reach Ethereum');
  });
});

describe('progress', () => {
  it('announces each step once and can be closed only when the network has it', async () => {
    const scene = await show(make(SendingView, { amount: '0.25 ETH', hash: HASH }));
    const { view, said, events, settle } = scene;
    expect(text(scene as never)).to.contain('Sending 0.25 ETH');
    await sendKeys({ press: 'Escape' });
    expect(named<HTMLButtonElement>(view, 'Close').disabled).to.equal(true);
    view.stage = 'confirming';
    await settle();
    expect(said.filter((line) => line.startsWith('Sent to the network'))).to.have.length(1);
    expect(deep(view.shadowRoot as ShadowRoot, '[aria-current=step]').textContent).to.contain(
      'Waiting for confirmation',
    );
    named(view, 'Close').click();
    await sendKeys({ press: 'Escape' });
    // Where a window stays, only the button closes it.
    expect(events).to.deep.equal(['close', 'done']);
  });

  it('focuses Done when it was sent, and shows amount, recipient and fee', async () => {
    const scene = await show(
      make(SentView, {
        amount: '0.25 ETH',
        who: 'Lena',
        to: RECIPIENT,
        toShort: '0x8f3C…A063',
        fee: '0.000248 ETH',
        hash: HASH,
        explorer: `https://explorer.example/tx/${HASH}`,
      }),
    );
    expect(text(scene as never))
      .to.contain('0.25 ETH went to Lena. The network has confirmed it.')
      .and.to.contain('0.000248 ETH');
    expect(focused()?.textContent?.trim()).to.equal('Done');
    expect(scene.said[0]).to.equal('Sent');
    const link = named<HTMLAnchorElement>(scene.view, 'View on explorer');
    expect([link.target, link.rel]).to.deep.equal(['_blank', 'noopener noreferrer']);
    await sendKeys({ press: 'Enter' });
    expect(scene.events).to.deep.equal(['done']);
  });

  it('buzzes once, briefly, on a phone that can and was touched', async () => {
    const buzzes: unknown[] = [];
    for (const touched of [false, true]) {
      const own = { vibrate: (ms: unknown) => buzzes.push(ms), userActivation: { hasBeenActive: touched } };
      for (const [name, value] of Object.entries(own))
        Object.defineProperty(navigator, name, { configurable: true, value });
      try {
        const { view, settle } = await show(make(SentView, { amount: '0.25 ETH' }));
        view.fee = '0.000248 ETH';
        await settle();
      } finally {
        for (const name of Object.keys(own)) Reflect.deleteProperty(navigator, name);
      }
    }
    expect(buzzes).to.deep.equal([10]);
  });

  it('says so once the network has confirmed what was already shown as sent', async () => {
    const { view, said, settle } = await show(make(SentView, { amount: '0.25 ETH', waits: '1 / 2' }));
    for (const waits of ['2 / 2', '']) {
      view.waits = waits;
      await settle();
    }
    expect(said.filter((text) => text.includes('confirmed'))).to.deep.equal([
      'The network has confirmed the transaction.',
    ]);
  });

  it('copies the whole hash', async () => {
    const scene = await show(make(SentView, { hash: HASH }));
    let copied = '';
    const { clipboard } = navigator;
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (value: string) => (copied = value) },
    });
    try {
      named(scene.view, 'Copy transaction hash').click();
      await scene.settle();
    } finally {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    }
    expect(copied).to.equal(HASH);
    expect(scene.said.at(-1)).to.equal('Transaction hash copied');
  });

  it('says what was spent when it was refused, and the node’s own words', async () => {
    const spent = await show(make(NotSentView, { fee: '0.000248 ETH', hash: HASH }));
    expect(text(spent as never)).to.contain(
      'The network refused the transaction. Only the fee of 0.000248 ETH was spent.',
    );
    named(spent.view, 'Try again').click();
    expect(spent.events).to.deep.equal(['retry']);
    const refused = await show(make(NotSentView, { reason: 'nonce too low' }));
    expect(text(refused as never))
      .to.contain('Nothing was spent.')
      .and.to.contain('nonce too low');
  });

  it('lets a transaction that was cut off be sent again or dismissed', async () => {
    const { view, events } = await show(make(UnsentView, { hash: HASH }));
    named(view, 'Send again').click();
    named(view, 'Stop sending').click();
    await sendKeys({ press: 'Escape' });
    expect(events).to.deep.equal(['send', 'dismiss', 'close']);
  });
});

describe('guards and refusals', () => {
  for (const kind of ['window', 'covered'] as const)
    it(`offer a window of their own: ${kind}`, async () => {
      const { view, events } = await show(make(GuardView, { kind }));
      named(view, 'Open in a window').click();
      named(view, 'Reject').click();
      await sendKeys({ press: 'Escape' });
      expect(events).to.deep.equal(['window', 'reject', 'reject']);
    });

  it('ask for a larger window, with its size and what is needed, or for a larger zoom', async () => {
    const { view, events } = await show(make(GuardView, { kind: 'small', own: true }));
    const says = () => text({ view } as never);
    expect(says()).to.contain('Make this window larger');
    expect(says()).to.contain('It turns on by itself once they fit.');
    const real = Object.getOwnPropertyDescriptor(window, 'devicePixelRatio')!;
    const realWidth = Object.getOwnPropertyDescriptor(window, 'innerWidth')!;
    const resize = async (name: string, value: number) => {
      Object.defineProperty(window, name, { value, configurable: true });
      dispatchEvent(new Event('resize'));
      await view.updateComplete;
    };
    try {
      await resize('innerWidth', 300);
      expect(says()).to.match(/Now 300 × \d+ · needed 320 × 231/);
      named(view, 'Resize window').click();
      named(view, 'Reject').click();
      expect(events).to.deep.equal(['resize', 'reject']);
      await resize('innerWidth', 900);
      await resize('devicePixelRatio', 0.5);
      expect(says()).to.contain('Zoom now 50% · needed 75%');
      expect(says(), 'a larger window is no help').not.to.contain('Resize window');
    } finally {
      Object.defineProperty(window, 'devicePixelRatio', real);
      Object.defineProperty(window, 'innerWidth', realWidth);
    }
  });

  it('say what to do when the browser stores nothing, or there is no site', async () => {
    const denied = await show(storageDenied(false));
    expect(text(denied as never)).to.contain('Nothing was made.');
    named(denied.view, 'Try again').click();
    named(denied.view, 'Reject').click();
    expect(denied.events).to.deep.equal(['retry', 'reject']);
    const alone = await show(cutOffBy('opener'));
    named(alone.view, 'Close').click();
    expect(alone.events).to.deep.equal(['close']);
  });
});

describe('first use', () => {
  it('starts at Create wallet; Tab reaches Import wallet', async () => {
    const { view, events } = await show(make(FirstUseView, {}));
    expect(focused()?.getAttribute('aria-label')).to.equal('Create wallet');
    await sendKeys({ press: 'Enter' });
    await sendKeys({ press: 'Tab' });
    await sendKeys({ press: 'Enter' });
    expect(events).to.deep.equal(['create', 'import']);
    expect(view.shadowRoot?.querySelector('footer')?.textContent?.trim()).to.equal(
      'A site only sees wallets that you link to it.',
    );
  });
});

describe('settings', () => {
  it('offer what can be changed, and a passkey only if there is one', async () => {
    const { view, events, settle, said } = await show(make(SettingsView));
    expect(() => named(view, 'Passkey')).to.throw();
    for (const name of ['Change PIN', 'Show words', 'Lock now']) named(view, name).click();
    view.passkey = 'off';
    await settle();
    named<HTMLInputElement>(view, 'Passkey').click();
    expect(events).to.deep.equal(['change-pin', 'show-words', 'lock', 'passkey']);
    view.saved();
    expect(said.at(-1)).to.equal('Saved');
  });

  it('choose a theme by arrow keys', async () => {
    const { view, events } = await show(make(SettingsView, { chosenTheme: 'auto' }));
    const themes: unknown[] = [];
    view.addEventListener('cbf-theme', (event) => themes.push((event as CustomEvent).detail));
    named(view, 'Automatic').focus();
    await sendKeys({ press: 'ArrowRight' });
    await sendKeys({ press: 'ArrowRight' });
    expect(themes).to.deep.equal([{ theme: 'light' }, { theme: 'dark' }]);
    expect(events).to.deep.equal(['theme', 'theme']);
  });

  it('offer the site’s language, and others by their own names', async () => {
    const languages = [
      { code: 'en', name: 'English' },
      { code: 'ja', name: '日本語' },
    ];
    const { view } = await show(make(SettingsView, { languages }));
    const select = named<HTMLSelectElement>(view, 'Language');
    expect([...select.options].map(({ text }) => text)).to.deep.equal(['Automatic', 'English', '日本語']);
    expect(select.value).to.equal('');
    const chosen: unknown[] = [];
    view.addEventListener('cbf-language', (event) => chosen.push((event as CustomEvent).detail));
    select.value = 'ja';
    select.dispatchEvent(new Event('change'));
    expect(chosen).to.deep.equal([{ language: 'ja' }]);
  });

  it('say when the PIN was changed', async () => {
    const clock = new TestClock();
    const pinChangedAt = clock.date() - 22 * 86_400_000;
    const scene = await show(make(SettingsView, { clock, pinChangedAt, backedUp: true }));
    expect(text(scene as never))
      .to.contain('Changed 3 weeks ago')
      .and.to.contain('12 words, checked');
  });
});

describe('addresses and amounts', () => {
  const shown = async (address: string): Promise<Element> =>
    deep(await fixture<HTMLElement>(html`<div>${fullAddress(address)}</div>`), '.groups');

  it('shows every character in groups of four, first and last bold, and is read as unbroken text, not as an image', async () => {
    const groups = await shown(RECIPIENT);
    expect(groups.ariaHidden).to.equal('true');
    expect(groups.previousElementSibling!.textContent).to.equal(RECIPIENT);
    expect(groups.closest('[role]')).to.equal(null);
    expect(groups.textContent).to.equal(RECIPIENT);
    expect(groups.querySelector('i')?.textContent).to.equal('0x');
    expect([...groups.querySelectorAll('b')].map((b) => b.textContent)).to.deep.equal(['8f3C', 'A063']);
    expect(groups.querySelectorAll('b, span')).to.have.length(10);
  });

  it('makes the last two groups bold when the last is short', async () => {
    const groups = await shown('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2');
    expect(groups.querySelector('i')).to.equal(null);
    expect([...groups.querySelectorAll('b')].map((b) => b.textContent)).to.deep.equal(['1BvB', 'JaNV', 'N2']);
  });

  it('copies unbroken', async () => {
    const groups = await shown(RECIPIENT);
    const event = new ClipboardEvent('copy', {
      bubbles: true,
      cancelable: true,
      clipboardData: new DataTransfer(),
    });
    groups.dispatchEvent(event);
    expect(event.clipboardData?.getData('text/plain')).to.equal(RECIPIENT);
  });

  it('sets thousands apart', () => {
    const cases: [raw: bigint, decimals: number | null, shown: string][] = [
      [999_999n, 3, '999.999'],
      [1_802_110n, 3, '1,802.11'],
      [123_456_789_012_345_678n, 8, '1,234,567,890.12345678'],
      [1_000_000n, null, '1,000,000'],
      [-1_000n, 0, '-1,000'],
    ];
    for (const [raw, decimals, shown] of cases) expect(figure({ raw, decimals })).to.equal(shown);
  });

  it('shows every digit of an amount, and the raw number if the decimals are unknown', () => {
    expect(figure({ raw: 250_420_000_000_000_001n, decimals: 18 })).to.equal('0.250420000000000001');
    expect(amountText({ raw: 250_000n, decimals: 6, symbol: 'USDC' })).to.equal('0.25 USDC');
    expect(amountText({ raw: 250_000n, decimals: null, symbol: 'ABC' })).to.equal(
      '250,000 smallest units of ABC',
    );
  });
});
