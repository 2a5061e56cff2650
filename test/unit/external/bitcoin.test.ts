import { expect } from '@open-wc/testing';
import { p2tr, Transaction } from '@scure/btc-signer';
import { pubSchnorr } from '@scure/btc-signer/utils.js';
import { hex } from '@scure/base';
import { demoSatsConnect, type DemoSatsConnectOptions } from '../../../demo/wallets/sats-connect.ts';
import { demoWalletStandard, type DemoStandardOptions } from '../../../demo/wallets/wallet-standard.ts';
import type { NativeRequest } from '../../../src/chains/utxo/payload.ts';
import type { Context } from '../../../src/actions/context.ts';
import { linkExternal } from '../../../src/actions/link-external.ts';
import { sign, transfer } from '../../../src/actions/requests.ts';
import { hostRecord } from '../../../src/channel/host-record.ts';
import { discover } from '../../../src/external/discovery.ts';
import { openSatsConnect, type SatsConnect } from '../../../src/external/sats-connect.ts';
import { openWalletStandard, type StandardWallet } from '../../../src/external/wallet-standard.ts';
import { until } from '../actions/page.ts';
import { TestClock } from '../clock.ts';
import { fakeHost, said, wish } from './fake-host.ts';
import { bitcoinPayloads as payloads } from '../../families.ts';

const KEYS = [21, 22].map((fill) => new Uint8Array(32).fill(fill));
const SIGNET = '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6';
const NETWORKS = [
  { id: 'bitcoin', name: 'Bitcoin', kind: 'mainnet' as const },
  { id: 'bitcoin-signet', name: 'Signet', kind: 'testnet' as const, genesis: SIGNET },
  { id: 'bitcoin-local', name: 'Local Bitcoin', kind: 'local' as const },
];
const MAIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const LOCAL = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const HASH = 'ab'.repeat(32);
const REGTEST = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };

const payment = (to: string, more: object = {}) =>
  payloads.parse({
    type: 'BTC_TRANSACTION',
    walletId: 'w',
    to,
    value: 70_000,
    ...more,
  }) as NativeRequest;
const message = (more: object = {}) =>
  payloads.parseSigning({
    type: 'BITCOIN_MESSAGE',
    walletId: 'w',
    data: '0x48656c6c6f',
    ...more,
  });

let count = 0;

