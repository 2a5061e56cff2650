import { expect } from '@open-wc/testing';
import type { Network } from '../../../../src/chains/network.ts';
import type { Wallet } from '../../../../src/api/wallet.ts';
import type { Chain } from '../../../../src/chains/chain.ts';
import type { Summary } from '../../../../src/chains/approval/summary.ts';
import { namehash, UNIVERSAL_RESOLVER } from '../../../../src/chains/names/registers.ts';
import { lookUpName, NameProblem } from '../../../../src/frame/recipients/look-up-name.ts';
import { followActivity } from '../../../../src/frame/wallets/activity-flow.ts';
import type { NameFound } from '../../../../src/frame/wallets/recipient-field.ts';
import { SendView } from '../../../../src/frame/wallets/send-view.ts';
import { unitPrice } from '../../../../src/ui/worth.ts';
import { shortText } from '../../../../src/ui/address.ts';
import { partOf } from '../../../../src/ui/typed-amount.ts';
import type { Asset } from '../../../../src/ui/assets.ts';
import { TransferFields } from '../../../../src/ui/transfer-checks.ts';
import { TestClock } from '../../clock.ts';
import { addressIn, deepAll, focused, named, type } from '../scene.ts';
import {
  type Asked,
  NETWORKS,
  ORIGIN,
  RECIPIENT,
  settled,
  unreachable,
  until,
  world,
  type World,
} from '../world.ts';

const HASH = `0x${'1'.padStart(64, '0')}`;
/** Begins and ends as RECIPIENT does. */
const TWIN = '0x8f3C11d94b0075aE21C0b7719dE5a0c6412FA063'.toLowerCase();

async function openSend(w: World): Promise<Asked> {
  const asked = w.ask('manageWallets', { chain: 'ETHEREUM' });
  await w.press('More for Main wallet');
  await w.press('Send');
  await w.title('Send');
  await until(() => w.text().includes('available'), 'the balance');
  return asked;
}

async function enter(w: World, to: string, value = '0.2'): Promise<void> {
  type(await w.find<HTMLInputElement>('Recipient'), to);
  type(await w.find<HTMLInputElement>('Amount'), value);
}

/** What the Universal Resolver answers, by name; the fake node knows nothing else. */
function withNames(w: World, names: Map<string, string>): void {
  const word = (hex: string) => hex.padStart(64, '0');
  const own = w.chain.chain.node;
  w.chain.chain.node = (network: Network) =>
    Object.assign(own(network), {
      async call(_method: string, { to, data }: { to: string; data: string }) {
        expect(to).to.equal(UNIVERSAL_RESOLVER);
        const found = [...names].find(([name]) => data.includes(namehash(name).slice(2)))?.[1];
        if (!found)
          throw Object.assign(new Error('execution reverted'), { name: 'RpcError', data: '0x77209fe8' });
        return `0x${word('40')}${word('0')}${word('20')}${word(found.slice(2))}`;
      },
    }) as ReturnType<Chain['node']>;
}

