import { expect } from '@open-wc/testing';
import { BrowserProvider } from 'ethers/providers';
import type { CallOptions } from '../../../src/actions/types.ts';
import { SECRET_TYPES } from '../../../src/chains/secret-type.ts';
import type { ConnectError, ErrorCode } from '../../../src/base/errors.ts';
import {
  aBalance,
  aWallet,
  closed,
  crossChainRates,
  failed,
  fakeWallet,
  inTurn,
  rejected,
  unanswered,
} from '../../../src/testing/index.ts';
import * as production from '../../../src/testing/production.ts';
import * as published from '../../../src/testing/published.ts';
import '../../../src/elements/index.ts';
import { poll } from '../../waiting.ts';
import { RECIPIENT } from '../elements/fake-connect.ts';
import { all, settle } from '../elements/page.ts';

const MAIN = aWallet({ id: 'main' });
const TRANSFER = { walletId: 'main', to: RECIPIENT, value: '1.5', secretType: 'ETHEREUM' } as const;
const SIGN = { walletId: 'main', type: 'ETHEREUM_RAW', data: '0x48656c6c6f' } as const;

async function errorOf(call: Promise<unknown>): Promise<ConnectError> {
  try {
    await call;
  } catch (error) {
    return error as ConnectError;
  }
  return expect.fail('it did not fail');
}

