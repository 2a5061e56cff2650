import { expect } from '@open-wc/testing';
import { sendKeys, setViewport } from '@web/test-runner-commands';
import { createConnect } from '../../../../src/actions/connect.ts';
import type { SecretType } from '../../../../src/chains/secret-type.ts';
import { ConnectError, UserRejectedError } from '../../../../src/base/errors.ts';
import { fillPayment } from '../../../../src/elements/transfer-dialog/transfer-asides.ts';
import { TransferForm } from '../../../../src/elements/transfer-dialog/transfer-form.ts';
import { tokenOf } from '../../../../src/ui/assets.ts';
import { dialogs, FRAME, STORE, until, warmFrame } from '../../actions/page.ts';
import {
  ether,
  FakeConnect,
  MAIN,
  RECIPIENT,
  SAVINGS,
  SERVED,
  TOKEN,
  TRAVEL,
  TWO_NETWORKS,
  VAULT,
} from '../fake-connect.ts';
import { all, control, focused, maybe, nameOf, outcome, settle, show, text, textOf, type } from '../page.ts';

const RESULT = { transactionHash: '0xabc' };

function onTwo(): FakeConnect {
  return Object.assign(new FakeConnect(), { chainNetworks: TWO_NETWORKS });
}
const USDX = {
  tokenAddress: TOKEN,
  rawBalance: '2500000',
  balance: 2.5,
  decimals: 6,
  symbol: 'USDX',
  logo: '',
  type: 'ERC20',
  transferable: true,
};

async function form(properties = {}, wallets = [MAIN, VAULT, TRAVEL], connect = new FakeConnect()) {
  // What a busy machine may take long to load.
  await Promise.all([
    import('../../../../src/elements/transfer-dialog/transfer-asides.ts'),
    import('../../../../src/ui/combobox.ts'),
  ]);
  connect.tokens = [USDX];
  const shown = await show('transfer-dialog', properties, wallets, connect);
  const answer = outcome(shown.element.show());
  await settle(shown.element);
  return { ...shown, answer };
}

const dialog = (element: Element) => all<HTMLDialogElement>(element, 'dialog')[0]!;

function errorOf(element: Element, name: string): string {
  const field = control(element, name);
  const note = (element.shadowRoot as ShadowRoot).getElementById(field.getAttribute('aria-describedby')!);
  return field.getAttribute('aria-invalid') === 'true' ? textOf(note) : '';
}

async function fill(element: Parameters<typeof settle>[0], to: string, value: string) {
  type(control(element, 'Recipient'), to);
  type(control(element, 'Amount'), value);
  await settle(element);
}

