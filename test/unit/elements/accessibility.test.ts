import { expect } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import { CONTRAST, expectAccessible } from '../axe.ts';
import { pictures } from '../gallery.ts';
import { tooSmall } from '../targets.ts';
import type { ConnectElement } from '../../../src/elements/connect-element.ts';
import { FrameUnreachableError, RequestInvalidError, UserRejectedError } from '../../../src/base/errors.ts';
import { FakeConnect, MAIN, RECIPIENT, SAVINGS, SERVED, TOKEN, TRAVEL, VAULT } from './fake-connect.ts';
import { all, control, loaded, settle, show, type Shown, type as typeIn, until } from './page.ts';
import { market, panel, quoted } from './swap-page.ts';

type State = () => Promise<Shown<ConnectElement>>;

const SIGN = { type: 'ETHEREUM_RAW' as const, walletId: 'main', data: '0x01' };
const SIGNATURE = {
  success: true,
  result: { r: '0x01', s: '0x02', v: '0x1b', signature: `0x${'8a4c61f2'.repeat(16)}1b` },
};

async function link(wallets = [MAIN, TRAVEL, SAVINGS], layout?: 'chips' | 'list') {
  return show('link-wallets', layout ? { layout } : {}, wallets);
}

async function signing(end: (connect: FakeConnect) => void) {
  const shown = await show('sign-request', SIGN);
  await loaded(shown.element);
  shown.element.sign().catch(() => {});
  end(shown.connect);
  await settle(shown.element);
  return shown;
}

async function form(wallets = [MAIN, VAULT, TRAVEL], connect = new FakeConnect()) {
  connect.tokens = [
    {
      tokenAddress: TOKEN,
      rawBalance: '2500000',
      balance: 2.5,
      decimals: 6,
      symbol: 'USDX',
      logo: '',
      type: 'ERC20',
      transferable: true,
    },
  ];
  const shown = await show('transfer-dialog', {}, wallets, connect);
  await loaded(shown.element);
  shown.element.show().catch(() => {});
  await settle(shown.element);
  return shown;
}

const blocked = (reason: 'popup' | 'csp' | 'silent' | 'window') => (connect: FakeConnect) =>
  connect.last.options.onBlocked?.({ reason, open() {}, cancel() {} });

