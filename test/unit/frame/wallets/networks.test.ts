import { expect } from '@open-wc/testing';
import type { Wallet } from '../../../../src/api/wallet.ts';
import { loadChain } from '../../../../src/chains/index.ts';
import type { Chain } from '../../../../src/chains/chain.ts';
import type { SecretType } from '../../../../src/chains/secret-type.ts';
import { siteWallet, tellSite } from '../../../../src/frame/shell/site-wallets.ts';
import type { Network, Networks } from '../../../../src/chains/network.ts';
import { ConnectError } from '../../../../src/base/errors.ts';
import { deepAll, type } from '../scene.ts';
import {
  type Asked,
  FakeChain,
  NETWORKS,
  ORIGIN,
  PIN,
  RECIPIENT,
  settled,
  until,
  world,
  type World,
} from '../world.ts';

const [local] = NETWORKS.networks as [Network];
const live: Network = { ...local, id: 'live', name: 'Ethereum mainnet', kind: 'mainnet', chainId: 1 };
const test: Network = { ...local, id: 'test', name: 'Ethereum Sepolia', kind: 'testnet', chainId: 11155111 };
const bitcoin = (id: string, kind: Network['kind']): Network => ({
  id,
  secretType: 'BITCOIN',
  name: id,
  kind,
  nodes: ['http://node.invalid'],
  tokens: [],
});
const several: Networks = {
  ...NETWORKS,
  networks: [live, test, bitcoin('btc', 'mainnet'), bitcoin('btc-test', 'testnet')],
};
const CHAIN = { chain: 'ETHEREUM' };
/** Private key 1. */
const KEY = `${'0'.repeat(63)}1`;

/** In the order of `several`, in the vault's form. */
const home = ({ id, kind }: Network, first = false) => ({ id, kind, first });

/** Answers what the fake chain does, under another name. */
const ofBitcoin = (): Chain => ({
  ...new FakeChain().chain,
  secretType: 'BITCOIN',
  coin: { decimals: 8, symbol: 'BTC' },
});