describe('transfer-dialog', () => {
  for (const width of [800, 360])
    it(`moves nothing when what it loads late comes, nor when prices do, ${width} px wide`, async () => {
      const before = { width: innerWidth, height: innerHeight };
      await setViewport({ width, height: 800 });
      const connect = Object.assign(new FakeConnect(), { tokens: [USDX] });
      const prices = [{ tokenAddress: '', symbol: 'ETH', price: 2450, at: Date.now() }];
      connect.priceLists[''] = { currency: 'USD', prices };
      const { element } = await show('transfer-dialog', {}, [MAIN, VAULT], connect);
      await element.showView();
      const tops = new Set<number>();
      const look = (): void => {
        const [box, next] = [dialog(element), maybe(element, 'Continue')];
        if (next) tops.add(Math.round(next.getBoundingClientRect().top - box.getBoundingClientRect().top));
      };
      const watch = new MutationObserver(look);
      watch.observe(element.shadowRoot!, { subtree: true, childList: true });
      element.show().catch(() => {});
      await until(() => maybe(element, 'Paste') && all(element, '.toggle').length > 0);
      await settle(element);
      look();
      watch.disconnect();
      await setViewport(before);
      expect([...tops]).to.have.length(1);
    });

  it('is a sheet at the bottom of a phone’s screen, with Continue in sight', async () => {
    const { innerWidth, innerHeight } = window;
    await setViewport({ width: 360, height: 420 });
    try {
      const { element } = await form();
      await until(() => dialog(element)?.open && !dialog(element).getAnimations().length);
      const { left, right, bottom } = dialog(element).getBoundingClientRect();
      expect([left, right, bottom]).to.deep.equal([0, 360, 420]);
      expect(control(element, 'Continue').getBoundingClientRect().bottom).to.be.at.most(420);
    } finally {
      await setViewport({ width: innerWidth, height: innerHeight });
    }
  });

  it('is a modal dialog named Send that starts at the recipient and gives the focus back', async () => {
    const { element } = await show('transfer-dialog', {}, [MAIN]);
    control(element, 'Send').focus();
    await sendKeys({ press: 'Enter' });
    await until(() => !!dialog(element));
    await settle(element);
    expect(dialog(element).matches(':modal')).to.equal(true);
    expect(nameOf(dialog(element))).to.equal('Send');
    expect(nameOf(focused()!)).to.equal('Recipient');
    expect(element.hasAttribute('open')).to.equal(true);
    await sendKeys({ press: 'Escape' });
    await settle(element);
    expect(dialog(element).open).to.equal(false);
    expect(element.hasAttribute('open')).to.equal(false);
    expect(nameOf(focused()!)).to.equal('Send');
  });

  it('gives the focus back when the wallet that it opened closes over the page', async () => {
    await warmFrame();
    localStorage.setItem(STORE, JSON.stringify({ wallets: [MAIN] }));
    const connect = createConnect({ frame: FRAME, surface: 'iframe' });
    try {
      const { element } = await show('transfer-dialog', { alias: 'answer wait wait close' });
      element.connect = connect;
      await settle(element);
      const own = document.createElement('button');
      for (const opener of [control(element, 'Send'), document.body.appendChild(own)]) {
        opener.focus();
        const answer = element.show();
        await until(() => maybe(element, 'Recipient') && focused() !== opener);
        await fill(element, RECIPIENT, '1');
        control(element, 'Continue').focus();
        control(element, 'Continue').click();
        await answer;
        expect(dialogs()).to.have.length(1);
        await until(() => !dialogs().length);
        expect(nameOf(focused()!)).to.equal(nameOf(opener));
        expect(focused() === opener).to.equal(true);
      }
      own.remove();
    } finally {
      connect.destroy();
      localStorage.clear();
    }
  });

  it('sends what was entered, exactly, by keyboard alone', async () => {
    const { element, connect, events, answer } = await form();
    await sendKeys({ type: RECIPIENT });
    await sendKeys({ press: 'Tab' });
    expect(nameOf(focused()!)).to.equal('Clear recipient');
    await sendKeys({ press: 'Tab' });
    await sendKeys({ type: '0,250000000000000001' });
    await sendKeys({ press: 'Enter' });
    expect(connect.last.params).to.deep.equal({
      walletId: 'main',
      to: RECIPIENT,
      value: '0.250000000000000001',
      secretType: 'ETHEREUM',
    });
    await settle(element);
    expect(textOf(dialog(element))).to.include('Waiting for your wallet…');
    connect.last.resolve(RESULT);
    expect(await answer).to.equal('resolved');
    await settle(element);
    expect(dialog(element).open).to.equal(false);
    expect(events).to.deep.equal(['request', 'result']);
  });

  it('calls the wallet inside the press of Continue, so that a popup may open', async () => {
    const { element, connect } = await form();
    await fill(element, RECIPIENT, '1');
    let during = 0;
    dialog(element).addEventListener('submit', () => queueMicrotask(() => (during = connect.asked.length)));
    control(element, 'Continue').click();
    expect(connect.asked).to.have.length(1);
    control(element, 'Close').click();
    await settle(element);
    expect(during).to.equal(1);
  });

  it('shows errors at their fields, and focuses the first', async () => {
    const { element, connect } = await form();
    control(element, 'Continue').click();
    await settle(element);
    expect(errorOf(element, 'Recipient')).to.equal('Enter an address, a name or an e-mail address.');
    expect(errorOf(element, 'Amount')).to.equal('Enter an amount.');
    expect(nameOf(focused()!)).to.equal('Recipient');
    await fill(element, '0x8f3Cf7ad23Cd3CaDbD97', '1.5');
    control(element, 'Continue').click();
    await settle(element);
    expect(errorOf(element, 'Recipient')).to.equal(
      'This address is too short. Check that you copied all of it.',
    );
    expect(errorOf(element, 'Amount')).to.equal(
      'You have 1.284 ETH. Lower the amount or choose another wallet.',
    );
    await fill(element, RECIPIENT, '1.25');
    expect(errorOf(element, 'Recipient')).to.equal('');
    expect(errorOf(element, 'Amount')).to.equal('');
    expect(text(element)).to.include('Valid Ethereum address');
    expect(connect.asked).to.have.length(0);
  });

  const BAD_RECIPIENTS: Record<string, string> = {
    [`${RECIPIENT}00`]: 'This address is too long. Check that you copied only the address.',
    [RECIPIENT.replace('8f3C', '8F3C')]: 'A character of this address is wrong. Copy it again.',
    'lena@mail': 'This e-mail address is not complete.',
    bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4:
      'This is a Bitcoin address. Ethereum wallets cannot send to it.',
    ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi:
      'This is an Aeternity address. Ethereum wallets cannot send to it.',
    nobody: 'This is not an Ethereum address.',
  };
  for (const [recipient, error] of Object.entries(BAD_RECIPIENTS))
    it(`does not take ${recipient} for a recipient`, async () => {
      const { element } = await form();
      type(control(element, 'Recipient'), recipient);
      control(element, 'Recipient').dispatchEvent(new Event('blur'));
      await settle(element);
      expect(errorOf(element, 'Recipient')).to.equal(error);
    });

  const BAD_AMOUNTS: Record<string, string> = {
    '1e3': 'Enter a number, for example 0.25.',
    '-1': 'Enter a number, for example 0.25.',
    '0x10': 'Enter a number, for example 0.25.',
    '1,000': '1000 or 1.000?',
    '1,2,3': 'Enter a number, for example 0.25.',
    '1,000.5': 'You have 1.284 ETH. Lower the amount or choose another wallet.',
    '0': 'Enter an amount above 0.',
    '0.0000000000000000001': 'ETH has at most 18 digits after the point.',
    '1.284000000000000001': 'You have 1.284 ETH. Lower the amount or choose another wallet.',
  };
  for (const [amount, error] of Object.entries(BAD_AMOUNTS))
    it(`does not take ${amount} for an amount`, async () => {
      const { element, connect } = await form();
      await fill(element, RECIPIENT, amount);
      control(element, 'Continue').click();
      await settle(element);
      expect(errorOf(element, 'Amount')).to.equal(error);
      expect(connect.asked).to.have.length(0);
    });

  it('gets a known recipient from the wallet, which tells it nothing else', async () => {
    const { element, connect } = await form();
    await settle(element);
    await until(() => !!maybe(element, 'Known recipients'));
    control(element, 'Known recipients').click();
    expect(connect.last).to.deep.include({ action: 'chooseRecipient', params: { walletId: MAIN.id } });
    connect.last.resolve(RECIPIENT);
    await until(() => (control(element, 'Recipient') as HTMLInputElement).value === RECIPIENT);
    expect(maybe(element, 'Paste'), 'a filled field has one button').to.equal(undefined);
    control(element, 'Clear recipient').click();
    await settle(element);
    expect((control(element, 'Recipient') as HTMLInputElement).value).to.equal('');
    control(element, 'Known recipients').click();
    connect.last.reject(new UserRejectedError());
    await settle(element);
    expect(text(element)).to.not.include('rejected');
  });

  it('offers no known recipients with an external wallet, which has none of ours', async () => {
    const { element } = await form({}, [{ ...MAIN, walletType: 'EXTERNAL' }]);
    await until(() => !!maybe(element, 'Paste'));
    expect(maybe(element, 'Known recipients')).to.equal(undefined);
    expect(text(element)).to.include('Browser wallet');
  });

  it('says how to paste where the browser lets no button do it', async () => {
    const { element } = await form();
    const { readText } = navigator.clipboard;
    navigator.clipboard.readText = async () => {
      throw new DOMException('', 'NotAllowedError');
    };
    try {
      control(element, 'Paste').click();
      await until(() => text(element).includes('Press Ctrl+V to paste.'));
      expect(focused()).to.equal(control(element, 'Recipient'));
      navigator.clipboard.readText = async () => ` ${RECIPIENT}\n`;
      control(element, 'Paste').click();
      await until(() => (control(element, 'Recipient') as HTMLInputElement).value === RECIPIENT);
      expect(text(element)).to.not.include('Ctrl+V');
    } finally {
      navigator.clipboard.readText = readText;
    }
  });

  it('leaves a name to the wallet', async () => {
    const { element, connect } = await form();
    await fill(element, 'ada.eth', '0.25');
    expect(text(element)).to.include('Your wallet looks this name up.');
    control(element, 'Continue').click();
    await settle(element);
    expect(connect.last.params).to.include({ to: 'ada.eth', value: '0.25' });
  });

  it('leaves the fee when it fills in the maximum, and says so', async () => {
    const { element } = await form();
    control(element, 'Max').click();
    await settle(element);
    expect((control(element, 'Amount') as HTMLInputElement).value).to.equal('1.283');
    expect(text(element)).to.include('Max leaves 0.001 ETH for the fee.');
  });

  it('fills in a quarter or half of the balance', async () => {
    const { element } = await form();
    const filled = async (name: string) => {
      control(element, name).click();
      await settle(element);
      return (control(element, 'Amount') as HTMLInputElement).value;
    };
    expect(await filled('25%')).to.equal('0.321');
    expect(await filled('50%')).to.equal('0.642');
  });

  it('fills in the most by what the node asks for the fee now, to this recipient', async () => {
    const { element, connect } = await form();
    const asked: string[] = [];
    connect.maxSpendable = async (id, to) => {
      asked.push(`${id} ${to}`);
      return to ? '1.2835' : '1.2834';
    };
    const amount = () => (control(element, 'Amount') as HTMLInputElement).value;
    control(element, 'Max').click();
    await settle(element);
    expect(amount()).to.equal('1.2834');
    expect(text(element)).to.include('Max leaves 0.0006 ETH for the fee.');
    type(control(element, 'Recipient'), RECIPIENT);
    control(element, 'Max').click();
    await settle(element);
    expect(amount()).to.equal('1.2835');
    expect(asked).to.deep.equal(['main undefined', `main ${RECIPIENT}`]);
    control(element, 'Continue').click();
    expect((connect.last.params as { value: string }).value).to.equal('1.2835');
  });

  it('keeps what is typed while the node is asked', async () => {
    const { element, connect } = await form();
    let answer: (most: string) => void = () => {};
    let asked = 0;
    connect.maxSpendable = () => new Promise((resolve) => ((answer = resolve), asked++));
    control(element, 'Max').click();
    type(control(element, 'Amount'), '0.5');
    answer('1.2834');
    await settle(element);
    expect((control(element, 'Amount') as HTMLInputElement).value).to.equal('0.5');
    expect(asked).to.equal(1);
  });

  it('asks for the most with the data that goes along, and keeps the reserve beside data that is none', async () => {
    const { element, connect } = await form();
    const asked: unknown[] = [];
    connect.maxSpendable = async (_id, _to, options) => {
      asked.push(options?.data);
      return '1.2834';
    };
    const amount = () => (control(element, 'Amount') as HTMLInputElement).value;
    type(all(element, '#data')[0]!, '0x0');
    control(element, 'Max').click();
    await settle(element);
    expect([amount(), ...asked]).to.deep.equal(['1.283']);
    type(all(element, '#data')[0]!, ' 0x01');
    control(element, 'Max').click();
    await settle(element);
    expect([amount(), ...asked]).to.deep.equal(['1.2834', '0x01']);
    type(all(element, '#data')[0]!, '0x0102');
    await settle(element);
    expect(text(element), 'it is not the most any more').not.to.include('Max leaves 0.0006 ETH');
  });

  /** Wallet, what Max leaves of 2 coins, and whether a transfer can carry data. */
  const CHAINS: Record<string, [secretType: SecretType, symbol: string, most: string, data: string]> = {
    AETERNITY: ['AETERNITY', 'AE', '1.9999', 'Everybody can read it.'],
    BITCOIN: ['BITCOIN', 'BTC', '1.9999', 'Everybody can read it.'],
    ETHEREUM: ['ETHEREUM', 'ETH', '1.999', 'Hexadecimal, starting with 0x.'],
    GOCHAIN: ['GOCHAIN', 'GO', '1.9', 'Hexadecimal, starting with 0x.'],
    LITECOIN: ['LITECOIN', 'LTC', '1.999', 'Everybody can read it.'],
    TRON: ['TRON', 'TRX', '0.5', 'Everybody can read it.'],
    VECHAIN: ['VECHAIN', 'VET', '2', 'Hexadecimal, starting with 0x.'],
  };
  const DECIMALS: Record<string, number> = { BTC: 8, LTC: 8, TRX: 6 };
  for (const [name, [secretType, symbol, most, data]] of Object.entries(CHAINS))
    it(`speaks of the coin of ${name}`, async () => {
      const connect = new FakeConnect();
      const decimals = DECIMALS[symbol] ?? 18;
      connect.balances['main'] = { ...ether(`2${'0'.repeat(decimals)}`, secretType, symbol), decimals };
      const { element } = await show('transfer-dialog', {}, [{ ...MAIN, secretType }], connect);
      element.show().catch(() => {});
      await settle(element);
      control(element, 'Max').click();
      await settle(element);
      expect((control(element, 'Amount') as HTMLInputElement).value).to.equal(most);
      expect(text(element)).to.include('2 available');
      expect(text(element).includes('Max leaves')).to.equal(secretType !== 'VECHAIN');
      expect(!!maybe(element, `Token: ${symbol}`)).to.equal(true);
      const help = all(element, '#data-note')[0];
      expect(help ? textOf(help) : '').to.satisfy((said: string) => (data ? said.startsWith(data) : !said));
    });

  it('keeps data in sight when a wallet of another chain is chosen', async () => {
    const { element, connect } = await form({}, [MAIN, SAVINGS]);
    type(all(element, '#data')[0]!, '0x01');
    await settle(element);
    control(element, 'From Main wallet 0x71C7…976F').click();
    await settle(element);
    await sendKeys({ press: 'End' });
    await sendKeys({ press: 'Enter' });
    await settle(element);
    expect(text(element)).to.include('bc1');
    expect(all<HTMLDetailsElement>(element, 'details')[0]!.open).to.equal(true);
    await fill(element, SAVINGS.address, '1');
    control(element, 'Continue').click();
    expect(errorOf(element, 'Recipient') + errorOf(element, 'Amount')).to.equal('');
    expect(connect.last.params).to.deep.equal({
      walletId: 'savings',
      to: SAVINGS.address,
      value: '1',
      data: '0x01',
      secretType: 'BITCOIN',
    });
  });

  it('sends a token, where Max is the whole balance', async () => {
    const { element, connect } = await form();
    control(element, 'Token: ETH').click();
    await settle(element);
    await sendKeys({ type: 'us' });
    await sendKeys({ press: 'Enter' });
    await settle(element);
    expect(nameOf(focused()!)).to.equal('Token: USDX');
    control(element, 'Max').click();
    await settle(element);
    type(control(element, 'Recipient'), RECIPIENT);
    expect(maybe(element, 'Advanced')).to.equal(undefined);
    control(element, 'Continue').click();
    expect(connect.last.params).to.deep.equal({
      walletId: 'main',
      to: RECIPIENT,
      value: '2.5',
      secretType: 'ETHEREUM',
      tokenAddress: TOKEN,
    });
  });

  it('chooses the wallet by arrows, Home, End, Enter and Esc', async () => {
    const { element, connect } = await form();
    const name = 'From Main wallet 0x71C7…976F';
    control(element, name).focus();
    await sendKeys({ press: 'Enter' });
    await settle(element);
    const list = all(element, '[role=listbox]')[0]!;
    expect(nameOf(list)).to.equal('From');
    const active = () =>
      textOf((element.shadowRoot as ShadowRoot).getElementById(list.getAttribute('aria-activedescendant')!));
    const press = async (key: string) => {
      await sendKeys({ press: key });
      await settle(element);
      return active();
    };
    expect(active()).to.match(/^Main wallet/);
    expect(await press('End')).to.match(/^Travel/);
    expect(await press('ArrowUp')).to.match(/^Vault/);
    expect(await press('Home')).to.match(/^Main wallet/);
    expect(await press('t')).to.match(/^Travel/);
    await sendKeys({ press: 'Escape' });
    await settle(element);
    expect(dialog(element).open).to.equal(true);
    expect(nameOf(focused()!)).to.equal(name);
    await sendKeys({ press: 'Enter' });
    await settle(element);
    await sendKeys({ press: 'End' });
    await sendKeys({ press: 'Enter' });
    await settle(element);
    expect(nameOf(focused()!)).to.equal('From Travel 0x4838…5f97');
    expect(maybe(element, 'Token: VET')).not.to.equal(undefined);
    expect(connect.preloaded).to.include('VECHAIN');
  });

  it('marks a wallet of the service, whose name stays as it is', async () => {
    const { element } = await form({}, [SERVED, VAULT]);
    const button = control(element, 'From Rent 0x90F7…b906');
    const described = button.getAttribute('aria-describedby')!;
    expect(textOf((element.shadowRoot as ShadowRoot).getElementById(described)!)).to.include(
      'Service wallet',
    );
    button.click();
    await settle(element);
    const options = all(element, '[role=option]').map(textOf);
    expect(options.map((option) => option.includes('Service wallet'))).to.deep.equal([true, false]);
  });

  it('asks once before it drops what was entered', async () => {
    const { element, events, answer } = await form();
    type(control(element, 'Amount'), '1');
    await settle(element);
    control(element, 'Close').click();
    await settle(element);
    expect(text(element)).to.include('Close without sending?');
    expect(events).to.deep.equal([]);
    control(element, 'Keep editing').click();
    await settle(element);
    expect((control(element, 'Amount') as HTMLInputElement).value).to.equal('1');
    control(element, 'Close').click();
    await settle(element);
    control(element, 'Close').click();
    expect(await answer).to.equal('user.rejected');
    expect(events).to.deep.equal(['cancel']);
  });

  it('keeps the form after a failure; a second try is a request of its own', async () => {
    const { element, connect, events, answer } = await form();
    await fill(element, RECIPIENT, '1');
    control(element, 'Continue').click();
    connect.last.reject(new ConnectError('node.unreachable', 'No node answered.'));
    expect(await answer).to.equal('node.unreachable');
    // The error texts load on demand.
    await until(() => textOf(all(element, '[role=alert]')[0]!).includes('The network did not answer.'));
    expect((control(element, 'Amount') as HTMLInputElement).value).to.equal('1');
    control(element, 'Continue').click();
    connect.last.resolve(RESULT);
    await settle(element);
    expect(events).to.deep.equal(['request', 'error', 'request', 'result']);
    expect(dialog(element).open).to.equal(false);
  });

  it('offers to look up what the network may have, and does not say that it was not sent', async () => {
    const { element, connect, answer } = await form();
    await fill(element, RECIPIENT, '1');
    control(element, 'Continue').click();
    connect.last.reject(
      new ConnectError('node.unreachable', 'Nobody knows.', {
        requestId: 'request-9',
        transactionHash: '0x1',
      }),
    );
    expect(await answer).to.equal('node.unreachable');
    await until(() => textOf(all(element, '[role=alert]')[0]!).includes('may have gone through'));
    control(element, 'Check in wallet').click();
    expect([connect.last.action, connect.last.params]).to.deep.equal(['resume', 'request-9']);
  });

  it('comes back with all that was entered if the name has no address, and says so at the recipient', async () => {
    const { element, connect, events, answer } = await form();
    await until(() => !control(element, 'Token: ETH').hasAttribute('disabled'));
    control(element, 'Token: ETH').click();
    await until(() => all(element, '[role=option]').length === 2);
    await sendKeys({ press: 'End' });
    await sendKeys({ press: 'Enter' });
    await fill(element, 'nobody.eth', '2.5');
    control(element, 'Continue').click();
    const refuse = () =>
      connect.last.reject(new ConnectError('recipient.unknown', 'No address.', { reason: 'unknown' }));
    await settle(element);
    refuse();
    expect(await answer).to.equal('recipient.unknown');
    const error = 'No address found for this name. Ask the recipient for an address.';
    await until(() => errorOf(element, 'Recipient') === error);
    expect((control(element, 'Amount') as HTMLInputElement).value).to.equal('2.5');
    expect(maybe(element, 'Token: USDX')).not.to.equal(undefined);
    expect(all(element, '[role=alert]')).to.deep.equal([]);
    expect(nameOf(focused()!)).to.equal('Recipient');
    control(element, 'Amount').focus();
    await settle(element);
    expect(errorOf(element, 'Recipient'), 'it stays after the field was left').to.equal(error);

    control(element, 'Continue').click();
    expect(connect.asked, 'it may have one by now').to.have.length(2);
    await settle(element);
    refuse();
    await settle(element);
    await until(() => errorOf(element, 'Recipient') === error);
    await fill(element, 'nobody.eth2', '2.5');
    expect(errorOf(element, 'Recipient')).to.equal('This is not an Ethereum address.');
    await fill(element, 'lena@example.com', '2.5');
    expect(errorOf(element, 'Recipient')).to.equal('');
    control(element, 'Continue').click();
    connect.last.reject(new ConnectError('recipient.unknown', 'No wallet.'));
    await settle(element);
    await until(() => errorOf(element, 'Recipient').startsWith('No wallet found for this e-mail.'));
    expect(events).to.deep.equal(['request', 'error', 'request', 'error', 'request', 'error']);
  });

  it('closes with the request when the user rejects', async () => {
    const { element, connect, events, answer } = await form();
    await fill(element, RECIPIENT, '1');
    control(element, 'Continue').click();
    connect.last.reject(new UserRejectedError());
    expect(await answer).to.equal('user.rejected');
    await settle(element);
    expect(events).to.deep.equal(['request', 'cancel']);
    expect(element.open).to.equal(false);
  });

  it('cancels the request when the page closes it', async () => {
    const { element, connect, events, answer } = await form();
    await fill(element, RECIPIENT, '1');
    control(element, 'Continue').click();
    await settle(element);
    element.open = false;
    expect(await answer).to.equal('user.rejected');
    await settle(element);
    expect(connect.last.options.signal?.aborted).to.equal(true);
    expect(events).to.deep.equal(['request', 'cancel']);
  });

  it('opens by its attribute, and by the element in its slot', async () => {
    const { element } = await show('transfer-dialog', {}, [MAIN]);
    element.toggleAttribute('open', true);
    await until(() => element.view !== undefined && dialog(element).open);
    element.removeAttribute('open');
    await until(() => !dialog(element).open);
    const own = document.createElement('button');
    element.append(own);
    own.click();
    await until(() => dialog(element).open);
  });

  it('shows what the page gave and asks only for the rest', async () => {
    const { element, connect } = await form({ to: RECIPIENT, tokenAddress: TOKEN, alias: 'Lena' });
    const recipient = control(element, 'Recipient') as HTMLInputElement;
    expect(recipient.readOnly).to.equal(true);
    expect(recipient.value).to.equal(RECIPIENT);
    expect(nameOf(focused()!)).to.equal('Close');
    type(control(element, 'Amount'), '2');
    control(element, 'Continue').click();
    expect(connect.last.params).to.deep.equal({
      walletId: 'main',
      to: RECIPIENT,
      value: '2',
      secretType: 'ETHEREUM',
      tokenAddress: TOKEN,
      alias: 'Lena',
    });
  });

  it('hands on the signed order that the page gave, from the form too', async () => {
    const { element, connect } = await form({ to: RECIPIENT, value: '0.5', order: 'e30.e30.c2ln' });
    control(element, 'Continue').click();
    expect(connect.last.params).to.include({ order: 'e30.e30.c2ln', value: '0.5' });
  });

  it('takes a scanned amount as one of the coin, where the page gave none', async () => {
    const amountOf = async (properties: object, token = false) => {
      const { element } = await form(properties);
      const own = new TransferForm(element);
      own.follow();
      if (token) own.fields.asset = tokenOf({ ...USDX, tokenAddress: TOKEN });
      fillPayment(own, { to: RECIPIENT, value: '0.25' });
      expect(own.fields.to).to.equal(RECIPIENT);
      return own.fields.value;
    };
    expect(await amountOf({})).to.equal('0.25');
    expect(await amountOf({ value: '3' })).to.equal('3');
    expect(await amountOf({ value: 0 })).to.equal('0');
    expect(await amountOf({ tokenAddress: TOKEN })).to.equal('');
    expect(await amountOf({}, true), 'a token was chosen').to.equal('');
  });

  it('fills itself in from a payment code that is pasted or typed, and says why another one is of no use', async () => {
    const { element, connect } = await form();
    const code = `ethereum:${RECIPIENT}?value=25e16`;
    const { readText } = navigator.clipboard;
    navigator.clipboard.readText = async () => code;
    try {
      await until(() => !!maybe(element, 'Paste'));
      control(element, 'Paste').click();
      await until(() => (control(element, 'Recipient') as HTMLInputElement).value === RECIPIENT);
      expect((control(element, 'Amount') as HTMLInputElement).value).to.equal('0.25');
    } finally {
      navigator.clipboard.readText = readText;
    }
    await fill(element, 'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '0.25');
    control(element, 'Continue').click();
    await until(() => text(element).includes('This code is for Bitcoin. This wallet is on Ethereum.'));
    await fill(element, code, '');
    control(element, 'Continue').click();
    await until(() => (control(element, 'Recipient') as HTMLInputElement).value === RECIPIENT);
    expect(connect.asked).to.have.length(0);
  });

  describe('reads a code with a chain id', () => {
    const GO = { ...MAIN, secretType: 'GOCHAIN' as const };

    async function read(code: string, wallets = [MAIN], properties = {}, connect = onTwo()): Promise<string> {
      const { element } = await form(properties, wallets, connect);
      await fill(element, code, '');
      control(element, 'Continue').click();
      const recipient = () => (control(element, 'Recipient') as HTMLInputElement).value;
      await until(() => recipient() === RECIPIENT || /This code is for|does not answer/.test(text(element)));
      await settle(element);
      if (recipient() !== RECIPIENT) return errorOf(element, 'Recipient');
      const network = maybe(element, /^Network /);
      return `paid ${(control(element, 'Amount') as HTMLInputElement).value}${network ? ` on ${nameOf(network).slice(8)}` : ''}`;
    }

    const refusal = (chainId: number, names: string) =>
      `This code is for the network with chain ID ${chainId}. This wallet is on ${names}.`;

    it('of any network that the wallet is on, and chooses that network', async () => {
      expect(await read(`ethereum:${RECIPIENT}@1?value=25e16`)).to.equal('paid 0.25 on Ethereum');
      expect(await read(`ETHEREUM:pay-${RECIPIENT}%408453?value=25e16`)).to.equal('paid 0.25 on Base');
    });

    it('of GoChain, whose codes always have one', async () => {
      expect(await read(`ethereum:${RECIPIENT}@60?value=25e16`, [GO])).to.equal('paid 0.25');
      expect(await read(`ethereum:${RECIPIENT}@1?value=25e16`, [GO])).to.equal(refusal(1, 'GoChain'));
    });

    it('and refuses that of a network that the wallet is not on, or that the page did not set', async () => {
      expect(await read(`ethereum:${RECIPIENT}@137`)).to.equal(refusal(137, 'Ethereum, Base'));
      expect(await read(`ethereum:${RECIPIENT}@1`, [MAIN], { network: 'base' })).to.equal(refusal(1, 'Base'));
      expect(await read(`ethereum:${RECIPIENT}@8453`, [MAIN], { network: 'base' })).to.equal('paid ');
    });

    it('and takes what is not known for no mismatch: the next press asks again', async () => {
      const connect = onTwo();
      const { networks } = connect;
      connect.networks = () => Promise.reject(new ConnectError('frame.unreachable', 'Not now.'));
      const { element } = await form({}, [MAIN], connect);
      await fill(element, `ethereum:${RECIPIENT}@8453`, '');
      control(element, 'Continue').click();
      await until(
        () => errorOf(element, 'Recipient') === 'The wallet does not answer. Try again in a moment.',
      );
      connect.networks = networks;
      control(element, 'Continue').click();
      await until(() => (control(element, 'Recipient') as HTMLInputElement).value === RECIPIENT);
    });
  });

  it('sends nothing by a press that began before the code was read', async () => {
    const { element, connect } = await form({}, [MAIN], onTwo());
    await fill(element, `ethereum:${RECIPIENT}@8453`, '0.5');
    const press = control(element, 'Continue');
    press.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    // A slow user: what the focus left is read while the button is still down.
    control(element, 'Recipient').dispatchEvent(new FocusEvent('blur'));
    await until(() => (control(element, 'Recipient') as HTMLInputElement).value === RECIPIENT);
    await settle(element);
    press.click();
    expect(connect.asked).to.have.length(0);
    press.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    press.click();
    expect(connect.last.params).to.include({ to: RECIPIENT, value: '0.5', network: 'base' });
  });

  describe('on a wallet of several networks', () => {
    const network = (element: Element) => nameOf(maybe(element, /^Network /)!).slice('Network '.length);
    const ETHER = 1_000_000_000_000_000_000n;

    /** `raw`: what the wallet has, by network. */
    async function on(raw: Record<string, bigint>, properties = {}, kind: 'mainnet' | 'testnet' = 'mainnet') {
      const connect = new FakeConnect();
      const [home, base] = TWO_NETWORKS.ETHEREUM!;
      connect.chainNetworks = { ETHEREUM: [home!, { ...base!, kind }] };
      const { ethereum = 0n, base: there = 0n } = raw;
      connect.balances = { main: ether(String(ethereum)), 'main base': ether(String(there)) };
      return form(properties, [MAIN], connect);
    }

    it('asks on which, and sends there', async () => {
      const { element, connect } = await on({ ethereum: ETHER, base: 2n * ETHER });
      expect(network(element)).to.equal('Ethereum');
      control(element, 'Network Ethereum').click();
      await until(() => all(element, '#network [role=option]').length === 2);
      expect(all(element, '#network [role=option]').map(textOf)).to.deep.equal([
        'Ethereum1 ETH',
        'Base2 ETH',
      ]);
      all(element, '#network [role=option]')[1]!.click();
      await settle(element);
      expect(network(element)).to.equal('Base');
      expect(text(element)).to.include('2 available');
      expect(connect.readsElsewhere).to.include('tokenBalances main base');
      await fill(element, RECIPIENT, '1.5');
      control(element, 'Continue').click();
      expect(connect.last.params).to.deep.equal({
        walletId: 'main',
        to: RECIPIENT,
        value: '1.5',
        secretType: 'ETHEREUM',
        network: 'base',
      });
    });

    it('sends by default without naming one', async () => {
      const { element, connect } = await on({ ethereum: ETHER });
      await fill(element, RECIPIENT, '1');
      control(element, 'Continue').click();
      expect(connect.last.params).not.to.have.property('network');
    });

    it('starts with one that has something to send, which comes first in the list', async () => {
      const { element } = await on({ base: ETHER });
      expect(network(element)).to.equal('Base');
      control(element, 'Network Base').click();
      await until(() => all(element, '#network [role=option]').length === 2);
      expect(all(element, '#network [role=option]').map(textOf)).to.deep.equal([
        'Base1 ETH',
        'Ethereum0 ETH',
      ]);
      expect(network((await on({ base: ETHER, ethereum: 1n })).element), 'dust counts').to.equal('Ethereum');
    });

    it('never starts on a test network instead of a live one', async () => {
      expect(network((await on({ base: ETHER }, {}, 'testnet')).element)).to.equal('Ethereum');
    });

    it('starts where the page’s token is', async () => {
      const connect = onTwo();
      connect.tokensElsewhere = { 'main base': [USDX] };
      const shown = show('transfer-dialog', { tokenAddress: TOKEN }, [MAIN], connect);
      const { element } = await shown;
      void outcome((element as unknown as { show(): Promise<unknown> }).show());
      await until(() => maybe(element, /^Network /) && network(element) === 'Base');
      await until(() => text(element).includes('2.5 available'));
    });

    it('stays where an amount is typed already', async () => {
      const connect = onTwo();
      connect.balances = { main: ether('0'), 'main base': ether(String(ETHER)) };
      const { networks } = connect;
      let answer = (): void => {};
      const late = new Promise<void>((resolve) => (answer = resolve));
      connect.networks = (of) => late.then(() => networks(of));
      const { element } = await form({}, [MAIN], connect);
      await fill(element, RECIPIENT, '1');
      answer();
      await until(() => !!maybe(element, /^Network /));
      await settle(element);
      expect(network(element)).to.equal('Ethereum');
    });

    it('asks nothing where there is one network, or the page has set one', async () => {
      expect(maybe((await form()).element, /^Network /)).to.equal(undefined);
      const { element, connect } = await on({ base: ETHER }, { network: 'base' });
      expect(maybe(element, /^Network /)).to.equal(undefined);
      expect(text(element)).to.include('1 available');
      expect(connect.readsElsewhere).to.include('balance main base');
      await fill(element, RECIPIENT, '1');
      control(element, 'Continue').click();
      expect(connect.last.params).to.include({ network: 'base' });
    });

    it('offers only wallets that are on the page’s network', async () => {
      const { element } = await form({ network: 'base' }, [TRAVEL, MAIN], onTwo());
      await until(
        () => maybe(element, /^From /) && nameOf(maybe(element, /^From /)!).includes('Main wallet'),
      );
    });

    it('says that there is no such network, on the element and by its event', async () => {
      const connect = onTwo();
      const { element } = await show('transfer-dialog', { network: 'nowhere' }, [MAIN], connect);
      const failed = new Promise<ConnectError>((resolve) =>
        element.addEventListener('connect-error', ({ error }) => resolve(error)),
      );
      void outcome((element as unknown as { show(): Promise<unknown> }).show());
      const { code, details } = await failed;
      expect(code).to.equal('request.invalid');
      expect(details['issues']).to.deep.equal([
        { path: 'network', message: '“nowhere” is not a network of this wallet' },
      ]);
      await until(() => /Could not send.*Its owner can find the reason/.test(text(element)));
    });
  });

  it('goes straight to approval when nothing is missing, with 0 and bigint amounts unchanged', async () => {
    for (const value of ['1.5', 0, 10n]) {
      const { element, connect } = await show(
        'transfer-dialog',
        { walletId: 'main', to: RECIPIENT, value, data: '0x01' },
        [MAIN],
      );
      element.show().catch(() => {});
      expect(connect.last.params).to.deep.equal({
        walletId: 'main',
        to: RECIPIENT,
        value,
        secretType: 'ETHEREUM',
        data: '0x01',
      });
      expect(element.open).to.equal(false);
    }
  });

  it('lets the user link a wallet when there is none, without events of its own', async () => {
    const { element, connect, events } = await form({}, []);
    expect(text(element)).to.include('No wallet is linked to this site');
    const link = all(element, 'link-wallets')[0]!;
    control(link, 'Connect wallet').click();
    expect(connect.last.action).to.equal('linkWallets');
    connect.setWallets([MAIN]);
    connect.last.resolve([MAIN]);
    await settle(element);
    expect(control(element, 'Recipient')).to.be.instanceOf(HTMLElement);
    expect(events).to.deep.equal([]);
  });

  it('says that the wallet it was given is not linked', async () => {
    const { element } = await form({ walletId: 'gone' });
    expect(text(element)).to.include('This wallet is not linked to this site');
  });
});