const STATES: Record<string, State> = {
  'link-wallets, nothing linked': () => link([]),
  'link-wallets, waiting': async () => {
    const shown = await link([]);
    shown.element.link().catch(() => {});
    await settle(shown.element);
    return shown;
  },
  'link-wallets, chips': () => link(),
  'link-wallets, list': () => link(undefined, 'list'),
  'link-wallets, one of the service': () => link([MAIN, SERVED]),
  'link-wallets, one of the service in a list': () => link([MAIN, SERVED], 'list'),
  'link-wallets, undo': async () => {
    const shown = await link();
    control(shown.element, 'Unlink Travel').click();
    await settle(shown.element);
    return shown;
  },
  'link-wallets, blocked': async () => {
    const shown = await link([]);
    await loaded(shown.element);
    shown.element.link().catch(() => {});
    blocked('popup')(shown.connect);
    await settle(shown.element);
    return shown;
  },
  'manage-wallets, balances': () => show('manage-wallets', { chain: 'ethereum' }, [MAIN, VAULT]),
  'manage-wallets, one of the service': () => show('manage-wallets', { chain: 'ethereum' }, [MAIN, SERVED]),
  'manage-wallets, loading': async () => {
    const connect = new FakeConnect();
    connect.balance = () => new Promise(() => {});
    return show('manage-wallets', { chain: 'ethereum' }, [MAIN, VAULT], connect);
  },
  'manage-wallets, unavailable': async () => {
    const connect = new FakeConnect();
    connect.balances = {};
    return show('manage-wallets', { chain: 'ethereum' }, [MAIN], connect);
  },
  'manage-wallets, empty': () => show('manage-wallets', { chain: 'vechain' }, [MAIN]),
  'sign-request, trigger': () => show('sign-request', SIGN),
  'sign-request, pending': () => signing(() => {}),
  'sign-request, signed': () => signing((connect) => connect.last.resolve(SIGNATURE)),
  'sign-request, rejected': () => signing((connect) => connect.last.reject(new UserRejectedError())),
  'sign-request, failed': () => signing((connect) => connect.last.reject(new FrameUnreachableError('gone'))),
  'sign-request, lost': () =>
    signing((connect) => connect.last.reject(new FrameUnreachableError('gone', { requestId: 'request-1' }))),
  'sign-request, blocked by the page’s policy': () => signing(blocked('csp')),
  'sign-request, silent': () => signing(blocked('silent')),
  'transfer-dialog, trigger': () => show('transfer-dialog', {}, [MAIN]),
  'transfer-dialog, empty form': () => form(),
  'transfer-dialog, filled in': async () => {
    const shown = await form();
    typeIn(control(shown.element, 'Recipient'), RECIPIENT);
    typeIn(control(shown.element, 'Amount'), '0.25');
    await until(shown.element, () => all(shown.element, 'details').length > 0);
    all<HTMLDetailsElement>(shown.element, 'details')[0]!.open = true;
    await settle(shown.element);
    return shown;
  },
  'transfer-dialog, an amount in dollars': async () => {
    const connect = new FakeConnect();
    const prices = [{ tokenAddress: '', symbol: 'ETH', price: 2450, at: Date.now() }];
    connect.priceLists[''] = { currency: 'USD', prices };
    const shown = await form([MAIN, VAULT], connect);
    await until(shown.element, () => all(shown.element, '.toggle').length > 0);
    typeIn(control(shown.element, 'Recipient'), RECIPIENT);
    typeIn(control(shown.element, 'Amount'), '0.25');
    await settle(shown.element);
    all(shown.element, '.toggle')[0]!.click();
    await settle(shown.element);
    return shown;
  },
  'transfer-dialog, errors': async () => {
    const shown = await form();
    typeIn(control(shown.element, 'Recipient'), '0x8f3C');
    control(shown.element, 'Continue').click();
    await settle(shown.element);
    return shown;
  },
  'transfer-dialog, wallet picker': async () => {
    const shown = await form();
    control(shown.element, 'From Main wallet 0x71C7…976F').click();
    await settle(shown.element);
    return shown;
  },
  'transfer-dialog, a wallet of the service': async () => {
    const shown = await form([SERVED, VAULT]);
    control(shown.element, 'From Rent 0x90F7…b906').click();
    await settle(shown.element);
    return shown;
  },
  'transfer-dialog, token picker': async () => {
    const shown = await form();
    control(shown.element, 'Token: ETH').click();
    await settle(shown.element);
    return shown;
  },
  'transfer-dialog, asks before it closes': async () => {
    const shown = await form();
    typeIn(control(shown.element, 'Amount'), '1');
    control(shown.element, 'Close').click();
    await settle(shown.element);
    return shown;
  },
  'transfer-dialog, waiting': async () => {
    const shown = await form();
    typeIn(control(shown.element, 'Recipient'), RECIPIENT);
    typeIn(control(shown.element, 'Amount'), '0.25');
    control(shown.element, 'Continue').click();
    await settle(shown.element);
    return shown;
  },
  'transfer-dialog, refused': async () => {
    const shown = await STATES['transfer-dialog, waiting']!();
    shown.connect.last.reject(new RequestInvalidError([{ path: 'to', message: 'is not an address' }]));
    await settle(shown.element);
    return shown;
  },
  'transfer-dialog, nothing linked': () => form([]),
};

/** Every part, in a look of its own. */
const PARTS: Record<string, string> = {
  button: 'letter-spacing: 1px',
  'button-primary': 'border-radius: 999px',
  'button-quiet': 'border-style: dotted',
  wallets: 'outline: 1px solid transparent',
  wallet: 'font-style: italic',
  copy: 'rotate: 1deg',
  unlink: 'rotate: 2deg',
  heading: 'text-transform: uppercase',
  hint: 'text-decoration: underline',
  tag: 'border: 1px solid currentColor',
  badge: 'border-radius: 50%',
  input: 'border-width: 3px',
  segment: 'text-transform: lowercase',
  rate: 'border-inline-start: 3px solid transparent',
  dialog: 'border-width: 4px',
  close: 'rotate: 3deg',
  panel: 'border-width: 5px',
};

/** The elements in a page that themes all parts, and the properties that are of no colour. */
const THEMED: Record<string, () => Promise<Shown<ConnectElement>>> = {
  'link-wallets': () => link([MAIN, SERVED]),
  'link-wallets, connect': () => link([]),
  'manage-wallets': () => show('manage-wallets', { chain: 'ethereum' }, [MAIN, SERVED]),
  'manage-wallets, empty': STATES['manage-wallets, empty']!,
  'sign-request': STATES['sign-request, signed']!,
  'transfer-dialog': STATES['transfer-dialog, filled in']!,
  'swap-panel': async () => {
    const shown = await panel({ amount: '0.5' }, market(), [MAIN, SERVED]);
    await quoted(shown.element);
    return shown;
  },
};