describe('a wallet of one of several networks', () => {
  it('is created on the one that the user chooses, and the page does not learn which', async () => {
    const w = await world({ networks: several, chains: loadChain });
    const asked = w.ask('manageWallets', { chain: 'BITCOIN' });
    await w.press('Create wallet');
    await w.title('Create wallet');
    expect(w.text()).to.include('A wallet belongs to one network.');
    deepAll<HTMLInputElement>(w.shell, 'input[type=radio]')[1]!.click();
    await w.press('Continue');
    await w.pin(PIN);
    await w.press('Continue');
    await settled(asked);
    const { id } = asked.result as Wallet;
    expect((await w.vault.wallet(id))?.network).to.equal('btc-test');
    for (const wallet of [asked.result as Wallet, ...w.link.sent.flat()])
      expect(wallet).to.not.have.any.keys('network', 'imported');
    expect(w.link.networks.at(-1), 'the page gives it back when it reads').to.deep.equal({
      [id]: 'btc-test',
    });
    await w.title('Receive BTC');
    expect(w.text()).to.include('btc-test').and.include('Testnet');
  });

  it('goes back to the wallets from the choice', async () => {
    const w = await world({ networks: several });
    w.ask('manageWallets', { chain: 'BITCOIN' });
    await w.press('Create wallet');
    await w.title('Create wallet');
    await w.press('Back');
    await w.title('Bitcoin wallets');
  });

  it('is made without that choice where a wallet is on all of them', async () => {
    const w = await world({ networks: several });
    const asked = w.ask('manageWallets', CHAIN);
    await w.press('Create wallet');
    await w.pin(PIN);
    await w.press('Continue');
    await settled(asked);
    expect((await w.vault.wallet((asked.result as Wallet).id))?.network).to.equal('live');
    const linking = await world({ networks: several });
    linking.ask('linkWallets', { secretTypes: ['ETHEREUM'] });
    await linking.press('Create a wallet');
    await linking.pin(PIN);
    const importing = await world({ networks: several });
    importing.ask('manageWallets', CHAIN);
    await importing.press('Import wallet');
    await importing.title('Import wallet');
    expect(deepAll(importing.shell, 'select')).to.have.length(0);
  });

  it('has an address of that network', async () => {
    const w = await world({ networks: several, chains: loadChain });
    const asked = w.ask('manageWallets', { chain: 'BITCOIN' });
    await w.press('Import wallet');
    const select = await w.find<HTMLSelectElement>('Network');
    expect([...select.options].map(({ text }) => text)).to.deep.equal(['btc', 'btc-test']);
    select.value = 'btc-test';
    select.dispatchEvent(new Event('change'));
    await until(() => w.text().includes('begins with c'));
    type(await until(() => deepAll<HTMLTextAreaElement>(w.shell, 'textarea')[0]), KEY);
    await w.press('Import wallet');
    await w.pin(PIN);
    await w.press('Continue');
    await settled(asked);
    // BIP-173's example.
    expect((asked.result as Wallet).address).to.equal('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx');
  });

  it('sends on it', async () => {
    const w = await world({ networks: several });
    const unlocked = await w.vault.unlock(PIN);
    w.wallet = await w.vault.createWallet(unlocked, 'ETHEREUM', 'Test', home(test));
    unlocked.close();
    await w.vault.link(ORIGIN, [w.wallet.id]);
    const used: string[] = [];
    const { node } = w.chain.chain;
    w.chain.chain.node = (network) => {
      used.push(network.id);
      return node(network);
    };
    // The activity keeps the drafts of pending transactions.
    w.chain.chain.receipt = async () => ({ state: 'pending' });
    const asked = w.transfer();
    await w.approve();
    await settled(asked);
    expect(new Set(used)).to.deep.equal(new Set(['test']));
    expect((await w.vault.activity.list(w.wallet.id))[0]?.draft?.network.id).to.equal('test');
  });

  it('is read on it, when the page passes its network back', async () => {
    const w = await world({ networks: several });
    const used: string[] = [];
    const { node } = w.chain.chain;
    w.chain.chain.node = (network) => {
      used.push(network.id);
      return node(network);
    };
    const read = { secretType: 'ETHEREUM', address: `0x${'1'.repeat(40)}` };
    await settled(w.ask('balance', read));
    await settled(w.ask('balance', { ...read, network: 'test' }));
    expect(used).to.deep.equal(['live', 'test']);
    w.chain.chain.status = async (_hash, on) => (on.network.id === 'test' ? 'confirmed' : 'unknown');
    const status = w.ask('transactionStatus', { secretType: 'ETHEREUM', hash: '0x1' });
    await settled(status);
    expect(status.result).to.equal('confirmed');
  });

  it('reports an expired transaction to the site that sent it', async () => {
    const w = await world({ networks: several });
    w.chain.chain.receipt = async () => ({ state: 'pending' });
    const sent = w.transfer();
    await w.approve();
    await settled(sent);
    const hash = (sent.result as { transactionHash: string }).transactionHash;
    const record = (await w.vault.activity.get(hash))!;
    // Nodes do not know it; its bytes show that no block can take it.
    w.chain.chain.status = async (_hash, _node, raw) => (raw === record.raw ? 'failed' : 'unknown');
    const ask = async (): Promise<unknown> => {
      const asked = w.ask('transactionStatus', { secretType: 'ETHEREUM', hash });
      await settled(asked);
      return asked.result;
    };
    expect(await ask()).to.equal('failed');
    await w.vault.activity.setReceipt(hash, { state: 'failed', expired: true });
    expect(await ask()).to.equal('failed');
    await w.vault.activity.put({ ...record, origin: 'https://other.example' });
    expect(await ask()).to.equal('unknown');
  });

  it('answers for the network that the site names, also of what the site sent', async () => {
    const w = await world({ networks: several });
    w.chain.chain.receipt = async () => ({ state: 'pending' });
    const sent = w.transfer();
    await w.approve();
    await settled(sent);
    const { transactionHash: hash } = sent.result as { transactionHash: string };
    const record = (await w.vault.activity.get(hash))!;
    w.chain.chain.status = async (_hash, { network: on }) => (on.id === 'live' ? 'confirmed' : 'unknown');
    const ask = async (network?: string): Promise<unknown> => {
      const params = { secretType: 'ETHEREUM', hash, ...(network && { network }) };
      const asked = w.ask('transactionStatus', params);
      await settled(asked);
      return asked.result;
    };
    expect(await ask()).to.equal('confirmed');
    expect(await ask('live')).to.equal('confirmed');
    expect(await ask('test'), 'where it was not sent').to.equal('unknown');
    await w.vault.activity.put({ ...record, state: 'failed', expired: true });
    expect([await ask('live'), await ask('test')]).to.deep.equal(['failed', 'unknown']);
  });

  it('is offered to a page that asks for another, whose name is in the title, with its balance there', async () => {
    const w = await world({ networks: several });
    const read: string[] = [];
    const { node } = w.chain.chain;
    w.chain.chain.node = (network) => {
      read.push(network.id);
      return node(network);
    };
    await w.vault.setLinked(ORIGIN, []);
    const asked = w.ask('linkWallets', { secretTypes: ['ETHEREUM'], network: 'test' });
    await w.title('Link your wallets on Ethereum Sepolia to shop.example?');
    await until(() => w.text().includes('1.2 ETH'));
    expect(w.text()).to.include('Main wallet').and.include('Testnet');
    expect(new Set(read)).to.deep.equal(new Set(['test']));
    await w.press('Link wallets');
    await settled(asked);
    expect((asked.result as Wallet[]).map(({ id }) => id)).to.deep.equal([w.wallet.id]);
  });

  it('is the only kind that is offered to a page that asks for its network, and others stay linked', async () => {
    const w = await world({ networks: several, chains: async () => ofBitcoin() });
    const unlocked = await w.vault.unlock(PIN);
    await w.vault.createWallet(unlocked, 'BITCOIN', 'Other', home(several.networks[2]!, true));
    const there = await w.vault.createWallet(unlocked, 'BITCOIN', 'Test', home(several.networks[3]!));
    unlocked.close();
    const asked = w.ask('linkWallets', { secretTypes: ['BITCOIN'], network: 'btc-test' });
    await w.title('Link your wallets on btc-test to shop.example?');
    const boxes = await until(() => {
      const found = deepAll<HTMLInputElement>(w.shell, 'li input[type=checkbox]');
      return found.length > 0 && found;
    });
    expect(boxes.map(({ ariaLabel }) => ariaLabel!.split(',')[0])).to.deep.equal(['Test']);
    await w.press('Link wallets');
    await settled(asked);
    expect((asked.result as Wallet[]).map(({ id }) => id)).to.deep.equal([there.id]);
    expect((await w.vault.linked(ORIGIN)).map(({ id }) => id)).to.have.members([w.wallet.id, there.id]);
  });

  it('is made on the network that the page asks for, where it has none there', async () => {
    const w = await world({ networks: several, wallets: 0 });
    const asked = w.ask('linkWallets', { network: 'test', newWallet: 'create' });
    await w.pin(PIN, 'PIN');
    await w.press('Continue');
    await w.pin(PIN, 'Confirm PIN');
    await w.press('Continue');
    await w.press('Link wallets');
    await settled(asked);
    const [wallet] = asked.result as Wallet[];
    expect((await w.vault.wallet(wallet!.id))?.network).to.equal('test');
  });

  it('cannot be asked for on a network that is not there', async () => {
    const w = await world({ networks: several });
    const asked = w.ask('linkWallets', { network: 'other' });
    await settled(asked);
    expect((asked.error as ConnectError).code).to.equal('request.invalid');
  });
});

