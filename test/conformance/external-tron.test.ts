/** A TronLink in the page, with Tron's own SDK, on the local network. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { TronWeb } from 'tronweb';
import { type LocalTron, startTronNetwork } from '../../demo/networks/tron.ts';
import { demoTronLink, type DemoTronLinkOptions } from '../../demo/wallets/tronlink.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { payloads } from '../../src/chains/tron/payload.ts';
import { chain } from '../../src/chains/tron/index.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { ConnectError } from '../../src/base/errors.ts';
import { openTron, type TronProvider } from '../../src/external/tron.ts';
import type { ExternalHost } from '../../src/external/types.ts';
import { pause, poll } from '../waiting.ts';

const KEYS = ['1', '2'].map((digit) => digit.padStart(64, '0'));
const [ADDRESS, OTHER] = KEYS.map((key) => TronWeb.address.fromPrivateKey(key) as string) as [string, string];
const TO = 'THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV';
const FAR = `${'0'.repeat(56)}deadbeef`;

let tron: LocalTron;
let host: ExternalHost;
before(async () => {
  tron = await startTronNetwork({ port: 0 });
  await tron.fund(ADDRESS, 1_000_000_000n);
  await tron.give('DUSD', ADDRESS);
  await tron.give('DPT', ADDRESS);
  const networks = [
    { id: 'tron-far', name: 'Far', genesis: FAR },
    { id: 'tron-local', name: 'Local', genesis: tron.network.genesis! },
    { id: 'tron-unnamed', name: 'Unnamed' },
  ];
  host = {
    clock: systemClock,
    linked: () => [],
    rpc: async () => ({ result: { networks, customNodes: false } }),
  };
});
after(() => tron.close());

const chainIdOf = (genesis: string) => `0x${genesis.slice(-8)}`;

describe('a wallet of Tron (TIP-1193)', () => {
  let refuses: string | undefined;
  let asked: string[];
  let theirs: ReturnType<typeof demoTronLink>;
  let wallet: ReturnType<typeof openTron>;

  const open = (options: Partial<DemoTronLinkOptions> = {}) => {
    const chainId = chainIdOf(tron.network.genesis!);
    theirs = demoTronLink({
      keys: KEYS,
      chainId,
      nodes: { [chainId]: tron.url },
      approves: (method) => (asked.push(method), method !== refuses),
      ...options,
    });
    wallet = openTron(theirs.provider as unknown as TronProvider, 'TronLink', host);
  };
  const linked = async (network = 'tron-local'): Promise<Wallet> => {
    const [account] = await wallet.link({ secretTypes: ['TRON'], network });
    return account as unknown as Wallet;
  };
  const send = async (from: Wallet, body: object): Promise<string> =>
    wallet.send(from, payloads.parse({ walletId: 'w', ...body }));
  const sign = async (from: Wallet, data: string) =>
    wallet.sign(from, payloads.parseSigning({ type: 'TRON_MESSAGE', walletId: 'w', data }));
  const failure = async (work: Promise<unknown>): Promise<ConnectError> =>
    work.then(
      () => assert.fail('did not reject'),
      (error: ConnectError) => error,
    );
  const codeOf = async (work: Promise<unknown>) => (await failure(work)).code;
  const node = () => chain.node(tron.network);
  function confirmed(hash: string): Promise<boolean> {
    const look = async (): Promise<boolean> => {
      const { state } = await chain.receipt(hash, node());
      assert.notEqual(state, 'failed');
      return state === 'confirmed';
    };
    return poll(look, `${hash} to be confirmed`);
  }
  const tokenOf = async (address: string, symbol: string) => {
    const token = tron.network.tokens.find((it) => it.symbol === symbol)!;
    return BigInt((await chain.tokenBalances(address, [token], node()))[0]!.rawBalance);
  };

  beforeEach(() => {
    refuses = undefined;
    asked = [];
    open();
  });

  it('is linked on its current network, or the one that the page wants, and later asks nobody', async () => {
    assert.deepEqual(await wallet.accounts(), []);
    assert.deepEqual(await wallet.link({ secretTypes: ['TRON'] }), [
      { address: ADDRESS, secretType: 'TRON', network: 'tron-local' },
    ]);
    assert.equal((await linked('tron-far')).network, 'tron-far');
    assert.deepEqual(await wallet.accounts(), [ADDRESS]);
    assert.deepEqual(asked, ['eth_requestAccounts']);
    assert.equal(await codeOf(linked('ethereum')), 'request.invalid');
  });

  it('waits for the TronWeb that appears a moment after the account', async () => {
    const { provider } = theirs;
    const { request } = provider;
    provider.request = async (question) => {
      const answer = await request(question);
      const { tronWeb } = provider;
      provider.tronWeb = false;
      void pause(20).then(() => (provider.tronWeb = tronWeb));
      return answer;
    };
    assert.equal((await wallet.link({ secretTypes: ['TRON'] }))[0]!.network, 'tron-local');
  });

  it('sends TRX, TRC-10 and TRC-20 tokens, and calls of contracts, each with a memo', async () => {
    const from = await linked();
    const memo = await send(from, { type: 'TRX_TRANSACTION', to: TO, value: 5_000_000, data: 'Order 7' });
    await confirmed(memo);
    const { raw_data: raw } = await new TronWeb({ fullHost: tron.url }).trx.getTransaction(memo);
    assert.equal(Buffer.from(raw.data as string, 'hex').toString(), 'Order 7');
    await confirmed(await send(from, { type: 'TRC10_TRANSACTION', to: TO, value: 7, token: tron.asset }));
    const token = tron.contracts.DUSD;
    await confirmed(
      await send(from, { type: 'TRC10_TRANSACTION', to: TO, value: 9, token, feeLimit: 100_000_000 }),
    );
    const inputs = [
      { type: 'address', value: TO },
      { type: 'uint', value: '11' },
    ];
    const call = { type: 'TRON_CONTRACT_EXECUTION', to: token, functionName: 'transfer', inputs };
    await confirmed(await send(from, call));
    const tokens = { type: 'TRC10_TRANSACTION', to: TO, value: 9, memo: 'Order 8' };
    for (const request of [
      { ...call, memo: 'Order 8' },
      { ...tokens, token },
      { ...tokens, token: tron.asset },
    ]) {
      const hash = await send(from, request);
      await confirmed(hash);
      const { raw_data: noted } = await new TronWeb({ fullHost: tron.url }).trx.getTransaction(hash);
      assert.equal(Buffer.from(noted.data as string, 'hex').toString(), 'Order 8');
    }
    assert.deepEqual(
      [(await chain.balance(TO, node())).rawBalance, await tokenOf(TO, 'DPT'), await tokenOf(TO, 'DUSD')],
      ['5000000', 16n, 40n],
    );
  });

  it('sends no payment that the wallet’s SDK leaves without its memo', async () => {
    const from = await linked();
    const { transactionBuilder } = theirs.provider.tronWeb as TronWeb;
    transactionBuilder.addUpdateData = async (transaction) => transaction;
    asked.length = 0;
    const order = '=:e:0x388C818CA8B9251b393131C08a736A67ccB19297:1';
    const asset = { type: 'TRC10_TRANSACTION', to: TO, value: 1, memo: order };
    for (const request of [
      { type: 'TRX_TRANSACTION', to: TO, value: 1, data: order },
      { ...asset, token: tron.asset },
      { ...asset, token: tron.contracts.DUSD },
    ])
      assert.match((await failure(send(from, request))).message, /a transaction with the memo/);
    assert.deepEqual(asked, []);
  });

  it('signs messages that Tron’s SDK verifies, of text alone', async () => {
    const from = await linked();
    const { signature } = (await sign(from, '0x0a48c3a9')) as { signature: string };
    assert.equal(await new TronWeb({ fullHost: tron.url }).trx.verifyMessageV2('\nHé', signature), ADDRESS);
    assert.equal(await codeOf(sign(from, '0xff')), 'chain.not-supported');
  });

  it('passes on its user’s refusal to link, send and sign', async () => {
    refuses = 'eth_requestAccounts';
    assert.equal(await codeOf(linked()), 'user.rejected');
    refuses = undefined;
    const from = await linked();
    refuses = 'sign';
    const sent = tron.requests.length;
    assert.equal(await codeOf(send(from, { type: 'TRX_TRANSACTION', to: TO, value: 1 })), 'user.rejected');
    assert.ok(!tron.requests.slice(sent).some((path) => path.includes('broadcast')));
    refuses = 'signMessageV2';
    assert.equal(await codeOf(sign(from, '0x48')), 'user.rejected');
  });

  it('switches to the network of the linked wallet, and sends on no other', async () => {
    const from = await linked();
    const far = { ...from, network: 'tron-far' };
    const one = { type: 'TRX_TRANSACTION', to: TO, value: 1 };
    const unknown = await failure(send(far, one));
    assert.deepEqual([unknown.code, unknown.details['chainId']], ['chain.not-supported', 0xdeadbeef]);
    assert.equal(await codeOf(send({ ...from, network: 'tron-unnamed' }, one)), 'chain.not-supported');
    assert.equal(await codeOf(send({ ...from, network: 'tron-gone' }, one)), 'chain.not-supported');
    // It says that it went there, and did not.
    open({ nodes: { [chainIdOf(tron.network.genesis!)]: tron.url, [chainIdOf(FAR)]: tron.url } });
    assert.equal(
      await codeOf(send({ ...(await linked()), network: 'tron-far' }, one)),
      'chain.not-supported',
    );
    assert.ok(!asked.includes('sign'));
  });

  it('sends and signs for no other account, whenever its user chooses one', async () => {
    const from = await linked();
    const one = { type: 'TRX_TRANSACTION', to: TO, value: 1 };
    theirs.show(1);
    assert.deepEqual(await wallet.accounts(), [OTHER]);
    assert.equal(await codeOf(send(from, one)), 'wallet.forbidden');
    assert.equal(await codeOf(sign(from, '0x48')), 'wallet.forbidden');
    assert.ok(!asked.includes('sign'));
    theirs.show(-1);
    assert.equal(await codeOf(send(from, one)), 'wallet.forbidden');
    // While its own node builds the transaction, and while it asks.
    open({ approves: (method) => (method === 'signMessageV2' && theirs.show(1), true) });
    const again = await linked();
    assert.equal(await codeOf(sign(again, '0x48')), 'wallet.forbidden');
    theirs.show(0);
    const { provider } = theirs;
    const build = (provider.tronWeb as TronWeb).transactionBuilder;
    const real = build.sendTrx.bind(build);
    build.sendTrx = (async (...all: Parameters<typeof real>) => {
      const built = await real(...all);
      theirs.show(1);
      return built;
    }) as typeof build.sendTrx;
    assert.equal(await codeOf(send(again, one)), 'wallet.forbidden');
  });

  it('cannot give answers that its standard does not allow', async () => {
    const from = await linked();
    const one = { type: 'TRX_TRANSACTION', to: TO, value: 1 };
    const page = theirs.provider.tronWeb as TronWeb;
    const { trx } = page as never as { trx: Record<string, unknown> };
    trx['signMessageV2'] = async () => '0x1234';
    assert.equal(await codeOf(sign(from, '0x48')), 'internal.error');
    trx['sign'] = async () => ({ txID: 'f'.repeat(64) });
    assert.equal(await codeOf(send(from, one)), 'internal.error');
    trx['sign'] = async (transaction: object) => transaction;
    trx['sendRawTransaction'] = async () => ({ code: 'SIGERROR', message: '4e6f' });
    const refused = await failure(send(from, one));
    assert.deepEqual([refused.code, refused.details['reason']], ['transaction.refused', 'SIGERROR: No']);
    trx['sendRawTransaction'] = async () => Promise.reject(new Error('timeout'));
    const lost = await failure(send(from, one));
    assert.equal(lost.code, 'node.unreachable');
    assert.match(String(lost.details['transactionHash']), /^[0-9a-f]{64}$/);
    page.transactionBuilder.sendTrx = (async () => ({ txID: 7 })) as never;
    assert.equal(await codeOf(send(from, one)), 'internal.error');
    page.defaultAddress.base58 = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
    assert.equal(await codeOf(wallet.accounts()), 'internal.error');
    assert.equal(await codeOf(send(from, { ...one, value: 2n ** 53n + 1n })), 'internal.error');
  });

  it('reports other accounts, and none, in the order of events', async () => {
    await linked();
    const seen: unknown[] = [];
    wallet.watch(
      (addresses) => seen.push(addresses),
      (yes) => seen.push(yes),
    );
    theirs.show(1);
    theirs.show(-1);
    await poll(() => seen.length === 2, 'both reports');
    assert.deepEqual(seen, [[OTHER], []]);
  });
});