describe('a wallet of Bitcoin by sats-connect', () => {
  let refuses: string | undefined;
  beforeEach(() => (refuses = undefined));

  function open(
    options: Partial<DemoSatsConnectOptions> = {},
    change: (provider: SatsConnect) => void = () => {},
  ) {
    const sent: string[] = [];
    const theirs = demoSatsConnect({
      keys: KEYS,
      coins: [{ txid: '11'.repeat(32), index: 0, amount: 100_000n }],
      broadcast: async (raw) => sent.push(raw),
      approves: (method) => method !== refuses,
      ...options,
    });
    const page = fakeHost(NETWORKS);
    const provider = { ...theirs.provider } as SatsConnect;
    change(provider);
    return { ...page, theirs, sent, wallet: openSatsConnect(provider, 'Theirs', page.host) };
  }

  async function linked(options?: Partial<DemoSatsConnectOptions>, change?: (provider: SatsConnect) => void) {
    const world = open(options, change);
    const [mine] = world.link(await world.wallet.link(wish('BITCOIN')));
    return { ...world, mine: mine! };
  }

  it('links its address for payments alone, on the network that it is on', async () => {
    const { wallet, theirs } = open({ network: 'Mainnet' });
    const account = { address: theirs.address, secretType: 'BITCOIN', network: 'bitcoin' };
    expect(await wallet.link(wish('BITCOIN'))).to.deep.equal([account]);
    expect(theirs.address).to.match(/^bc1q/);
  });

  it('switches to the network that the page wants, if it can', async () => {
    const { wallet, theirs } = open({ network: 'Mainnet' });
    const [local] = await wallet.link(wish('BITCOIN', 'bitcoin-local'));
    expect([local!.network, theirs.address.slice(0, 5)]).to.deep.equal(['bitcoin-local', 'bcrt1']);
    const old = open({ network: 'Mainnet', without: ['wallet_connect'] }).wallet;
    expect(await said(old.link(wish('BITCOIN', 'bitcoin-local')))).to.equal(
      'chain.not-supported: Theirs is on another network. Switch it to Local Bitcoin.',
    );
    expect(await said(old.link(wish('BITCOIN', 'nowhere')))).to.match(/^request.invalid/);
    // Its addresses are written as those of Signet, which is another network.
    expect(await said(open({ network: 'Testnet' }).wallet.link(wish('BITCOIN')))).to.equal(
      'chain.not-supported: Theirs is on Bitcoin Testnet. Switch it to Bitcoin.',
    );
  });

  it('links wallets that are older than wallet_connect', async () => {
    const { wallet, mine } = await linked({ without: ['wallet_connect', 'wallet_getAccount'] });
    expect(mine.network).to.equal('bitcoin-local');
    expect(await wallet.accounts()).to.deep.equal([mine.address]);
    expect(await wallet.sign(mine, message())).to.have.property('signature');
  });

  it('sends what was asked for, to whom, and answers the hash', async () => {
    const { wallet, mine, sent } = await linked();
    const hash = await wallet.send(mine, payment(LOCAL));
    const transaction = Transaction.fromRaw(hex.decode(sent[0]!));
    expect([hash, transaction.id, transaction.getOutput(0).amount]).to.deep.equal([hash, hash, 70_000n]);
    expect(transaction.getOutputAddress(0, REGTEST)).to.equal(LOCAL);
    expect(await said(wallet.send(mine, payment(MAIN)))).to.equal(
      'request.invalid: to: is an address of another network than Local Bitcoin',
    );
    expect(await said(wallet.send(mine, payment(LOCAL, { feePerByte: 5 })))).to.match(/^chain.not-supported/);
    expect(await said(wallet.send(mine, payment(LOCAL, { data: '=:e:0x1:1' })))).to.equal(
      'chain.not-supported: Theirs does not support data with a payment.',
    );
    expect(sent).to.have.length(1);
  });

  it('passes on its user’s refusal', async () => {
    for (refuses of ['wallet_connect', 'sendTransfer', 'signMessage']) {
      const world = open();
      if (refuses === 'wallet_connect') {
        expect(await said(world.wallet.link(wish('BITCOIN')))).to.match(/^user.rejected/);
        continue;
      }
      const [mine] = world.link(await world.wallet.link(wish('BITCOIN')));
      const asking =
        refuses === 'signMessage'
          ? world.wallet.sign(mine!, message())
          : world.wallet.send(mine!, payment(LOCAL));
      expect(await said(asking)).to.equal('user.rejected: The request was rejected in Theirs.');
    }
  });

  it('signs texts in the format that was asked for', async () => {
    const { wallet, mine } = await linked();
    const { signature: simple } = (await wallet.sign(mine, message())) as { signature: string };
    const { signature: old } = (await wallet.sign(mine, message({ format: 'bip137' }))) as {
      signature: string;
    };
    expect([atob(simple).length > 100, atob(old).length]).to.deep.equal([true, 65]);
    expect(await said(wallet.sign(mine, message({ data: '0xff' })))).to.equal(
      'chain.not-supported: Theirs does not support messages that are not text.',
    );
  });

  it('gets no requests once it is on another account or network, or withdrew the permission', async () => {
    const { wallet, mine, theirs, sent } = await linked();
    const asks = async () => [
      await said(wallet.send(mine, payment(LOCAL))),
      await said(wallet.sign(mine, message())),
    ];
    theirs.show(1);
    for (const each of await asks()) expect(each).to.match(/^wallet.forbidden/);
    theirs.show(0);
    theirs.go('Mainnet');
    for (const each of await asks())
      expect(each).to.equal('chain.not-supported: Theirs is on another network. Switch it to Local Bitcoin.');
    theirs.go('Regtest');
    theirs.disconnect();
    for (const each of await asks()) expect(each).to.match(/^wallet.forbidden/);
    expect(sent).to.have.length(0);
  });

  it('gets no requests on another network whose addresses look the same', async () => {
    let name = 'Signet';
    const { wallet, mine } = await linked({ network: 'Testnet' }, (provider) => {
      const real = provider.request.bind(provider);
      provider.request = async (method, params) => {
        const answer = (await real(method, params)) as { result?: { network?: object } };
        if (answer.result?.network) answer.result.network = { bitcoin: { name } };
        return answer;
      };
    });
    expect(mine.network).to.equal('bitcoin-signet');
    name = 'Testnet4';
    expect(await said(wallet.sign(mine, message()))).to.match(/^chain.not-supported: .*Switch it to Signet/);
    name = 'Signet';
    expect(await said(wallet.sign(mine, message()))).to.include('signature');
  });

  it('reports other accounts, and if it shows none; changing its network withdraws nothing', async () => {
    const { wallet, mine, theirs } = await linked();
    const reports: string[][] = [];
    wallet.watch(
      (addresses) => reports.push(addresses),
      () => {},
    );
    theirs.go('Mainnet');
    theirs.go('Regtest');
    theirs.show(1);
    await until(() => reports.length >= 2);
    theirs.disconnect();
    expect(reports.at(-1)).to.deep.equal([]);
    expect(reports.slice(0, -1).map(([address]) => address)).to.not.include(undefined);
    expect(reports.flat().every((address) => address.startsWith('bcrt1'))).to.equal(true);
    expect(reports.at(-2)).to.not.deep.equal([mine.address]);
    expect(await wallet.accounts()).to.deep.equal([]);
  });

  it('cannot give answers that its standard does not allow', async () => {
    const answering = (method: string, result: unknown) => (provider: SatsConnect) => {
      const real = provider.request;
      provider.request = async (asked, params) => (asked === method ? { result } : real(asked, params));
    };
    for (const addresses of [
      [{ purpose: 'payment', address: 'bc1qnothing' }],
      [{ purpose: 'payment' }],
      'none',
      null,
    ])
      expect(
        await said(open({}, answering('wallet_connect', { addresses })).wallet.link(wish('BITCOIN'))),
      ).to.equal('internal.error: Theirs did not return a list of addresses.');
    expect(
      await said(open({}, answering('wallet_connect', { addresses: [] })).wallet.link(wish('BITCOIN'))),
    ).to.match(/^user.rejected/);
    for (const txid of ['0x1234', HASH.slice(1), undefined]) {
      const { wallet, mine } = await linked({}, answering('sendTransfer', { txid }));
      expect(await said(wallet.send(mine, payment(LOCAL)))).to.match(/^internal.error: .*check its activity/);
    }
    for (const [answer, code] of [
      [{ signature: 'no base64!' }, 'internal.error'],
      [{ signature: btoa('x'), address: MAIN }, 'internal.error'],
      [{ signature: btoa(`\x1f${'x'.repeat(64)}`) }, 'chain.not-supported'],
      [undefined, 'internal.error'],
    ] as const) {
      const { wallet, mine } = await linked({}, answering('signMessage', answer));
      expect(await said(wallet.sign(mine, message()))).to.match(new RegExp(`^${code}`));
    }
    const thrown = await linked({}, (provider) => {
      const real = provider.request;
      provider.request = async (method, params) => {
        if (method !== 'sendTransfer') return real(method, params);
        throw { jsonrpc: '2.0', error: { code: 4001, message: 'no' } };
      };
    });
    expect(await said(thrown.wallet.send(thrown.mine, payment(LOCAL)))).to.match(/^user.rejected/);
  });

  it('is linked, sends and is followed behind the calls of the page', async () => {
    localStorage.clear();
    const clock = new TestClock();
    const context = {
      host: {
        async read(action: string, { body }: { body?: object }) {
          if (action === 'rpc') return { result: { networks: NETWORKS } };
          return action === 'build'
            ? { ...body, type: 'BTC_TRANSACTION', secretType: undefined, value: '70000' }
            : 'confirmed';
        },
        opensWindow: () => false,
      },
      record: hostRecord('https://bitcoin.example', clock),
      payloads: new Map(),
      options: {},
      clock,
      ended: new AbortController(),
    } as unknown as Context;
    const theirs = demoSatsConnect({
      keys: KEYS,
      coins: [{ txid: '11'.repeat(32), index: 0, amount: 100_000n }],
      name: 'In the page',
    });
    const undo = theirs.announce('demoInPage');
    const inPage = discover()
      .found()
      .find(({ name }) => name === 'In the page')!;
    await linkExternal(context, inPage, wish('BITCOIN'));
    const [wallet] = context.record.wallets();
    const { address } = theirs;
    const network = 'bitcoin-local';
    expect(wallet).to.include({ address, network, secretType: 'BITCOIN', walletType: 'EXTERNAL' });
    const request = { walletId: wallet!.id, to: LOCAL, value: '0.0007', secretType: 'BITCOIN' } as const;
    expect((await transfer(context, request, {})).transactionHash).to.match(/^[0-9a-f]{64}$/);
    const signed = await sign(context, { type: 'BITCOIN_MESSAGE', walletId: wallet!.id, data: '0x4869' }, {});
    expect(signed.result).to.have.property('signature');
    theirs.go('Mainnet');
    theirs.go('Regtest');
    theirs.show(1);
    await until(() => context.record.wallets()[0]?.address === theirs.address);
    expect(context.record.wallets()).to.have.length(1);
    context.ended.abort();
    context.record.destroy();
    undo();
    localStorage.clear();
  });

  it('is found in the list that such wallets keep in the window, even if it comes later', () => {
    const named = () =>
      discover()
        .found()
        .map(({ name }) => name);
    expect(named()).not.to.include('In the list');
    const undo = demoSatsConnect({ keys: KEYS, name: 'In the list' }).announce('demoProvider');
    const page = window as unknown as { btc_providers: unknown[] };
    page.btc_providers.push(null, { id: 'nowhere.Provider', name: 'Gone' }, { id: 7, name: 'Seven' });
    const wallet = discover()
      .found()
      .find(({ name }) => name === 'In the list')!;
    expect([wallet.by, wallet.secretTypes]).to.deep.equal(['sats-connect demoProvider', ['BITCOIN']]);
    expect(named()).not.to.include('Gone').and.not.include('Seven');
    undo();
  });
});

