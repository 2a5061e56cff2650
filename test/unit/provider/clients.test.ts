/** Libraries as they are, through their own documented calls. The wallet and its nodes are the test's. */
import { expect } from '@open-wc/testing';
import { BrowserProvider, type Eip1193Provider } from 'ethers/providers';
import { createWalletClient, custom, publicActions } from 'viem';
import { mainnet, sepolia } from 'viem/chains';
import { ConnectError, UserRejectedError } from '../../../src/base/errors.ts';
import { MAIN, VAULT } from '../elements/fake-connect.ts';
import { ANSWERS, failureOf, HASH, idle, ProviderWorld, SIGNED, TO } from './world.ts';

const SIGNATURE = `0x${'11'.repeat(64)}1b`;
const TYPED = {
  domain: { name: 'Mail', chainId: 1 },
  types: { Mail: [{ name: 'text', type: 'string' }] },
  primaryType: 'Mail',
  message: { text: 'Hello' },
} as const;

describe('a library that knows only EIP-1193', () => {
  let world: ProviderWorld;
  beforeEach(() => {
    world = new ProviderWorld();
    world.answers = { ...ANSWERS };
  });
  /** The wallet answers the next request. */
  const answer = async (result: unknown, count = world.connect.asked.length + 1) => {
    const request = await world.asked(count);
    if (result instanceof Error) request.reject(result);
    else request.resolve(result);
    return request;
  };
  const linkBy = async (connecting: Promise<unknown>) => {
    await world.asked();
    world.link(MAIN);
    await answer([MAIN], 1);
    return connecting;
  };
  const signed = { ...SIGNED, result: { ...SIGNED.result, signature: SIGNATURE } };

  describe('ethers', () => {
    let provider: BrowserProvider;
    beforeEach(() => (provider = new BrowserProvider(world.provider as Eip1193Provider, 'any')));
    afterEach(() => provider.destroy());

    it('links, signs, and sends with its own estimate', async () => {
      const linking = provider.getSigner();
      await linkBy(linking);
      const signer = await linking;
      expect(await signer.getAddress()).to.equal(MAIN.address);

      const signing = signer.signMessage('Hello');
      expect((await answer(signed)).params).to.include({ type: 'ETHEREUM_RAW', data: '0x48656c6c6f' });
      expect(await signing).to.equal(SIGNATURE);

      const { domain, types, message } = TYPED;
      const typing = signer.signTypedData(domain, { Mail: [...types.Mail] }, message);
      expect((await answer(signed)).params).to.include({ type: 'ETHEREUM_TYPED_DATA' });
      expect(await typing).to.equal(SIGNATURE);

      const sending = signer.sendTransaction({ to: TO, value: 1n });
      const { params } = await answer({ transactionHash: HASH });
      expect(params).to.deep.equal({
        type: 'ETH_TRANSACTION',
        walletId: 'main',
        to: TO.toLowerCase(),
        value: '1',
        gas: '21000',
        network: 'ethereum',
      });
      expect((await sending).hash).to.equal(HASH);
      expect((await provider.getTransactionReceipt(HASH))?.status).to.equal(1);
    });

    it('reports a rejection as one, and asks once', async () => {
      world.link(MAIN);
      const signer = await provider.getSigner();
      const sending = failureOf(signer.sendTransaction({ to: TO, value: 1n }));
      await answer(new UserRejectedError());
      expect((await sending).code).to.equal('ACTION_REJECTED');
      expect(world.connect.asked).to.have.length(1);
    });

    it('polls where there are no filters, and follows the network', async () => {
      world.link(MAIN);
      expect((await provider.getNetwork()).chainId).to.equal(1n);
      const missing = await failureOf(provider.send('eth_newFilter', [{}]));
      expect(missing.code).to.equal('UNSUPPORTED_OPERATION');
      const switching = provider.send('wallet_switchEthereumChain', [{ chainId: '0xaa36a7' }]);
      await answer(null);
      await switching;
      // The first time ethers answers what it expected, and takes note of what it found.
      await provider.getNetwork();
      expect((await provider.getNetwork()).chainId).to.equal(11155111n);
    });
  });

  describe('viem', () => {
    const client = () =>
      createWalletClient({ chain: mainnet, transport: custom(world.provider) }).extend(publicActions);
    const account = MAIN.address as `0x${string}`;

    it('links, signs, sends and waits', async () => {
      const viem = client();
      const linking = viem.requestAddresses();
      await linkBy(linking);
      expect(await linking).to.deep.equal([account]);
      expect(await viem.getPermissions()).to.have.length(1);

      const signing = viem.signMessage({ account, message: 'Hello' });
      expect((await answer(signed)).params).to.include({ type: 'ETHEREUM_RAW', data: '0x48656c6c6f' });
      expect(await signing).to.equal(SIGNATURE);
      const typing = viem.signTypedData({ account, ...TYPED });
      expect((await answer(signed)).params).to.include({ type: 'ETHEREUM_TYPED_DATA' });
      expect(await typing).to.equal(SIGNATURE);

      const sending = viem.sendTransaction({ account, to: TO, value: 1n });
      expect((await answer({ transactionHash: HASH })).params).to.include({ walletId: 'main', value: '1' });
      expect(await sending).to.equal(HASH);
      expect((await viem.waitForTransactionReceipt({ hash: HASH as `0x${string}` })).status).to.equal(
        'success',
      );
    });

    it('asks once, whatever the wallet says', async () => {
      world.link(MAIN);
      const failures = [
        [new UserRejectedError(), 'UserRejectedRequestError'],
        [new ConnectError('transaction.refused', 'The node said no.'), 'TransactionRejectedRpcError'],
        [new ConnectError('internal.error', 'Something went wrong.'), 'ProviderDisconnectedError'],
        [new ConnectError('pincode.locked', 'Locked.'), 'UnauthorizedProviderError'],
      ] as const;
      for (const [index, [error, name]] of failures.entries()) {
        const sending = failureOf(client().sendTransaction({ account, to: TO, value: 1n }));
        await answer(error);
        const { cause } = (await sending) as unknown as { cause: Error & { cause?: Error } };
        expect(world.connect.asked).to.have.length(index + 1);
        expect([cause.name, cause.cause?.name], String(error)).to.include(name);
      }
    });

    it('shows the first failure where it tries another method', async () => {
      world.link(MAIN);
      const sending = failureOf(
        client().request({
          method: 'eth_sendTransaction',
          params: [{ from: account, to: TO, value: '1' as never }],
        }),
      );
      expect((await sending).message).to.contain('params[0].value must be a quantity in hex');
      const whole = failureOf(
        client().sendTransaction({ account: VAULT.address as `0x${string}`, to: TO, value: 1n }),
      );
      expect((await whole).message).to.contain('not an account that is linked');
      expect(world.connect.asked).to.have.length(0);
    });

    it('switches networks, and learns that one is not there', async () => {
      world.link(MAIN);
      const viem = client();
      const switching = viem.switchChain({ id: sepolia.id });
      await answer(null);
      await switching;
      expect(await viem.getChainId()).to.equal(sepolia.id);
      expect((await failureOf(viem.switchChain({ id: 5 }))).code).to.equal(4902);
      expect((await failureOf(viem.addChain({ chain: { ...mainnet, id: 5 } }))).code).to.equal(4200);
    });

    it('sends batches and follows them', async () => {
      world.link(MAIN);
      const viem = client();
      expect(await viem.getCapabilities({ account })).to.deep.equal({
        1: { atomic: { status: 'unsupported' } },
        8453: { atomic: { status: 'unsupported' } },
        11155111: { atomic: { status: 'unsupported' } },
      });
      const sending = viem.sendCalls({
        account,
        calls: [
          { to: TO, value: 1n },
          { to: TO, data: '0xab' },
        ],
      });
      const second = `0x${'cd'.repeat(32)}`;
      expect((await answer([{ transactionHash: HASH }, { transactionHash: second }])).action).to.equal(
        'executeAll',
      );
      const { id } = await sending;
      const { status, receipts, atomic } = await viem.getCallsStatus({ id });
      expect([status, receipts?.length, atomic]).to.deep.equal(['success', 2, false]);
      const atomically = viem.sendCalls({ account, calls: [{ to: TO }], forceAtomic: true });
      expect(((await failureOf(atomically)) as unknown as { cause: Error }).cause.name).to.equal(
        'AtomicityNotSupportedError',
      );
    });
  });

  it('hears of its events in the page’s own time', async () => {
    world.listen();
    await idle();
    world.link(MAIN);
    await idle();
    expect(world.heard.at(-1)).to.deep.equal(['accountsChanged', [MAIN.address]]);
  });
});