describe('Send from a wallet on several networks', () => {
  const [local] = NETWORKS.networks;
  const USDC = { address: `0x${'a'.repeat(40)}`, symbol: 'USDC', name: 'USD Coin', decimals: 6, logo: '' };
  const base: Network = { ...local!, id: 'base', name: 'Base', chainId: 8453, tokens: [USDC] };
  const test: Network = { ...local!, id: 'test', name: 'Sepolia', kind: 'testnet', chainId: 11155111 };

  /** `coins`: in tenths of an ether, by network. */
  async function worldOn(coins: Record<string, bigint> = {}): Promise<World> {
    const w = await world({ networks: { ...NETWORKS, networks: [local!, base, test] } });
    const { balance } = w.chain.chain;
    w.chain.chain.balance = async (address, node) => ({
      ...(await balance(address, node)),
      rawBalance: `${(coins[node.network.id] ?? 12n) * 10n ** 17n}`,
    });
    await openSend(w);
    return w;
  }
  const place = (w: World) => w.find<HTMLSelectElement>('Network');
  async function choose(w: World, id: string): Promise<void> {
    const select = await place(w);
    select.value = id;
    select.dispatchEvent(new Event('change'));
    await until(() => deepAll<SendView>(w.shell, 'cbf-send')[0]!.network.id === id, 'the other network');
  }
  const form = (w: World): SendView => deepAll<SendView>(w.shell, 'cbf-send')[0]!;

  it('goes out on the one that is chosen, and says where the recipient was paid before', async () => {
    const w = await worldOn({ base: 7n });
    await choose(w, 'base');
    await until(() => w.text().includes('0.7 available'), 'what it has there');
    await enter(w, RECIPIENT);
    expect(w.text()).to.not.include('You paid this address');
    await w.press('Continue');
    await w.approve();
    await w.title('Sent');
    expect(w.chain.drafts[0]!.network.id).to.equal('base');
    expect((await w.vault.activity.get(HASH))!.network).to.equal('base');
    await w.press('Done');
    await w.title('Ethereum wallets');
    await w.press('More for Main wallet');
    await w.press('Send');
    await w.title('Send');
    await enter(w, RECIPIENT);
    await until(() => w.text().includes('You paid this address on Base before.'), 'the hint');
    await choose(w, 'base');
    await until(() => !w.text().includes('You paid this address'), 'no hint there');
  });

  it('begins where there are coins of the same kind, and lists such networks first', async () => {
    const w = await worldOn({ local: 0n, base: 7n, test: 9n });
    await until(() => form(w).network.id === 'base', 'the one with coins');
    const select = await place(w);
    await until(() => select.options[0]!.text === 'Base · 0.7 ETH', 'its coins');
    expect([...select.options].map(({ value }) => value)).to.deep.equal(['base', 'test', 'local']);
    expect(select.value).to.equal('base');
  });

  it('stays where something was entered before the coins were known', async () => {
    const w = await world({ networks: { ...NETWORKS, networks: [local!, base] } });
    const { balance } = w.chain.chain;
    let tell = (): void => {};
    const told = new Promise<void>((resolve) => (tell = resolve));
    w.chain.chain.balance = async (address, node) => {
      if (node.network.id === 'base') await told;
      const held = await balance(address, node);
      return { ...held, rawBalance: node.network.id === 'base' ? held.rawBalance : '0' };
    };
    await openSend(w);
    await enter(w, RECIPIENT);
    tell();
    await until(() => form(w).places[0]?.id === 'base', 'the order');
    expect(form(w).network.id).to.equal('local');
    await form(w).updateComplete;
    expect((await place(w)).value, 'the option under the same name').to.equal('local');
  });

  it('is where a code names it, coins and tokens alike; another one is refused', async () => {
    const w = await worldOn();
    type(await w.find<HTMLInputElement>('Recipient'), `ethereum:${RECIPIENT}@8453?value=2.5e17`);
    await w.clock.pass(1000);
    await until(() => form(w).network.id === 'base' && form(w).fields.value === '0.25', 'what it asks for');
    expect((await place(w)).value).to.equal('base');
    await choose(w, 'local');
    form(w).fill('');
    const token = `ethereum:${USDC.address}@8453/transfer?address=${RECIPIENT}&uint256=5e6`;
    type(await w.find<HTMLInputElement>('Recipient'), token);
    await w.clock.pass(1000);
    await until(() => form(w).fields.asset?.symbol === 'USDC' && form(w).fields.value === '5', 'the token');
    expect(form(w).network.id).to.equal('base');
    type(await w.find<HTMLInputElement>('Recipient'), `ethereum:${RECIPIENT}@137?value=1e18`);
    await w.clock.pass(1000);
    await until(() => w.text().includes('chain ID 137'), 'the refusal');
    expect(form(w).network.id).to.equal('base');
  });
});