describe('a wallet for the tests of an app', () => {
  it('approves everything, and says what was asked', async () => {
    const { connect, requests } = fakeWallet();
    const [wallet] = await connect.linkWallets({ secretTypes: ['ETHEREUM'] });
    expect(await connect.wallets()).to.deep.equal([wallet]);
    const { transactionHash } = await connect.transfer({ ...TRANSFER, walletId: wallet!.id });
    expect(transactionHash).to.match(/^0x[0-9a-f]{64}$/);
    const { result } = await connect.sign({ ...SIGN, walletId: wallet!.id });
    expect(result).to.have.all.keys('r', 's', 'v', 'signature');
    expect(requests.map(({ action, params }) => [action, params])).to.deep.equal([
      ['linkWallets', { secretTypes: ['ETHEREUM'] }],
      ['transfer', { ...TRANSFER, walletId: wallet!.id }],
      ['sign', { ...SIGN, walletId: wallet!.id }],
    ]);
  });

  it('has wallets and signatures of every chain', async () => {
    const { connect } = fakeWallet();
    const wallets = await connect.linkWallets({ secretTypes: SECRET_TYPES });
    expect(wallets.map(({ secretType }) => secretType)).to.deep.equal(SECRET_TYPES);
    for (const { id, secretType } of wallets) {
      expect((await connect.balance(id)).secretType).to.equal(secretType);
      const to = wallets.find((each) => each.secretType === secretType)!.address;
      expect(await connect.transfer({ walletId: id, to, value: '1', secretType })).to.have.keys(
        'transactionHash',
      );
    }
    const of = (chain: string) => wallets.find(({ secretType }) => secretType === chain)!.id;
    for (const [type, chain] of [
      ['BITCOIN_MESSAGE', 'BITCOIN'],
      ['AETERNITY_MESSAGE', 'AETERNITY'],
      ['TRON_MESSAGE', 'TRON'],
    ] as const)
      expect((await connect.sign({ type, walletId: of(chain), data: '0x00' })).result).to.have.keys(
        'signature',
      );
    const certified = await connect.sign({
      type: 'VECHAIN_CERTIFICATE',
      walletId: of('VECHAIN'),
      data: '0x00',
      purpose: 'agreement',
    });
    expect(certified.result).to.have.keys('annex', 'signature');
  });

  it('rejects, closes, and fails with any code', async () => {
    const wallet = fakeWallet({ linked: [MAIN], transfer: rejected() });
    const { connect } = wallet;
    expect((await errorOf(connect.transfer(TRANSFER))).code).to.equal('user.rejected');
    wallet.script({ transfer: closed() });
    expect((await errorOf(connect.transfer(TRANSFER))).details['reason']).to.equal('closed');
    const codes: ErrorCode[] = ['transaction.refused', 'pincode.locked', 'node.unreachable', 'frame.blocked'];
    for (const code of codes) {
      wallet.script({ transfer: failed(code) });
      expect((await errorOf(connect.transfer(TRANSFER))).code).to.equal(code);
    }
    wallet.script({ transfer: failed('transaction.insufficient-funds', { maxSpendable: '7' }) });
    expect((await errorOf(connect.transfer(TRANSFER))).details['maxSpendable']).to.equal('7');
  });

  it('answers by the request, and one after the other', async () => {
    const one = { transactionHash: `0x${'1'.repeat(64)}` };
    const two = { transactionHash: `0x${'2'.repeat(64)}` };
    const wallet = fakeWallet({
      linked: [MAIN],
      transfer: inTurn<'transfer'>(rejected(), one, two),
      balance: ({ secretType }) => aBalance('1.25', secretType),
    });
    expect((await errorOf(wallet.connect.transfer(TRANSFER))).code).to.equal('user.rejected');
    for (const answer of [one, two, two])
      expect(await wallet.connect.transfer(TRANSFER)).to.deep.equal(answer);
    expect((await wallet.connect.balance('main')).rawBalance).to.equal('1250000000000000000');
  });

  it('leaves a request open until the test answers it, or the page aborts it', async () => {
    const wallet = fakeWallet({ linked: [MAIN], sign: unanswered });
    const stages: string[] = [];
    const options: CallOptions = { onProgress: ({ stage }) => stages.push(stage) };
    const signing = wallet.connect.sign(SIGN, options);
    await poll(() => wallet.requests.length === 1, 'the request');
    expect(stages).to.deep.equal(['approval']);
    expect(wallet.requests[0]!.isOpen).to.equal(true);
    wallet.requests[0]!.answer(rejected());
    expect((await errorOf(signing)).code).to.equal('user.rejected');
    const abort = new AbortController();
    const again = wallet.connect.sign(SIGN, { signal: abort.signal });
    await poll(() => wallet.requests.length === 2, 'the second request');
    abort.abort();
    expect((await errorOf(again)).code).to.equal('user.rejected');
    const last = wallet.connect.sign(SIGN);
    await poll(() => wallet.requests.length === 3, 'the third request');
    wallet.connect.destroy();
    expect((await errorOf(last)).code).to.equal('user.rejected');
  });

  it('refuses what the real wallet refuses, before it arrives', async () => {
    const { connect, requests } = fakeWallet({ linked: [MAIN] });
    const bad = [
      connect.transfer({ ...TRANSFER, to: 'nobody at all' }),
      connect.transfer({ ...TRANSFER, value: '-1' }),
      connect.execute({ type: 'ETH_TRANSACTION', walletId: 'main', valu: 1 } as never),
      connect.sign({ ...SIGN, data: 'Hello' }),
    ];
    for (const call of bad) expect((await errorOf(call)).code).to.equal('request.invalid');
    expect((await errorOf(connect.transfer({ ...TRANSFER, walletId: 'other' }))).code).to.equal(
      'wallet.forbidden',
    );
    expect(requests).to.deep.equal([]);
  });

  it('refuses a script that no wallet would follow', async () => {
    const wallet = fakeWallet({ linked: [MAIN], transfer: { hash: '0x1' } as never });
    expect((await errorOf(wallet.connect.transfer(TRANSFER))).message).to.match(
      /^fakeWallet: no wallet answers transfer like this: transactionHash/,
    );
    wallet.script({ sign: { success: true, result: { sig: '0x' } } as never });
    expect((await errorOf(wallet.connect.sign(SIGN))).message).to.match(/no wallet answers sign/);
    expect(() => fakeWallet({ linked: [{ id: 'x' } as never] })).to.throw(/no wallet answers linked/);
    wallet.script({ createSwap: [{ type: 'ETH_TRANSACTION', walletId: 'main', to: 'x' }] as never });
    const swap = {
      walletId: 'main',
      fromSecretType: 'ETHEREUM',
      toSecretType: 'ETHEREUM',
      orderType: 'SELL',
      exchange: 'UNISWAP',
      inputAmount: 1,
    } as const;
    expect((await errorOf(wallet.connect.createSwap(swap))).message).to.match(
      /createSwap like this: .*to: is not/,
    );
  });

  it('has rates between chains, of an exchange that only sells', async () => {
    const swapRates = (asked: { query: object }) => crossChainRates(asked, '0.03');
    const { connect } = fakeWallet({ linked: [MAIN], swapRates });
    const query = {
      fromSecretType: 'ETHEREUM',
      toSecretType: 'BITCOIN',
      amount: '1',
      slippage: '1',
    } as const;
    const { bestRate } = await connect.swapRates({ ...query, orderType: 'SELL' });
    expect(bestRate).to.deep.include({ rawInputAmount: `1${'0'.repeat(18)}`, rawOutputAmount: '3000000' });
    expect(bestRate!.crossChain).to.deep.include({ seconds: 600, rawMinimumOutput: '2970000' });
    const { noRates } = await connect.swapRates({ ...query, orderType: 'BUY' });
    expect(noRates!.map(({ code }) => code)).to.deep.equal(['swap.thorchain.sell-only']);
  });

  it('gives the same id the same answer', async () => {
    const { connect, requests } = fakeWallet({ linked: [MAIN] });
    const options = { requestId: 'order-0001' };
    const first = await connect.transfer(TRANSFER, options);
    expect(await connect.transfer(TRANSFER, options)).to.deep.equal(first);
    expect(requests).to.have.length(1);
    expect((await errorOf(connect.transfer({ ...TRANSFER, value: '2' }, options))).code).to.equal(
      'request.conflict',
    );
  });

  it('confirms transactions, lets them fail, or leaves them pending', async () => {
    const wallet = fakeWallet({ linked: [MAIN], outcome: 'pending' });
    const stages: string[] = [];
    const { transactionHash } = await wallet.connect.transfer(TRANSFER, {
      onProgress: ({ stage }) => stages.push(stage),
    });
    const status = () => wallet.connect.transactionStatus(transactionHash, 'ETHEREUM');
    expect(await status()).to.equal('pending');
    wallet.settle(transactionHash, 'failed');
    expect(await status()).to.equal('failed');
    expect(stages).to.deep.equal(['approval', 'signing', 'broadcast', 'failed']);
    expect(await wallet.connect.transactionStatus(`0x${'9'.repeat(64)}`, 'ETHEREUM')).to.equal('unknown');
  });

  it('has answers that an earlier load of the page missed', async () => {
    const result = { transactionHash: `0x${'1'.repeat(64)}` };
    const missed = { requestId: 'earlier-1', action: 'transfer', state: 'done', result } as const;
    const wallet = fakeWallet({ pending: [missed] });
    expect(await wallet.connect.pending(() => false)).to.deep.equal([missed]);
    expect(await wallet.connect.resume('earlier-1')).to.deep.equal(result);
    expect(await wallet.connect.pending()).to.deep.equal([]);
    const heard: string[] = [];
    wallet.connect.onPending(({ requestId }) => heard.push(requestId));
    wallet.deliver({ ...missed, requestId: 'earlier-2' });
    expect(heard).to.deep.equal(['earlier-2']);
    const kept = fakeWallet({ linked: [MAIN] });
    await kept.connect.transfer(TRANSFER, { requestId: 'leaving-1', isTaken: () => false });
    expect((await kept.connect.pending()).map(({ requestId }) => requestId)).to.deep.equal(['leaving-1']);
    expect(await kept.connect.pending()).to.deep.equal([]);
  });

  it('tells the page what its user links, unlinks and replaces', async () => {
    const wallet = fakeWallet();
    const heard: unknown[] = [];
    wallet.connect.onWallets((wallets) => heard.push(wallets.map(({ id }) => id)));
    wallet.connect.onReplaced(({ by }) => heard.push(by));
    wallet.link(MAIN);
    wallet.unlink('main');
    wallet.replace({ transactionHash: '0x1', by: '0x2', how: 'cancel' });
    expect(heard).to.deep.equal([['main'], [], '0x2']);
    wallet.link(MAIN);
    await wallet.connect.unlink('main');
    expect(await wallet.connect.wallets()).to.deep.equal([]);
  });

  it('goes on on another network, unless it is told that the user declines', async () => {
    const networks = {
      ETHEREUM: [
        { id: 'ethereum', chainId: 1, name: 'Ethereum', kind: 'mainnet' as const },
        { id: 'base', chainId: 8453, name: 'Base', kind: 'mainnet' as const },
      ],
    };
    const wallet = fakeWallet({ linked: [MAIN], networks, useNetwork: rejected() });
    const ethereum = wallet.connect.provider();
    const toBase = { method: 'wallet_switchEthereumChain', params: [{ chainId: '0x2105' }] };
    expect((await errorOf(ethereum.request(toBase))).code).to.equal(4001);
    wallet.script({ useNetwork: null });
    expect(await ethereum.request(toBase)).to.equal(null);
    await wallet.connect.transfer({ ...TRANSFER, network: 'base' });
    await wallet.connect.sign({ ...SIGN, network: 'base' } as never);
    await wallet.connect.execute({ ...TRANSFER, type: 'TRANSFER', network: 'base' } as never);
    await wallet.connect.executeAll([{ ...TRANSFER, type: 'TRANSFER', network: 'base' } as never]);
    expect(wallet.requests.map(({ action }) => action).slice(-6)).to.deep.equal([
      'useNetwork',
      'useNetwork',
      'transfer',
      'sign',
      'execute',
      'executeAll',
    ]);
  });

  it('is an EIP-1193 provider, with which ethers sends and waits', async () => {
    const wallet = fakeWallet({ nodes: { eth_call: (call: { data: string }) => call.data } });
    const ethereum = wallet.connect.provider();
    const provider = new BrowserProvider(ethereum);
    const signer = await provider.getSigner();
    const sent = await signer.sendTransaction({ to: RECIPIENT, value: 1n });
    expect((await sent.wait())!.status).to.equal(1);
    expect(await provider.call({ to: RECIPIENT, data: '0x1234' })).to.equal('0x1234');
    expect(wallet.requests.map(({ action }) => action)).to.deep.equal(['linkWallets', 'execute']);
    wallet.script({ execute: rejected(), sign: rejected() });
    const refused = await errorOf(
      ethereum.request({ method: 'personal_sign', params: ['0x00', signer.address] }),
    );
    expect(refused.code).to.equal(4001);
    const unknown = await errorOf(ethereum.request({ method: 'eth_getProof', params: [] }));
    expect(unknown.message).to.match(/fakeWallet has no answer to eth_getProof/);
    provider.destroy();
  });

  it('serves the elements', async () => {
    const wallet = fakeWallet({ linked: [MAIN] });
    const element = document.createElement('sign-request');
    Object.assign(element, SIGN, { connect: wallet.connect });
    document.body.append(element);
    await settle(element);
    const results: unknown[] = [];
    element.addEventListener('connect-result', ({ result }) => results.push(result));
    all(element, 'button')[0]!.click();
    await poll(() => results.length === 1, 'the signature');
    element.remove();
  });

  it('is not in a production build, under the same names', () => {
    expect(Object.keys(production).toSorted()).to.deep.equal(Object.keys(published).toSorted());
    for (const refuse of Object.values(production))
      expect(refuse).to.throw(/carabiner\/testing is in a production build/);
  });
});