describe('a wallet of Bitcoin by Wallet Standard', () => {
  let refuses: string | undefined;
  beforeEach(() => (refuses = undefined));

  const unsigned = () => {
    const transaction = new Transaction();
    for (const index of [0, 1]) {
      const script = hex.decode(`0014${'00'.repeat(20)}`);
      transaction.addInput({ txid: HASH, index, witnessUtxo: { script, amount: 50_000n } });
    }
    return btoa(String.fromCharCode(...transaction.toPSBT()));
  };

  async function linked(options: Partial<DemoStandardOptions> = {}) {
    const theirs = demoWalletStandard({ keys: KEYS, approves: (method) => method !== refuses, ...options });
    const page = fakeHost(NETWORKS, { carabiner_unsigned: unsigned, carabiner_send: () => HASH });
    const wallet = openWalletStandard(theirs.wallet, 'Theirs', page.host);
    const [mine] = page.link(await wallet.link(wish('BITCOIN')));
    return { ...page, theirs, wallet, mine: mine! };
  }

  /** Another feature in place of its own. */
  const answering = (id: string, call: string, answer: unknown) => ({
    features: { [`bitcoin:${id}`]: { version: '1.0.0', [call]: async () => answer } },
  });

  it('links its accounts, and signs messages in the only format that it has', async () => {
    const { wallet, mine, theirs } = await linked();
    expect([mine.address, mine.network]).to.deep.equal([theirs.addresses[0], 'bitcoin-local']);
    expect(await wallet.accounts()).to.deep.equal(theirs.addresses);
    const { signature } = (await wallet.sign(mine, message({ format: 'bip137' }))) as { signature: string };
    expect(atob(signature)).to.have.length(65);
    expect(await said(wallet.sign(mine, message()))).to.equal(
      'chain.not-supported: Theirs does not support BIP-322 signatures; request format: "bip137".',
    );
    const mute = await linked({ without: ['bitcoin:signMessage'] });
    expect(await said(mute.wallet.sign(mute.mine, message()))).to.match(/^chain.not-supported/);
  });

  it('signs every input of a transaction made from our nodes’ coins', async () => {
    let psbtInput:
      | { psbt: Uint8Array; chain: string; inputsToSign: { signingIndexes: number[] }[] }
      | undefined;
    const signAndSendTransaction = async (input: typeof psbtInput) => {
      psbtInput = input;
      return [{ txId: HASH.toUpperCase() }];
    };
    const features = { 'bitcoin:signAndSendTransaction': { version: '1.0.0', signAndSendTransaction } };
    const { wallet, mine, calls } = await linked({ features });
    expect(await wallet.send(mine, payment(LOCAL, { feePerByte: 5 }))).to.equal(HASH);
    const body = { type: 'BTC_TRANSACTION', walletId: 'w', to: LOCAL, value: '70000', feePerByte: '5' };
    expect(calls).to.deep.equal([['carabiner_unsigned', body, mine.address]]);
    expect([psbtInput!.chain, psbtInput!.inputsToSign[0]!.signingIndexes]).to.deep.equal([
      'bitcoin:regtest',
      [0, 1],
    ]);
    expect(Transaction.fromPSBT(psbtInput!.psbt).inputsLength).to.equal(2);
  });

  it('has what it only signed broadcast by our nodes', async () => {
    const { wallet, mine, calls } = await linked({
      without: ['bitcoin:signAndSendTransaction'],
      ...answering('signTransaction', 'signTransaction', [{ signedPsbt: Uint8Array.of(1, 2) }]),
    });
    expect(await wallet.send(mine, payment(LOCAL))).to.equal(HASH);
    const [method, , signed] = calls[1]!;
    expect([method, signed]).to.deep.equal(['carabiner_send', btoa('\x01\x02')]);
  });

  it('passes on its user’s refusal', async () => {
    const { wallet, mine } = await linked();
    for (refuses of ['connect', 'signMessage', 'signAndSendTransaction']) {
      const asking = {
        connect: () => wallet.link(wish('BITCOIN')),
        signMessage: () => wallet.sign(mine, message({ format: 'bip137' })),
        signAndSendTransaction: () => wallet.send(mine, payment(LOCAL)),
      }[refuses]!;
      expect(await said(asking())).to.equal('user.rejected: The request was rejected in Theirs.');
    }
  });

  it('gets no requests for an account that it no longer shows, on another network, or of another form', async () => {
    const { wallet, mine, theirs } = await linked();
    const asks = async () => [
      await said(wallet.send(mine, payment(LOCAL))),
      await said(wallet.sign(mine, message({ format: 'bip137' }))),
    ];
    theirs.show(1);
    for (const each of await asks()) expect(each).to.match(/^wallet.forbidden/);
    theirs.show(0);
    theirs.go('Mainnet');
    for (const each of await asks())
      expect(each).to.match(/^chain.not-supported: .*Switch it to Local Bitcoin/);
    theirs.go('Regtest');
    expect(await said(wallet.send(mine, payment(MAIN)))).to.match(/^request.invalid: to: /);
    const taproot = p2tr(pubSchnorr(KEYS[0]!), undefined, REGTEST).address!;
    const account = { address: taproot, publicKey: KEYS[0]!, chains: ['bitcoin:regtest'], features: [] };
    const other = { ...theirs.wallet, accounts: [account] } as StandardWallet;
    const page = fakeHost(NETWORKS);
    const opened = openWalletStandard(other, 'Theirs', page.host);
    const [linkedOne] = page.link([{ address: taproot, secretType: 'BITCOIN', network: 'bitcoin-local' }]);
    expect(await said(opened.send(linkedOne!, payment(LOCAL)))).to.equal(
      'chain.not-supported: Theirs does not support transactions of this account on Local Bitcoin.',
    );
    expect(page.calls).to.deep.equal([]);
  });

  it('reports accounts that it no longer shows; changing its network withdraws nothing', async () => {
    const { wallet, mine, theirs } = await linked();
    const reports: string[][] = [];
    wallet.watch(
      (addresses) => reports.push(addresses),
      () => {},
    );
    theirs.go('Mainnet');
    theirs.show();
    await until(() => reports.length === 1);
    theirs.go('Regtest');
    theirs.show(0);
    await until(() => reports.length === 3);
    expect(reports).to.deep.equal([[], [], [mine.address]]);
  });

  it('cannot give answers that its standard does not allow', async () => {
    const link = (accounts: unknown) => linked(answering('connect', 'connect', { accounts }));
    expect(await said(link([{ address: 'nothing' }]))).to.match(/^internal.error/);
    expect(await said(link([null]))).to.match(/^internal.error/);
    expect(await said(link('none'))).to.match(/^user.rejected/);
    for (const answer of [[{ txId: '12' }], [], null]) {
      const { wallet, mine } = await linked(
        answering('signAndSendTransaction', 'signAndSendTransaction', answer),
      );
      expect(await said(wallet.send(mine, payment(LOCAL)))).to.match(/^internal.error: .*check its activity/);
    }
    const { wallet, mine } = await linked(answering('signMessage', 'signMessage', [{ signature: 'text' }]));
    expect(await said(wallet.sign(mine, message()))).to.equal(
      'internal.error: Theirs did not return a signature.',
    );
  });

  it('is found by its registration, once, and by sats-connect if it supports that', () => {
    const undo = [
      demoWalletStandard({ keys: KEYS, name: `Standard ${++count}` }).announce(),
      demoWalletStandard({
        keys: KEYS,
        name: 'Both',
        without: ['bitcoin:connect'],
        features: { 'sats-connect:': { provider: demoSatsConnect({ keys: KEYS }).provider } },
      }).announce(),
      demoWalletStandard({ keys: KEYS, name: 'Another chain’s', without: ['bitcoin:connect'] }).announce(),
    ];
    const register = (detail: unknown) =>
      dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail }));
    register(undefined);
    register(({ register: add }: { register: (...wallets: unknown[]) => void }) =>
      add(null, {}, { features: 7 }),
    );
    dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register() {} } }));
    const wallets = discover().found();
    const standards = wallets.filter(({ by }) => by.startsWith('wallet-standard')).map(({ name }) => name);
    expect(standards).to.deep.equal([`Standard ${count}`, 'Both']);
    for (const each of undo) each();
  });
});