describe('Send from a wallet itself', () => {
  it('goes through the same approval, and no site learns of it', async () => {
    const w = await world();
    await openSend(w);
    await enter(w, RECIPIENT);
    await w.press('Continue');
    await w.approve();
    await w.title('Sent');
    const record = await w.vault.activity.get(HASH);
    expect(record).to.include({ state: 'confirmed', origin: location.origin });
    expect(w.chain.signed[0]!.request).to.include({ type: 'TRANSFER', to: RECIPIENT });
    expect(await w.vault.journal.pending(ORIGIN, [])).to.deep.equal([]);
    await w.press('Done');
    await w.title('Ethereum wallets');
  });

  it('says what is missing before anything is asked of the chain', async () => {
    const w = await world();
    await openSend(w);
    await w.press('Continue');
    expect(w.text())
      .to.include('Enter an address, a name or an e-mail address.')
      .and.include('Enter an amount.');
    await enter(w, '0x1234', '9');
    await w.press('Continue');
    expect(w.text()).to.include('This address is too short').and.include('You have 1.2 ETH.');
    expect(w.text()).to.include('How to add funds').and.include('Have somebody send ETH to this wallet');
    expect(w.chain.prepared).to.equal(0);
  });

  it('pastes by its button, or says how', async () => {
    const w = await world();
    await openSend(w);
    const { readText } = navigator.clipboard;
    let copied = '';
    navigator.clipboard.readText = async () => copied;
    try {
      await w.press('Paste');
      await until(() => w.text().includes('Press Ctrl+V to paste.'), 'how to paste');
      expect(focused()).to.equal(await w.find('Recipient'));
      copied = `${RECIPIENT}\n`;
      await w.press('Paste');
      const field = await w.find<HTMLInputElement>('Recipient');
      await until(() => field.value === RECIPIENT, 'the address');
      await w.press('Clear recipient');
      expect(w.text()).to.not.include('Ctrl+V');
    } finally {
      navigator.clipboard.readText = readText;
    }
  });

  it('asks nothing that the page has not let its frame', async () => {
    const w = await world({ surface: 'iframe' });
    await openSend(w);
    const { readText } = navigator.clipboard;
    let asked = false;
    navigator.clipboard.readText = async () => {
      asked = true;
      return '';
    };
    Object.defineProperty(document, 'featurePolicy', {
      configurable: true,
      value: { allowsFeature: (name: string) => name !== 'clipboard-read' },
    });
    try {
      await w.press('Paste');
      await until(() => w.text().includes('Press Ctrl+V to paste.'), 'how to paste');
      expect(asked).to.equal(false);
    } finally {
      navigator.clipboard.readText = readText;
      delete (document as { featurePolicy?: unknown }).featurePolicy;
    }
  });

  it('is from another wallet of the chain, chosen in place', async () => {
    const w = await world({ wallets: 2 });
    const [first, second] = await w.vault.wallets();
    const balance = w.chain.chain.balance.bind(w.chain.chain);
    const asked: string[] = [];
    w.chain.chain.balance = async (address, node) => {
      asked.push(address);
      const rawBalance = address === second!.address ? '300000000000000000' : '1200000000000000000';
      return { ...(await balance(address, node)), rawBalance };
    };
    await openSend(w);
    await enter(w, RECIPIENT, '0.5');
    asked.length = 0;
    const from = await w.find(`From ${first!.alias} ${shortText(first!.address)}`);
    expect(asked, 'nobody asks about wallets that nobody looks at').to.deep.equal([]);
    from.click();
    await until(() => w.text().includes('0.3 ETH'), 'what the others hold');
    deepAll<HTMLElement>(w.shell, '[role=option]')[1]!.click();
    await w.find(`From ${second!.alias} ${shortText(second!.address)}`);
    await until(() => w.text().includes('You have 0.3 ETH.'), 'the check against what it holds');
    expect((await w.find<HTMLInputElement>('Recipient')).value).to.equal(RECIPIENT);
    await enter(w, RECIPIENT, '0.2');
    await w.press('Continue');
    await w.approve();
    await w.title('Sent');
    expect((await w.vault.activity.list(second!.id)).map(({ hash }) => hash)).to.deep.equal([HASH]);
    expect(await w.vault.activity.list(first!.id)).to.deep.equal([]);
  });

  it('fills in what the chain can send at most', async () => {
    const w = await world();
    w.chain.chain.maxSpendable = async () => 1_150_000_000_000_000_000n;
    await openSend(w);
    await w.press('Max');
    const amount = await w.find<HTMLInputElement>('Amount');
    await until(() => amount.value === '1.15', 'the most');
    await until(() => w.text().includes('Max leaves 0.05 ETH for the fee.'), 'what it leaves');
  });

  it('fills in a quarter or half of the balance, rounded down, and no more than Max leaves', async () => {
    const w = await world();
    await openSend(w);
    const amount = await w.find<HTMLInputElement>('Amount');
    await w.press('25%');
    await until(() => amount.value === '0.3', 'a quarter of 1.2');
    await w.press('50%');
    await until(() => amount.value === '0.6', 'half of it');
    const fields = new TransferFields();
    const coin = { symbol: 'ETH', decimals: 18 };
    const of = (raw: bigint, percent: number, decimals = 18): string => {
      fields.asset = { ...coin, raw, decimals, address: RECIPIENT } as Asset;
      return partOf(fields, percent);
    };
    expect([of(7n, 25, 0), of(7n, 50, 0), of(3n, 25, 0)]).to.deep.equal(['1', '3', '0']);
    fields.nodeMaximum = {
      asset: (fields.asset = { ...coin, raw: 10n ** 18n } as Asset),
      to: '',
      data: '',
      value: '0.1',
    };
    expect(partOf(fields, 25), 'as much as Max').to.equal('0.1');
  });

  it('keeps the form when the approval is declined', async () => {
    const w = await world();
    await openSend(w);
    await enter(w, RECIPIENT);
    await w.press('Continue');
    await w.approval();
    await w.press('Reject');
    await w.title('Send');
    expect((await w.find<HTMLInputElement>('Recipient')).value).to.equal(RECIPIENT);
  });

  it('does not come back to the form once it is sent, wherever the user closes', async () => {
    const w = await world();
    const asked = await openSend(w);
    await enter(w, RECIPIENT);
    await w.press('Continue');
    await w.approve();
    await w.title('Sent');
    await w.press('Save recipient');
    await w.title('Save recipient');
    await w.press('Close');
    await settled(asked);
    expect(asked.error?.code).to.equal('user.rejected');
    expect(deepAll(w.shell, 'cbf-send')).to.have.length(0);
  });

  it('does not offer a second try for what no node took: the activity sends it again', async () => {
    const w = await world();
    await openSend(w);
    await enter(w, RECIPIENT);
    await w.press('Continue');
    w.chain.failBroadcast = unreachable();
    await w.approve();
    await w.title('Approved but not sent');
    await w.press('Close');
    await w.title('Ethereum wallets');
    expect((await w.vault.activity.get(HASH))?.state).to.equal('unknown');
  });
});

