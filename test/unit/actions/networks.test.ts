import { expect } from '@open-wc/testing';
import type { Wallet } from '../../../src/api/wallet.ts';
import { askedFor } from '../../../src/channel/host-record.ts';
import { FrameBlockedError } from '../../../src/base/errors.ts';
import type { Context } from '../../../src/actions/context.ts';
import { balance, networks, transactionStatus } from '../../../src/actions/reads.ts';
import type { WalletNetwork } from '../../../src/actions/types.ts';
import { aBalance, aWallet, fakeWallet } from '../../../src/testing/index.ts';
import type { FakeWalletOptions } from '../../../src/testing/script.ts';
import { failure } from './page.ts';

const TO = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const MAINNET = { id: 'ethereum', chainId: 1, name: 'Ethereum', kind: 'mainnet' as const };
const BASE = { id: 'base', chainId: 8453, name: 'Base', kind: 'mainnet' as const };
const TRON = { id: 'tron', name: 'Tron', kind: 'mainnet' as const };
const NILE = { id: 'tron-nile', name: 'Nile', kind: 'testnet' as const };
const NETWORKS = {
  ETHEREUM: [MAINNET, BASE],
  TRON: [TRON, NILE],
  BITCOIN: [
    { id: 'bitcoin', name: 'Bitcoin', kind: 'mainnet' as const },
    { id: 'bitcoin-testnet', name: 'Bitcoin testnet', kind: 'testnet' as const },
  ],
} as unknown as NonNullable<FakeWalletOptions['networks']>;

const page = (wallet: Wallet, more: FakeWalletOptions = {}, ...others: Wallet[]) =>
  fakeWallet({ linked: [wallet, ...others], networks: NETWORKS, ...more });

const ids = (networks: readonly WalletNetwork[]): string[] => networks.map(({ id }) => id);

/** What `request.invalid` names. */
async function refusal(promise: Promise<unknown>): Promise<string> {
  const { code, issues } = (await failure(promise)) as unknown as {
    code: string;
    issues: { path: string; message: string }[];
  };
  expect(code).to.equal('request.invalid');
  return issues.map(({ path, message }) => `${path} ${message}`).join('; ');
}

describe('the networks of a wallet', () => {
  it('are all of its chain, its default one first', async () => {
    const [home, elsewhere] = [aWallet(), aWallet({ network: 'base' })];
    const { connect } = page(home, {}, elsewhere);
    expect(await connect.networks(home.id)).to.deep.equal([MAINNET, BASE]);
    expect(ids(await connect.networks(elsewhere.id))).to.deep.equal(['base', 'ethereum']);
    expect(ids(await connect.networks('ETHEREUM'))).to.deep.equal(['ethereum', 'base']);
    expect(await connect.networks('TRON'), 'without a chain id').to.deep.equal([TRON, NILE]);
  });

  it('are one where addresses differ by network, and for an external wallet', async () => {
    const coins = aWallet({ secretType: 'BITCOIN' });
    const tests = aWallet({ secretType: 'BITCOIN', network: 'bitcoin-testnet' });
    const external = aWallet({ walletType: 'EXTERNAL', network: 'base' });
    const { connect } = page(coins, {}, tests, external);
    expect(ids(await connect.networks(coins.id))).to.deep.equal(['bitcoin']);
    expect(ids(await connect.networks(tests.id))).to.deep.equal(['bitcoin-testnet']);
    expect(ids(await connect.networks(external.id))).to.deep.equal(['base']);
  });

  it('are one in a wallet of an older version, which takes no other', async () => {
    const answer = { result: { networks: [MAINNET, BASE], customNodes: false } };
    const record = { wallets: () => [{ ...aWallet(), id: 'old', network: 'base' }] };
    const context = { record, host: { read: async () => answer } } as unknown as Context;
    expect(ids(await networks(context, 'old'))).to.deep.equal(['base']);
    expect(await refusal(balance(context, 'old', { network: 'ethereum' }))).to.include('It is on: base');
  });

  it('are not told of a wallet that is not linked', async () => {
    const { connect } = page(aWallet());
    expect((await failure(connect.networks('stranger'))).code).to.equal('wallet.forbidden');
  });
});