describe('the network that a site asked for when it linked', () => {
  const base: Network = { ...live, id: 'base', name: 'Base', chainId: 8453 };
  const onBase = { ...several, networks: [...several.networks, base] };

  /** A world whose site has its wallet for this network, if any. */
  async function linkedFor(network?: string, networks: Networks = onBase) {
    const w = await world({ networks });
    const { describe } = w.chain.chain;
    w.chain.chain.describe = async (draft) => ({
      ...(await describe(draft)),
      networkName: draft.network.name,
    });
    if (network) await link(w, network);
    return w;
  }

  async function link(w: World, network?: string): Promise<void> {
    const asked = w.ask('linkWallets', { secretTypes: ['ETHEREUM'], ...(network && { network }) });
    await w.press('Link wallets');
    await settled(asked);
    expect(asked.error).to.equal(undefined);
  }

  /** The header of the approval, and the network that it is signed for. */
  async function approvedOn(w: World, ask: (w: World) => Asked): Promise<(string | undefined)[]> {
    const asked = ask(w);
    await w.approval();
    const shown = (await until(() => deepAll(w.shell, 'header cbf-network')[0])).textContent!.trim();
    await w.approve();
    await settled(asked);
    expect(asked.error).to.equal(undefined);
    const hash = (asked.result as { transactionHash?: string }).transactionHash;
    return hash ? [shown, (await w.vault.activity.get(hash))!.network] : [shown];
  }

  const naming = (network: string) => (w: World) =>
    w.ask('transfer', {
      walletId: w.wallet.id,
      secretType: 'ETHEREUM',
      to: RECIPIENT,
      value: '0.2',
      network,
    });
  const unnamed = (w: World) => w.transfer();

  it('is the wallet’s in the site’s list and for what names none, until it asks for another', async () => {
    const w = await linkedFor('base');
    expect(w.link.networks.at(-1)).to.deep.equal({ [w.wallet.id]: 'base' });
    expect(await approvedOn(w, unnamed)).to.deep.equal(['Base', 'base']);
    expect((await w.vault.wallet(w.wallet.id))!.network, 'its own stays').to.not.equal('base');
    await link(w);
    expect(w.link.networks.at(-1), 'it asked for none').to.deep.equal({ [w.wallet.id]: 'base' });
    await link(w, 'live');
    expect(w.link.networks.at(-1)).to.deep.equal({});
    expect(await approvedOn(w, unnamed)).to.deep.equal(['Ethereum mainnet', 'live']);
  });

  it('is shown as what it is: live or a test network, whatever the site said before', async () => {
    const w = await linkedFor('test');
    expect(await approvedOn(w, unnamed)).to.deep.equal(['Ethereum Sepolia', 'test']);
    expect(await approvedOn(w, naming('live'))).to.deep.equal(['Ethereum mainnet', 'live']);
    // Back again without a word: the note says that it is another than last time.
    const asked = w.transfer();
    const note = await until(() => deepAll(w.shell, '[data-seen="network"]')[0]);
    expect(note.textContent).to.include('Ethereum Sepolia').and.include('Last time: Ethereum mainnet');
    await w.press('Reject');
    await settled(asked);
    // No message of a site reaches what the user agreed to: an unlinked or refused one changes nothing.
    const refused = w.ask('linkWallets', { secretTypes: ['ETHEREUM'], network: 'live' });
    await w.press('Reject');
    await settled(refused);
    expect(await approvedOn(w, unnamed)).to.deep.equal(['Ethereum Sepolia', 'test']);
  });

  it('is none for a link of an older version, nor once networks.json has lost it', async () => {
    const w = await linkedFor();
    expect(await approvedOn(w, unnamed)).to.deep.equal(['Ethereum mainnet', 'live']);
    await w.vault.setLinked(ORIGIN, [w.wallet.id], { secretType: 'ETHEREUM', id: 'gone' });
    await link(w);
    expect(w.link.networks.at(-1)).to.deep.equal({});
    expect(await approvedOn(w, unnamed)).to.deep.equal(['Ethereum mainnet', 'live']);
  });

  it('is that of signatures, too, and whoever signs is told', async () => {
    const w = await linkedFor('base');
    const { vault } = w;
    const told: unknown[] = [];
    const { unlock } = vault;
    vault.unlock = async (pin) => {
      const open = await unlock(pin);
      const { signData } = open;
      return Object.assign(open, {
        signData: (...of: Parameters<typeof signData>) => {
          told.push(of[3].network);
          return signData.apply(open, of);
        },
      });
    };
    const sign = (network?: string) => (w: World) =>
      w.ask('sign', {
        type: 'ETHEREUM_RAW',
        walletId: w.wallet.id,
        data: '0x53',
        ...(network && { network }),
      });
    expect(await approvedOn(w, sign())).to.deep.equal(['Base']);
    expect(await approvedOn(w, sign('live'))).to.deep.equal(['Ethereum mainnet']);
    await link(w, 'live');
    expect(await approvedOn(w, sign())).to.deep.equal(['Ethereum mainnet']);
    expect(told, 'the default one has no name').to.deep.equal(['base', 'live', undefined]);
  });

  it('is not kept where addresses differ by network', async () => {
    const w = await world({ networks: several, chains: async () => ofBitcoin() });
    const unlocked = await w.vault.unlock(PIN);
    const made = await w.vault.createWallet(unlocked, 'BITCOIN', 'Test', home(several.networks[3]!));
    unlocked.close();
    await w.vault.setLinked(ORIGIN, [made.id]);
    const asked = w.ask('linkWallets', { network: 'btc-test' });
    await w.press('Link wallets');
    await settled(asked);
    expect(await w.vault.linkNetworks(ORIGIN)).to.deep.equal([]);
    // Nor used, if something wrote it there.
    await w.vault.setLinked(ORIGIN, [made.id], { secretType: 'BITCOIN', id: 'btc' });
    await tellSite(w.link, several, w.vault);
    expect(w.link.networks.at(-1)).to.deep.equal({ [made.id]: 'btc-test' });
  });
});

