/** A VeWorld in the page, with VeChain's own SDK, on the local network. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Address, Certificate, HexUInt } from '@vechain/sdk-core';
import { type LocalVechain, startVechainNetwork } from '../../demo/networks/vechain.ts';
import { demoVeworld, type DemoVeworldOptions } from '../../demo/wallets/veworld.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import type { CertificateSignature } from '../../src/chains/terms.ts';
import { type NativeRequest, payloads } from '../../src/chains/vechain/payload.ts';
import { chain } from '../../src/chains/vechain/index.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { ConnectError } from '../../src/base/errors.ts';
import { openVechain, type VechainProvider } from '../../src/external/vechain.ts';
import type { ExternalHost } from '../../src/external/types.ts';

const KEYS = [1, 2].map((digit) => HexUInt.of(`0x${String(digit).padStart(64, '0')}`).bytes);
const [ADDRESS] = KEYS.map((key) => Address.ofPrivateKey(key).toString()) as [string];
const TO = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const FAR = `0x${'0'.repeat(56)}deadbeef`;
const VET = 10n ** 18n;

let local: LocalVechain;
let host: ExternalHost;
before(async () => {
  Object.assign(globalThis, { location: { host: 'shop.example' } });
  local = await startVechainNetwork({ port: 0 });
  await local.mint(ADDRESS, 1000n * VET, 1000n * VET);
  await local.give('DUSD', ADDRESS);
  const networks = [
    { id: 'vechain-local', name: 'Local', genesis: local.network.genesis! },
    { id: 'vechain-far', name: 'Far', genesis: FAR },
  ];
  host = {
    clock: systemClock,
    linked: () => [],
    rpc: async () => ({ result: { networks, customNodes: false } }),
  };
});
after(() => {
  Reflect.deleteProperty(globalThis, 'location');
  return local.close();
});

describe('VeWorld', () => {
  let refuses: string | undefined;
  let asked: string[];
  let theirs: ReturnType<typeof demoVeworld>;
  let wallet: ReturnType<typeof openVechain>;

  const open = (options: Partial<DemoVeworldOptions> = {}) => {
    theirs = demoVeworld({
      keys: KEYS,
      nodes: { [local.network.genesis!]: local.url },
      approves: (method) => (asked.push(method), method !== refuses),
      ...options,
    });
    wallet = openVechain(theirs.provider as VechainProvider, 'VeWorld', host);
  };
  const linked = async (): Promise<Wallet> =>
    (await wallet.link({ secretTypes: ['VECHAIN'] }))[0] as unknown as Wallet;
  const send = async (from: Wallet, body: object): Promise<string> =>
    wallet.send(from, payloads.parse({ type: 'VET_TRANSACTION', walletId: 'w', ...body }) as NativeRequest);
  const certify = async (from: Wallet, data: string, more: object = {}) =>
    wallet.sign(
      from,
      payloads.parseSigning({
        type: 'VECHAIN_CERTIFICATE',
        walletId: 'w',
        purpose: 'agreement',
        data,
        ...more,
      }),
    ) as Promise<CertificateSignature>;
  const failure = async (work: Promise<unknown>): Promise<ConnectError> =>
    work.then(
      () => assert.fail('did not reject'),
      (error: ConnectError) => error,
    );
  const codeOf = async (work: Promise<unknown>) => (await failure(work)).code;
  const node = () => chain.node(local.network);
  const ONE = { clauses: [{ to: TO, amount: '1' }] };

  beforeEach(() => {
    refuses = undefined;
    asked = [];
    open();
  });

  it('is linked on our first network, or on the one that the page wants if it has that', async () => {
    assert.deepEqual(await wallet.accounts(), []);
    assert.deepEqual(await wallet.link({ secretTypes: ['VECHAIN'] }), [
      { address: ADDRESS, secretType: 'VECHAIN', network: 'vechain-local' },
    ]);
    assert.deepEqual(await wallet.accounts(), [ADDRESS]);
    assert.deepEqual(asked, ['thor_connect']);
    const far = await failure(wallet.link({ secretTypes: ['VECHAIN'], network: 'vechain-far' }));
    assert.deepEqual([far.code, far.details['reason']], ['transaction.refused', 'Network does not match']);
  });

  it('is asked for a certificate if it is an older version', async () => {
    open({ version: 1 });
    assert.equal((await linked()).address, ADDRESS);
    assert.deepEqual(asked, ['signCert']);
    assert.deepEqual(await wallet.accounts(), []);
  });

  it('sends VET, VTHO and tokens in several clauses, and after another transaction', async () => {
    const from = await linked();
    const first = await send(from, {
      clauses: [
        { to: TO, amount: (2n * VET).toString() },
        { to: TO, amount: '3', data: '0x01' },
      ],
    });
    await local.ledger.mine();
    const vtho = { type: 'VTHO_TRANSACTION', clauses: [{ to: TO, amount: '5' }] };
    await send(from, { ...vtho, dependsOn: first, gas: 100_000 });
    const clauses = [{ to: TO, amount: '7', tokenAddress: local.contracts.DUSD }];
    await send(from, { type: 'VECHAIN_VIP180_TRANSACTION', clauses });
    await local.ledger.mine();
    const { rawBalance, rawGasBalance } = await chain.balance(TO, node());
    const [dusd] = await chain.tokenBalances(
      TO,
      local.network.tokens.filter(({ symbol }) => symbol === 'DUSD'),
      node(),
    );
    assert.equal(rawBalance, (2n * VET + 3n).toString());
    assert.ok(BigInt(rawGasBalance!) >= 5n);
    assert.equal(dusd!.rawBalance, '7');
    assert.equal(await chain.status(first, node()), 'confirmed');
  });

  it('signs certificates that VeChain’s SDK verifies', async () => {
    const from = await linked();
    const { annex, signature } = await certify(from, '0x48c3a9');
    const payload = { type: 'text', content: 'Hé' };
    Certificate.of({ purpose: 'agreement', payload, ...annex, signature }).verify();
    assert.deepEqual([annex.domain, annex.signer], ['shop.example', ADDRESS.toLowerCase()]);
  });

  it('cannot sign other data, or be given fields that it fills in itself', async () => {
    const from = await linked();
    const message = payloads.parseSigning({ type: 'VECHAIN_TRANSACTION', walletId: 'w', data: '0x48' });
    assert.equal(await codeOf(wallet.sign(from, message)), 'chain.not-supported');
    assert.equal(await codeOf(certify(from, '0xff')), 'chain.not-supported');
    for (const more of [{ nonce: '1' }, { expiration: 5 }, { gasPriceCoef: 1 }, { chainTag: 1 }])
      assert.equal(await codeOf(send(from, { ...ONE, ...more })), 'chain.not-supported');
    assert.deepEqual(asked, ['thor_connect']);
  });

  it('passes on its user’s refusal to link, send and sign', async () => {
    refuses = 'thor_connect';
    assert.equal(await codeOf(linked()), 'user.rejected');
    refuses = undefined;
    const from = await linked();
    for (const [method, work] of [
      ['signTx', () => send(from, ONE)],
      ['signCert', () => certify(from, '0x48')],
    ] as const) {
      refuses = method;
      assert.equal(await codeOf(work()), 'user.rejected');
    }
  });

  it('sends with the linked account, whichever is selected, and only on the linked network', async () => {
    const from = await linked();
    theirs.show(1);
    const { rawBalance: before } = await chain.balance(ADDRESS, node());
    await send(from, ONE);
    await local.ledger.mine();
    assert.equal(BigInt(before) - BigInt((await chain.balance(ADDRESS, node())).rawBalance), 1n);
    for (const network of ['vechain-far', 'vechain-gone']) {
      asked = [];
      await failure(send({ ...from, network }, ONE));
      assert.deepEqual(asked, []);
    }
  });

  it('cannot give answers that its standard does not allow', async () => {
    const from = await linked();
    const txid = `0x${'ab'.repeat(32)}`;
    const other = theirs.addresses[1]!;
    const answers = (answer: object | null) =>
      (theirs.provider.newConnexSigner = () =>
        ({ signTx: async () => answer, signCert: async () => answer }) as never);
    for (const answer of [null, {}, { txid: '0x12', signer: ADDRESS }, { txid }, { txid, signer: other }]) {
      answers(answer);
      assert.equal(await codeOf(send(from, ONE)), 'internal.error', JSON.stringify(answer));
    }
    const signature = `0x${'ab'.repeat(64)}01`;
    const annex = { domain: 'shop.example', timestamp: 1, signer: ADDRESS };
    for (const answer of [
      null,
      { annex },
      { annex, signature: '0x12' },
      { signature },
      { signature, annex: { ...annex, domain: 'evil.example' } },
      { signature, annex: { ...annex, timestamp: '1' } },
      { signature, annex: { ...annex, signer: other } },
    ]) {
      answers(answer);
      assert.equal(await codeOf(certify(from, '0x48')), 'internal.error', JSON.stringify(answer));
    }
    answers({ signature, annex });
    assert.deepEqual(await certify(from, '0x48'), { signature, annex });
    theirs.provider.send = async ({ method }: { method: string }) =>
      method === 'thor_methods' ? ['thor_connect', 'thor_wallet'] : { signer: '0x1234' };
    assert.equal(await codeOf(linked()), 'internal.error');
    assert.equal(await codeOf(wallet.accounts()), 'internal.error');
  });
});