describe('a name as the recipient', () => {
  it('shows the whole address, and is approved with both', async () => {
    const w = await world();
    withNames(w, new Map([['ada.eth', RECIPIENT]]));
    await openSend(w);
    await enter(w, 'Ada.eth');
    await w.press('Continue');
    await w.approval();
    await w.seen();
    expect(w.text()).to.include('ada.eth');
    expect(addressIn(w.shell).textContent).to.equal(RECIPIENT);
    expect(w.text()).to.not.include('points to another address');
    await w.approve();
    await w.title('Sent');
    expect(w.chain.signed[0]!.request).to.include({ to: RECIPIENT });
  });

  it('that leads elsewhere by the time of approval is a danger', async () => {
    const w = await world();
    const names = new Map([['ada.eth', RECIPIENT]]);
    withNames(w, names);
    await openSend(w);
    await enter(w, 'ada.eth');
    await w.clock.pass(400);
    await until(() => deepAll(w.shell, '.found').length, 'the address');
    names.set('ada.eth', `0x${'77'.repeat(20)}`);
    await w.press('Continue');
    await w.approval();
    await until(() => w.text().includes('The name points to another address now'), 'the danger');
    expect(w.text()).to.include('I understand the risk');
  });

  it('is not mixed up with the one typed before, however late that is answered', async () => {
    const w = await world();
    await openSend(w);
    const view = deepAll<SendView>(w.shell, 'cbf-send')[0]!;
    const answers = new Map<string, (found: NameFound) => void>();
    view.lookUp = (name) => new Promise((resolve) => answers.set(name, resolve));
    view.fill('ada.eth');
    await w.clock.pass(400);
    view.fill('bob.eth');
    answers.get('ada.eth')!({ name: 'ada.eth', address: TWIN, network: 'Ethereum', at: 0 });
    await view.updateComplete;
    expect(view.recipient.found).to.equal(undefined);
    await w.clock.pass(400);
    answers.get('bob.eth')!({ name: 'bob.eth', address: RECIPIENT, network: 'Ethereum', at: 0 });
    await until(() => view.recipient.found, 'the address');
    expect(view.recipient.address).to.equal(RECIPIENT);
  });

  it('that was asked of one network is no answer for a wallet of another', async () => {
    const w = await world();
    await openSend(w);
    const view = deepAll<SendView>(w.shell, 'cbf-send')[0]!;
    const answers: ((found: NameFound) => void)[] = [];
    view.lookUp = () => new Promise((resolve) => answers.push(resolve));
    await enter(w, 'ada.eth');
    await w.clock.pass(400);
    view.from(view.wallet, { ...view.network, id: 'other' }, view.assets[0]!);
    answers[0]!({ name: 'ada.eth', address: RECIPIENT, network: 'Local Ethereum', at: 0 });
    await w.clock.pass(400);
    expect([answers.length, view.recipient.found]).to.deep.equal([2, undefined]);
    expect(view.recipient.address).to.equal('ada.eth');
  });

  it('without an address says so', async () => {
    const w = await world();
    withNames(w, new Map());
    await openSend(w);
    await enter(w, 'nobody.eth');
    await w.press('Continue');
    await until(() => w.text().includes('This name has no Ethereum address.'), 'why');
    expect(w.chain.prepared).to.equal(0);
  });

  it('typed on a site is looked up by the wallet, which tells the site of one without an address', async () => {
    const w = await world();
    withNames(w, new Map([['ada.eth', RECIPIENT]]));
    const params = { walletId: w.wallet.id, secretType: 'ETHEREUM', value: '0.2' };
    const asked = w.ask('transfer', { ...params, to: 'ada.eth' });
    await w.approval();
    await w.seen();
    expect(w.text()).to.include('ada.eth');
    await w.approve();
    await settled(asked);
    expect(w.chain.signed[0]!.request).to.include({ to: RECIPIENT });

    const other = w.ask('transfer', { ...params, to: 'nobody.eth' });
    await w.title('No address found for this name');
    // Before the user closes it: a window may be closed by other means.
    await settled(other);
    expect(other.error).to.include({ code: 'recipient.unknown' });
    expect(other.error?.details).to.deep.equal({ reason: 'unknown' });
    expect(w.link.closed).to.equal(0);
    await w.press('Close');
    await w.closed();
  });
});