async function themed(name: string): Promise<Shown<ConnectElement>> {
  const shown = await THEMED[name]!();
  const style = document.createElement('style');
  const rules = Object.entries(PARTS).map(
    ([part, rule]) => `main > *::part(${part}) { ${rule}; --reached-${part}: 1; }`,
  );
  style.textContent = `${rules.join('\n')}
    main { --cb-button-height: 60px; --cb-button-padding: 24px; --cb-button-weight: 800; --cb-color-badge: #b4236b; --cb-color-star: #0a7d32; --cb-color-backdrop: rgb(40 0 60 / 0.7); }`;
  shown.element.parentElement!.append(style);
  await settle(shown.element);
  return shown;
}

pictures('themed elements', 'page', Object.keys(THEMED), async (name, { theme }) => {
  const { element } = await themed(name);
  element.parentElement!.className = theme;
  element.theme = theme;
  await settle(element);
  return element;
});

describe('a page that themes the elements', () => {
  it('reaches each part, and sets the size and weight of buttons and the colours of badge and star', async () => {
    const reached = new Set<string>();
    for (const name of Object.keys(THEMED)) {
      const { element } = await themed(name);
      for (const part of Object.keys(PARTS))
        for (const each of all(element, `[part~=${part}]`))
          if (getComputedStyle(each).getPropertyValue(`--reached-${part}`)) reached.add(part);
      for (const button of all(element, '.btn.primary').filter((each) => each.getClientRects().length)) {
        expect(button.getBoundingClientRect().height, name).to.equal(60);
        expect(getComputedStyle(button).fontWeight, name).to.equal('800');
        expect(getComputedStyle(button).borderRadius, name).to.equal('999px');
      }
    }
    expect([...reached].sort()).to.deep.equal(Object.keys(PARTS).sort());
  });
});

// The tests' page has no heading of its own, and a skip link is up to the page, not to an element.
const RULES = { ignoredRules: ['region', 'landmark-one-main', 'page-has-heading-one', 'heading-order'] };

pictures('elements', 'page', Object.keys(STATES), async (name, { theme }) => {
  const { element } = await STATES[name]!();
  element.parentElement!.className = theme;
  element.theme = theme;
  await settle(element);
  return element;
});

for (const [name, state] of Object.entries(STATES)) {
  describe(name, () => {
    it('has nothing for axe to say in light, in dark and from right to left', async () => {
      const { element } = await state();
      const page = element.parentElement!;
      const dress = async (theme: 'light' | 'dark', background: string): Promise<void> => {
        page.className = theme;
        page.style.background = background;
        element.theme = theme;
        await settle(element);
      };
      await dress('light', '#ffffff');
      await expect(element).to.be.accessible(RULES);
      await dress('dark', '#0d1015');
      await expectAccessible(element, CONTRAST);
      document.documentElement.dir = 'rtl';
      try {
        await settle(element);
        await expect(element).to.be.accessible(RULES);
      } finally {
        document.documentElement.dir = '';
      }
    });

    it('works under a strict content security policy, and fits a phone of 360 pixels, and fingers', async () => {
      await setViewport({ width: 360, height: 640 });
      try {
        const { element } = await state();
        expect(all(element, 'style, [style], script').length, 'no style tag, no style attribute').to.equal(0);
        expect(tooSmall(element.shadowRoot!, 24)).to.deep.equal([]);
        const dialog = all(element, 'dialog[open]')[0];
        if (!dialog) return;
        const box = dialog.getBoundingClientRect();
        expect(box.left).to.be.at.least(0);
        expect(box.right).to.be.at.most(360);
        expect(dialog.scrollWidth).to.be.at.most(dialog.clientWidth);
      } finally {
        await setViewport({ width: 800, height: 600 });
      }
    });

    it('fits a column of 320 pixels', async () => {
      const { element } = await state();
      element.parentElement!.style.inlineSize = '320px';
      await settle(element);
      const wide = all(element, '*:not(dialog, dialog *, .sr)').filter(
        (each) =>
          each.getBoundingClientRect().right > element.parentElement!.getBoundingClientRect().right + 1,
      );
      expect(wide.map((each) => each.outerHTML.slice(0, 80))).to.deep.equal([]);
    });
  });
}