describe('a wallet whose network is gone from networks.json', () => {
  /** With a wallet on a network that is gone. */
  async function worldOf(secretType: 'BITCOIN' | 'ETHEREUM') {
    const fake = new FakeChain().chain;
    const chains = async (type: SecretType) => (type === 'BITCOIN' ? ofBitcoin() : fake);
    const w = await world({ networks: several, chains });
    const unlocked = await w.vault.unlock(PIN);
    w.wallet = await w.vault.createWallet(unlocked, secretType, 'Old test', { ...home(test), id: 'gone' });
    unlocked.close();
    await w.vault.link(ORIGIN, [w.wallet.id]);
    return w;
  }

  it('is on the others of its kind, where requests name one', async () => {
    const w = await worldOf('ETHEREUM');
    const asked = w.transfer();
    await settled(asked);
    expect(asked.error?.code).to.equal('chain.not-supported');
    expect(asked.error?.shortMessage).to.include('“gone”').and.include('networks.json');
    w.ask('manageWallets', CHAIN);
    await w.press('Open Old test');
    await w.title('Your wallet');
    await until(() => w.text().includes('Ethereum mainnet') && w.text().includes('1.2'), 'what it has there');
    expect(siteWallet(several, (await w.vault.wallet(w.wallet.id))!).status).to.equal('ACTIVE');
  });

  it('stays in the lists as unavailable where no network of its kind is left, and every request says so', async () => {
    const w = await worldOf('BITCOIN');
    const linked = w.ask('linkWallets');
    await w.find('Link wallets');
    expect(w.text()).to.include('Unavailable');
    await w.press('Link wallets');
    await settled(linked);
    const statuses = (linked.result as Wallet[]).map(({ alias, status }) => `${alias} ${status}`).sort();
    expect(statuses).to.deep.equal(['Main wallet ACTIVE', 'Old test UNAVAILABLE']);
  });

  it('can still be exported', async () => {
    const w = await world({ networks: several });
    const unlocked = await w.vault.unlock(PIN);
    await w.vault.createWallet(unlocked, 'ETHEREUM', 'Old test', { ...home(test), id: 'gone' });
    unlocked.close();
    w.ask('manageWallets', CHAIN);
    await w.press('More for Old test');
    await w.press('Export');
    (await w.find('I understand the risk')).click();
    await w.pin();
    await w.press('Show private key');
    await w.title('Private key of Old test');
  });
});