describe('a name on a network whose node the site chose', () => {
  const custom = (chainId: number) =>
    ({
      ...NETWORKS.networks[0]!,
      chainId,
      nodes: ['https://evil.example'],
      custom: { name: 'Evil', host: 'evil.example' },
      named: [],
    }) as Network;

  it('is asked of the wallet’s own node, or of none', async () => {
    const w = await world();
    withNames(w, new Map([['ada.eth', RECIPIENT]]));
    const asked: Network[] = [];
    const { node } = w.chain.chain;
    w.chain.chain.node = (network: Network) => {
      asked.push(network);
      return node(network);
    };
    expect((await lookUpName(w.frame, 'ada.eth', custom(31337))).address).to.equal(RECIPIENT);
    expect(asked.map(({ nodes }) => nodes[0])).to.deep.equal(['http://node.invalid']);
    const refused = await lookUpName(w.frame, 'ada.eth', custom(1)).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(NameProblem);
    expect(asked).to.have.length(1);
  });
});

describe('known recipients', () => {
  const save = async (w: World, name: string, address = RECIPIENT) =>
    (await w.vault.recipientBook()).save({ secretType: 'ETHEREUM', address, name });

  it('are added, chosen for the form, renamed and removed', async () => {
    const w = await world();
    await openSend(w);
    await w.press('Known recipients');
    await w.press('Add recipient');
    type(await w.find<HTMLInputElement>('Name'), 'Ada');
    type(await w.find<HTMLInputElement>('Address'), RECIPIENT.toLowerCase());
    await w.press('Save');
    await w.press(`Ada, ${RECIPIENT}`);
    await w.title('Send');
    expect((await w.find<HTMLInputElement>('Recipient')).value).to.equal(RECIPIENT);
    expect(w.text()).to.include('Valid Ethereum address · Ada');

    await w.press('Clear recipient');
    await w.press('Known recipients');
    await w.press('Edit Ada');
    type(await w.find<HTMLInputElement>('Name'), 'Ada Lovelace');
    await w.press('Save');
    await w.press('Edit Ada Lovelace');
    await w.press('Remove recipient');
    await until(() => w.text().includes('No saved recipients yet'), 'an empty list');
  });

  it('are named on a site’s approval', async () => {
    const w = await world();
    await save(w, 'Ada');
    w.transfer();
    await w.seen();
    expect(w.text()).to.include('Known as Ada');
  });

  it('warn by name of an address that only looks like theirs', async () => {
    const w = await world();
    await save(w, 'Ada');
    await openSend(w);
    await enter(w, TWIN);
    await until(() => w.text().includes('Looks like Ada, but is not'), 'the danger');
    await w.find('Use the address of Ada');
    expect(named(w.shell, 'Continue').getAttribute('aria-disabled')).to.equal('true');
    let continued = false;
    deepAll(w.shell, 'cbf-send')[0]!.addEventListener('cbf-continue', () => (continued = true));
    named(w.shell, 'Continue').click();
    expect(continued).to.equal(false);
    await w.press('Use the address of Ada');
    await w.press('Continue');
    await w.approval();
  });

  const PAID = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
  for (const [to, news] of [
    [RECIPIENT, true],
    [PAID, false],
  ] as const)
    it(
      news
        ? 'warn of another address than the one that was paid under their name'
        : 'say nothing of the one that was',
      async () => {
        const w = await world();
        await save(w, 'Ada', PAID);
        await save(w, 'Ada');
        const summary = { kind: 'transfer', to: PAID, networkName: 'Local Ethereum', from: w.wallet.address };
        for (const hash of ['0x1', '0x2'])
          await w.vault.activity.put({
            hash,
            walletId: w.wallet.id,
            secretType: 'ETHEREUM',
            origin: ORIGIN,
            at: 1000,
            state: 'confirmed',
            summary: summary as Summary,
            raw: '0x',
          });
        w.chain.summary = { to };
        w.transfer();
        await w.seen();
        expect(w.text()).to.include('Known as Ada');
        const notes = deepAll<HTMLDetailsElement>(w.shell, 'details.note').filter(({ textContent }) =>
          textContent?.includes('Different from the address Ada used before'),
        );
        expect(notes.map(({ open }) => open)).to.deep.equal(news ? [true] : []);
        if (news) expect(w.text()).to.include('You sent to Ada 2 times').and.include('976F');
      },
    );

  it('of another network of the chain say nothing of an address here', async () => {
    const w = await world();
    await save(w, 'Ada');
    const { isAddress } = w.chain.chain;
    w.chain.chain.isAddress = (text, kind) => kind !== 'local' && isAddress(text);
    await openSend(w);
    await enter(w, TWIN);
    await w.find('Continue');
    expect(w.text()).not.to.include('Looks like Ada');
  });

  it('are saved after sending to them', async () => {
    const w = await world();
    await openSend(w);
    await enter(w, RECIPIENT);
    await w.press('Continue');
    await w.approve();
    await w.title('Sent');
    await w.press('Save recipient');
    type(await w.find<HTMLInputElement>('Name'), 'Ada');
    await w.press('Save');
    await until(() => !w.text().includes('Save recipient'), 'the outcome again');
    await w.press('Done');
    expect((await w.vault.recipients())[0]).to.include({ address: RECIPIENT, name: 'Ada' });
  });

  it('are called by their name in the activity, also once that changes', async () => {
    const w = await world();
    await save(w, 'Ada');
    let name: string | undefined;
    const stop = followActivity(w.frame, w.vault, [w.wallet], ({ names }) => {
      name = names.get(RECIPIENT.toLowerCase());
    });
    await until(() => name === 'Ada', 'the name');
    await save(w, 'Ada Lovelace');
    await until(() => name === 'Ada Lovelace', 'the new name');
    stop();
  });

  it('are listed for a site, which learns only the address that is chosen', async () => {
    const w = await world();
    await save(w, 'Ada');
    const asked = w.ask('chooseRecipient', { walletId: w.wallet.id });
    await w.title('Known recipients');
    expect(w.text()).to.include('shop.example learns only the address you choose, never this list.');
    let chosen = false;
    deepAll(w.shell, 'cbf-recipients')[0]!.addEventListener('cbf-choose', () => (chosen = true));
    const row = await w.find(`Ada, ${RECIPIENT}`);
    w.guard.change('waiting');
    await until(() => row.getAttribute('aria-disabled') === 'true');
    row.focus();
    expect(focused(), 'a fast Tab finds it').to.equal(row);
    row.click();
    expect(chosen).to.equal(false);
    w.guard.change('clear');
    await w.find(`Ada, ${RECIPIENT}`);
    w.guard.allowed = false;
    row.click();
    expect(chosen, 'by a click that the page may have led here').to.equal(false);
    w.guard.allowed = true;
    row.click();
    await settled(asked);
    expect(asked.result).to.equal(RECIPIENT);

    const closed = w.ask('chooseRecipient', { walletId: w.wallet.id });
    await w.press('Cancel');
    await settled(closed);
    expect(closed.error?.code).to.equal('user.rejected');
    const foreign = w.ask('chooseRecipient', { walletId: 'somebody-else' });
    await settled(foreign);
    expect(foreign.error?.code).to.equal('wallet.forbidden');
  });
});