describe('a read on a network', () => {
  const wallet = aWallet();

  it('goes there, and without one where the wallet is by default', async () => {
    const fake = page(wallet, { balance: aBalance('1'), prices: null, swapPairs: [], transactionUrl: null });
    const { connect } = fake;
    const on = { network: 'base' };
    await connect.balance(wallet.id, on);
    await connect.wallet(wallet.id, on);
    await connect.tokenBalances(wallet.id, on);
    await connect.maxSpendable(wallet.id, undefined, on);
    await connect.nonFungibles(wallet.id, undefined, on);
    await connect.prices(wallet.id, undefined, on);
    await connect.transactionUrl(`0x${'1'.repeat(64)}`, wallet.id, on);
    await connect.transactionStatus(`0x${'1'.repeat(64)}`, 'ETHEREUM', on);
    await connect.swapPairs(wallet.id, on);
    await connect.swapRates({
      walletId: wallet.id,
      network: 'base',
      fromSecretType: 'ETHEREUM',
      toSecretType: 'ETHEREUM',
      amount: 1,
      orderType: 'SELL',
    });
    await connect.swapOutcome(`0x${'1'.repeat(64)}`, {
      walletId: wallet.id,
      exchange: 'UNISWAP',
      network: 'base',
    });
    const there = fake.requests.map(({ action, params }) => [
      action,
      (params as { network?: string }).network,
    ]);
    expect(there).to.deep.equal(fake.requests.map(({ action }) => [action, 'base']));
    expect(there).to.have.length(11);
    await connect.balance(wallet.id);
    expect(fake.requests.at(-1)!.params).not.to.have.property('network');
  });

  it('is refused by name on one that the wallet is not on', async () => {
    const coins = aWallet({ secretType: 'BITCOIN' });
    const fake = page(wallet, {}, coins);
    const { connect } = fake;
    const message = 'is not a network of this Ethereum wallet. It is on: ethereum, base';
    for (const read of [
      connect.balance(wallet.id, { network: 'nowhere' }),
      connect.prices(wallet.id, undefined, { network: 'nowhere' }),
      connect.transactionStatus('0x1', 'ETHEREUM', { network: 'tron' }),
      connect.swapPairs(wallet.id, { network: 'tron' }),
      connect.build({
        type: 'TRANSFER',
        secretType: 'ETHEREUM',
        walletId: wallet.id,
        to: TO,
        value: 1,
        network: 'nowhere',
      }),
    ])
      expect(await refusal(read)).to.equal(`network ${message}`);
    expect(await refusal(connect.balance(coins.id, { network: 'bitcoin-testnet' }))).to.equal(
      'network is not a network of this Bitcoin wallet. It is on: bitcoin',
    );
    expect(await refusal(connect.balance(wallet.id, { network: '' }))).to.include('must be the id');
    expect(fake.requests).to.have.length(0);
  });

  it('asks an older frame about a transaction on all networks', async () => {
    const asked: unknown[] = [];
    const { connect } = page(wallet, {
      transactionStatus: (params) => {
        asked.push(params.network);
        if (params.network === undefined) return 'confirmed';
        throw Object.assign(new Error('network is not known'), { code: 'request.invalid' });
      },
    });
    expect(await connect.transactionStatus('0x1', 'ETHEREUM', { network: 'base' })).to.equal('confirmed');
    expect(asked).to.deep.equal(['base', undefined]);
  });

  it('asks the vault about a transaction there, where the page reaches it, and the nodes only if it does not', async () => {
    const asked: unknown[] = [];
    const note = (where: string) => async (action: string, params: { network?: string }) => {
      if (action === 'rpc') return { result: { networks: [MAINNET, BASE], customNodes: false } };
      asked.push([where, params.network]);
      if (where === 'vault' && isBlocked)
        throw new FrameBlockedError('Its storage is out of reach.', 'unreadable');
      return 'confirmed';
    };
    let isBlocked = false;
    const host = { read: note('nodes'), readOwn: note('vault') };
    const context = { host, reachesVault: async () => true } as unknown as Context;
    const ask = () => transactionStatus(context, '0x1', 'ETHEREUM', { network: 'base' });
    expect(await ask()).to.equal('confirmed');
    isBlocked = true;
    expect(await ask()).to.equal('confirmed');
    expect(asked).to.deep.equal([
      ['vault', 'base'],
      ['vault', 'base'],
      ['nodes', 'base'],
    ]);
  });
});