describe('coins on the older address of an imported key, and coins', () => {
  async function bitcoinWorld(many = { coins: 0 }) {
    const held = { raw: 1_250_000n };
    const swept: string[] = [];
    const chains = async (): Promise<Chain> =>
      ({
        ...(await loadChain('BITCOIN')),
        balance: async () => Promise.reject(new Error('no node')),
        sweep: {
          find: async () => ({
            address: '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH',
            amount: { ...held, decimals: 8, symbol: 'BTC' },
          }),
          prepare: async (own: string) => {
            swept.push(own);
            throw Object.assign(new Error('offline'));
          },
        },
        combine: {
          find: async () => many.coins,
          prepare: async (own: string) => {
            swept.push(own);
            throw new ConnectError('transaction.insufficient-funds', 'Too little for its fee.');
          },
        },
      }) as Chain;
    const w = await world({ networks: several, chains, wallets: 0 });
    const unlocked = await w.vault.create(PIN);
    const made = await w.vault.createWallet(unlocked, 'BITCOIN', 'Made', home(several.networks[2]!, true));
    unlocked.close();
    await w.vault.link(ORIGIN, [made.id]);
    return { w, held, swept };
  }

  async function importKey(w: Awaited<ReturnType<typeof world>>) {
    const asked = w.ask('manageWallets', { chain: 'BITCOIN' });
    await w.press('Import wallet');
    type(await until(() => deepAll<HTMLTextAreaElement>(w.shell, 'textarea')[0]), KEY);
    await w.press('Import wallet');
    await w.pin(PIN);
    await w.press('Continue');
    await settled(asked);
    return asked;
  }

  it('are offered after the import and in the wallet’s menu, and moved by an approval', async () => {
    const { w, swept } = await bitcoinWorld();
    await importKey(w);
    await w.title('Coins on the older address');
    expect(w.text()).to.include('0.0125 BTC').and.include('Move it here');
    await w.press('Not now');
    await w.closed();

    w.ask('manageWallets', { chain: 'BITCOIN' });
    await w.press('More for Wallet 2');
    await w.press('Move coins here');
    await w.title('Coins on the older address');
    await w.press('Move it here');
    await until(() => swept.length);
    expect(swept[0]).to.equal('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');
  });

  it('that are more than one payment spends are combined from the wallet’s menu, by an approval', async () => {
    const many = { coins: 150 };
    const { w, swept } = await bitcoinWorld(many);
    w.ask('manageWallets', { chain: 'BITCOIN' });
    await w.press('More for Made');
    await w.press('Combine coins');
    await w.title('Combine coins');
    expect(w.text()).to.include('holds 150 coins');
    await w.press('Combine');
    await until(() => w.text().includes('Too little for its fee.'));
    expect(swept).to.have.length(1);
    many.coins = 0;
    await w.press('Not now');
    await w.press('More for Made');
    expect(w.text()).to.not.include('Combine coins');
  });

  it('are not mentioned if there are none, or for a wallet of the phrase', async () => {
    const { w, held } = await bitcoinWorld();
    held.raw = 0n;
    await importKey(w);
    await w.closed();
    held.raw = 5n;
    w.ask('manageWallets', { chain: 'BITCOIN' });
    await w.press('More for Made');
    expect(w.text()).to.not.include('Move coins here');
  });
});