describe('the asset that is sent', () => {
  const ETH: Asset = { symbol: 'ETH', decimals: 18, raw: 10n ** 18n };
  const USDC: Asset = { address: RECIPIENT, symbol: 'USDC', decimals: 6, raw: 10n ** 5n };
  const WALLET = { id: 'main', secretType: 'ETHEREUM' } as Wallet;
  /** Opened for a token, before any balance is known. */
  function opened(): SendView {
    const view = Object.assign(new SendView(), { clock: new TestClock() });
    view.from(WALLET, NETWORKS.networks[0]!, { ...ETH, raw: null }, { ...USDC, raw: null });
    return view;
  }

  it('is that of a pasted payment code, which fills the form before anything can be approved', async () => {
    const w = await world();
    await openSend(w);
    type(await w.find<HTMLInputElement>('Recipient'), `ethereum:${RECIPIENT}@31337?value=2e17`);
    await w.press('Continue');
    await until(() => named<HTMLInputElement>(w.shell, 'Recipient').value === RECIPIENT, 'the address');
    expect(named<HTMLInputElement>(w.shell, 'Amount').value).to.equal('0.2');
    expect(w.text()).to.include('Amount from the code');
  });

  it('is none of a payment code for another chain, which is named', async () => {
    const w = await world();
    await openSend(w);
    const field = await w.find<HTMLInputElement>('Recipient');
    type(field, `ethereum:${RECIPIENT}@137?value=2e17`);
    field.dispatchEvent(new Event('change'));
    await w.clock.pass(400);
    await until(() => w.text().includes('This code is for the network with chain ID 137.'), 'what is wrong');
    expect(w.text()).not.to.include('This is not an Ethereum address.');
    type(field, `bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq`);
    await w.clock.pass(400);
    await until(() => w.text().includes('This code is for Bitcoin.'), 'its chain');
  });

  it('is the coin of a scanned code, whatever the form was opened for', () => {
    const view = opened();
    view.fill(RECIPIENT, '1', view.assets[0]);
    view.show([ETH, USDC]);
    expect(view.fields.asset).to.equal(ETH);
    expect(view.fields.value).to.equal('1');
  });

  it('takes its amount along to another wallet, unless that one has another asset', () => {
    const view = opened();
    view.fields.value = '5';
    view.from({ ...WALLET, id: 'other' }, NETWORKS.networks[0]!, ETH, { ...USDC });
    expect(view.fields.value).to.equal('5');
    view.from(WALLET, NETWORKS.networks[0]!, ETH);
    expect(view.fields.asset).to.equal(ETH);
    expect(view.fields.value, '5 USDC are no 5 ETH').to.equal('');
  });

  it('stays when no node tells what the wallet holds of it', () => {
    const view = opened();
    view.show([ETH]);
    expect(view.fields.asset!.symbol).to.equal('USDC');
    view.show([ETH, USDC]);
    expect(view.fields.asset).to.equal(USDC);
  });

  it('has its own amount: what was typed in dollars for another one is gone', async () => {
    const w = await world();
    await openSend(w);
    const view = deepAll<SendView>(w.shell, 'cbf-send')[0]!;
    view.priceOf = ({ symbol }) => unitPrice({ value: symbol === 'ETH' ? 2500 : 1, currency: 'USD', at: 0 });
    await w.press('Enter dollars, $0.00');
    await enter(w, RECIPIENT, '500');
    view.fill(RECIPIENT, undefined, USDC);
    const amount = await w.find<HTMLInputElement>('Amount');
    await until(() => amount.value === '0.2', 'the amount that would be sent');
    await w.find('Enter dollars, $0.20');
    expect(w.text()).to.include('You have 0.1 USDC');
  });
});