describe('a request on a network', () => {
  const wallet = aWallet();

  it('reaches the wallet with it, after the chain’s own checks', async () => {
    const fake = page(wallet);
    const { connect } = fake;
    const body = { walletId: wallet.id, to: TO, value: '1', network: 'base' };
    await connect.transfer({ ...body, secretType: 'ETHEREUM' });
    await connect.execute({ ...body, type: 'ETH_TRANSACTION' });
    await connect.executeAll([{ ...body, type: 'ETH_TRANSACTION' }]);
    await connect.sign({ type: 'ETHEREUM_RAW', walletId: wallet.id, data: '0x00', network: 'base' });
    const networks = fake.requests.map(({ params }) => {
      const { requests, network } = params as { requests?: { network: string }[]; network?: string };
      return requests ? requests[0]!.network : network;
    });
    expect(networks).to.deep.equal(['base', 'base', 'base', 'base']);
    expect(await refusal(connect.transfer({ ...body, value: '', secretType: 'ETHEREUM' }))).to.include(
      'value',
    );
    expect(await refusal(connect.execute({ ...body, value: '-1', type: 'ETH_TRANSACTION' }))).to.include(
      'value',
    );
  });

  it('is built there, and what was built says so', async () => {
    const fake = page(wallet, {
      build: ({ network, body }) => {
        expect(network).to.equal('base');
        expect(body).not.to.have.property('network');
        return { type: 'ETH_TRANSACTION', walletId: wallet.id, to: TO, value: '1', network: null };
      },
    });
    const body = {
      type: 'TRANSFER',
      secretType: 'ETHEREUM',
      walletId: wallet.id,
      to: TO,
      value: '1',
    } as const;
    const native = await fake.connect.build({ ...body, network: 'base' });
    expect(native.network).to.equal('base');
    await fake.connect.execute(native);
    expect(fake.requests.at(-1)!.params).to.include({ network: 'base' });
  });

  it('is swapped there, into any wallet that is on it too', async () => {
    const elsewhere = aWallet({ network: 'base' });
    const external = aWallet({ walletType: 'EXTERNAL', network: 'ethereum' });
    const made: unknown[] = [];
    const fake = page(
      wallet,
      {
        createSwap: (params) => {
          made.push(params);
          return [{ type: 'ETH_TRANSACTION', walletId: wallet.id, to: TO, value: '1' }];
        },
      },
      elsewhere,
      external,
    );
    const swap = {
      walletId: wallet.id,
      fromSecretType: 'ETHEREUM',
      toSecretType: 'ETHEREUM',
      toToken: TO,
      inputAmount: 1,
      orderType: 'SELL',
      exchange: 'UNISWAP_V3',
      network: 'base',
    } as const;
    const [native] = await fake.connect.createSwap({ ...swap, destinationWalletId: elsewhere.id });
    expect(native!.network).to.equal('base');
    expect(made[0]).to.deep.include({ network: 'base', recipient: elsewhere.address });
    expect((made[0] as { body: object }).body).not.to.have.property('network');
    expect(await refusal(fake.connect.createSwap({ ...swap, destinationWalletId: external.id }))).to.equal(
      'destinationWalletId must be on the same network as the wallet',
    );
  });

  it('is left by a swap to another chain, into a linked wallet there', async () => {
    const savings = aWallet({ secretType: 'BITCOIN' });
    const made: unknown[] = [];
    const fake = page(
      wallet,
      {
        createSwap: (params) => {
          made.push(params);
          return [{ type: 'ETH_TRANSACTION', walletId: wallet.id, to: TO, value: '1' }];
        },
      },
      savings,
    );
    const swap = {
      walletId: wallet.id,
      fromSecretType: 'ETHEREUM',
      toSecretType: 'BITCOIN',
      inputAmount: '1',
      orderType: 'SELL',
      exchange: 'THORChain',
      network: 'base',
    } as const;
    await fake.connect.createSwap({ ...swap, destinationWalletId: savings.id });
    expect(made[0]).to.deep.include({
      network: 'base',
      address: wallet.address,
      recipient: savings.address,
    });
    expect((made[0] as { body: object }).body).to.deep.include({
      fromSecretType: 'ETHEREUM',
      toSecretType: 'BITCOIN',
      destinationWalletId: savings.id,
    });
    expect(await refusal(fake.connect.createSwap(swap))).to.equal(
      'destinationWalletId is required: a linked wallet of BITCOIN',
    );
    expect(await refusal(fake.connect.createSwap({ ...swap, destinationWalletId: wallet.id }))).to.equal(
      'destinationWalletId must be a wallet of BITCOIN',
    );
    const strange = fake.connect.createSwap({ ...swap, destinationWalletId: 'not-linked' });
    expect(await strange.catch(({ code }) => code)).to.equal('wallet.forbidden');
    expect(made).to.have.length(1);
  });

  it('is remembered with it, but not with a node of the page’s own', () => {
    const request = { walletId: 'w', type: 'ETH_TRANSACTION', network: 'base' };
    expect(askedFor('execute', request)).to.deep.equal({ walletId: 'w', network: 'base' });
    const custom = { ...request, network: { name: 'Mine', nodeUrl: 'https://node.example' } };
    expect(askedFor('execute', custom)).to.deep.equal({ walletId: 'w' });
  });
});