describe('an amount in the user’s currency', () => {
  it('moves nothing while it grows', async () => {
    const w = await world();
    await openSend(w);
    const view = deepAll<SendView>(w.shell, 'cbf-send')[0]!;
    view.priceOf = () => unitPrice({ value: 2500, currency: 'USD', at: 0 });
    view.requestUpdate();
    const max = await w.find('Max');
    await w.find('Enter dollars, $0.00');
    const place = (): string => {
      const { top, right } = max.getBoundingClientRect();
      return `${top} ${right} ${deepAll(w.shell, '.amount')[0]!.getBoundingClientRect().height}`;
    };
    await enter(w, RECIPIENT, '0.1');
    await view.updateComplete;
    const before = place();
    for (const value of ['1', '0.8', '12345.678901', '1234567890.123456']) {
      await enter(w, RECIPIENT, value);
      await view.updateComplete;
      expect(place(), value).to.equal(before);
    }
  });

  it('sends coins', async () => {
    const w = await world();
    await openSend(w);
    const view = deepAll<SendView>(w.shell, 'cbf-send')[0]!;
    view.priceOf = () => unitPrice({ value: 2500, currency: 'USD', at: 0 });
    await w.press('Enter dollars, $0.00');
    await enter(w, RECIPIENT, '500');
    await until(() => w.text().includes('0.2 ETH'), 'the coins');
    expect(w.text()).to.include('The amount in ETH is what is sent.');
    await w.press('Continue');
    await w.approve();
    await w.title('Sent');
    expect(w.chain.signed[0]!.request).to.include({ value: '0.2' });
  });
});
