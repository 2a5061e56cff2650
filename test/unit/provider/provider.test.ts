import { expect } from '@open-wc/testing';
import type { CallOptions } from '../../../src/actions/types.ts';
import { ConnectError, RequestInvalidError, UserRejectedError } from '../../../src/base/errors.ts';
import { MAIN, SERVED, TRAVEL, VAULT, wallet } from '../elements/fake-connect.ts';
import { failureOf, HASH, idle, OLD_NETWORKS, ProviderWorld, SIGNED, TO } from './world.ts';

const SEPOLIA = wallet('test', 'Test', '0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97', {
  network: 'ethereum-sepolia',
});
const SEND = { from: MAIN.address, to: TO, value: '0xde0b6b3a7640000' };
const SEPOLIA_ID = '0xaa36a7';
const BASE_ID = '0x2105';

describe('a provider', () => {
  let world: ProviderWorld;
  beforeEach(() => (world = new ProviderWorld()));

  describe('and accounts', () => {
    it('shows none before one is linked, and asks for it by linkWallets', async () => {
      expect(await world.ask('eth_accounts')).to.deep.equal([]);
      expect(await world.ask('wallet_getPermissions')).to.deep.equal([]);
      const asking = world.ask('eth_requestAccounts');
      const { action, params, resolve } = await world.asked();
      expect([action, params]).to.deep.equal(['linkWallets', { secretTypes: ['ETHEREUM'], external: 'off' }]);
      world.link(MAIN, TRAVEL, { ...VAULT, archived: true });
      resolve([MAIN]);
      expect(await asking).to.deep.equal([MAIN.address]);
      expect(await world.ask('eth_accounts')).to.deep.equal([MAIN.address]);
      expect(await world.ask('eth_requestAccounts')).to.deep.equal([MAIN.address]);
      expect(world.connect.asked).to.have.length(1);
    });

    it('says 4001 when the user links nothing, whichever way', async () => {
      const closing = failureOf(world.ask('eth_requestAccounts'));
      (await world.asked()).resolve([]);
      expect((await closing).code).to.equal(4001);
      const rejecting = failureOf(world.ask('eth_requestAccounts'));
      (await world.asked(2)).reject(new UserRejectedError());
      expect((await rejecting).code).to.equal(4001);
    });

    it('refuses a second question for accounts while the first is open', async () => {
      const first = failureOf(world.ask('eth_requestAccounts'));
      await world.asked();
      expect((await world.refusal('wallet_requestPermissions', { eth_accounts: {} })).code).to.equal(-32002);
      expect((await world.refusal('eth_requestAccounts')).code).to.equal(-32002);
      world.connect.last.resolve([]);
      await first;
      void world.ask('eth_requestAccounts');
      await world.asked(2);
    });

    it('gives permissions as EIP-2255 has them, and revokes them all', async () => {
      world.link(MAIN, SEPOLIA, TRAVEL);
      const asking = world.ask('wallet_requestPermissions', { eth_accounts: {} });
      const { params, resolve } = await world.asked();
      expect(params).to.deep.equal({ secretTypes: ['ETHEREUM'], external: 'off' });
      resolve([MAIN]);
      const permissions = [
        {
          invoker: location.origin,
          parentCapability: 'eth_accounts',
          caveats: [{ type: 'restrictReturnedAccounts', value: [MAIN.address, SEPOLIA.address] }],
        },
      ];
      expect(await asking).to.deep.equal(permissions);
      expect(await world.ask('wallet_getPermissions')).to.deep.equal(permissions);
      world.listen();
      await idle();
      expect(await world.ask('wallet_revokePermissions', { eth_accounts: {} })).to.equal(null);
      await idle();
      expect(world.connect.unlinked).to.deep.equal(['main', 'test']);
      expect(world.heard.at(-1)).to.deep.equal(['accountsChanged', []]);
      const error = await world.refusal('wallet_requestPermissions', { eth_sign: {} });
      expect([error.code, error.message]).to.deep.equal([
        -32602,
        'params[0].eth_sign is not a permission that this wallet has',
      ]);
    });
  });

  describe('tells listeners', () => {
    it('that accounts are there, and of the network before its accounts', async () => {
      world.listen();
      await idle();
      // Nothing has changed: who is linked already has not just connected.
      expect(world.heard.splice(0)).to.deep.equal([]);
      world.link(SEPOLIA);
      await idle();
      expect(world.heard.splice(0)).to.deep.equal([
        ['chainChanged', SEPOLIA_ID],
        ['connect', { chainId: SEPOLIA_ID }],
        ['accountsChanged', [SEPOLIA.address]],
      ]);
      world.link();
      await idle();
      expect(world.heard.splice(0)).to.deep.equal([
        ['chainChanged', '0x1'],
        ['accountsChanged', []],
      ]);
    });

    it('nothing once they are removed', async () => {
      const heard: unknown[] = [];
      const listener = (value: unknown) => heard.push(value);
      world.provider.on('accountsChanged', listener).removeListener('accountsChanged', listener);
      world.link(MAIN);
      await idle();
      expect(heard).to.deep.equal([]);
    });

    it('that no node answers, with 1013, and that one does again', async () => {
      world.listen();
      await idle();
      world.heard.length = 0;
      world.answers = {
        eth_blockNumber: new ConnectError('node.unreachable', 'None of the 2 nodes can be used.'),
      };
      expect((await world.refusal('eth_blockNumber')).code).to.equal(4901);
      expect((await world.refusal('eth_blockNumber')).code).to.equal(4901);
      world.answers = { eth_blockNumber: '0x10' };
      expect(await world.ask('eth_blockNumber')).to.equal('0x10');
      await idle();
      expect(world.heard).to.deep.equal([
        ['disconnect', 1013],
        ['connect', { chainId: '0x1' }],
      ]);
    });

    it('that the page ended its connect', async () => {
      world.listen();
      await idle();
      world.ended.abort();
      await idle();
      expect(world.heard.at(-1)).to.deep.equal(['disconnect', 4900]);
      expect((await world.refusal('eth_chainId')).code).to.equal(4900);
    });
  });

  describe('and signatures', () => {
    beforeEach(() => world.link(MAIN, VAULT));
    const signing = async (method: string, ...params: unknown[]) => {
      const before = world.connect.asked.length;
      const answer = world.ask(method, ...params);
      const request = await world.asked(before + 1);
      request.resolve(SIGNED);
      expect(await answer).to.equal('0x99');
      return request.params;
    };

    it('takes a message as text or bytes, and an address in either place', async () => {
      const message = {
        type: 'ETHEREUM_RAW',
        walletId: 'vault',
        data: '0x48656c6c6f',
        network: 'ethereum',
      };
      expect(await signing('personal_sign', 'Hello', VAULT.address)).to.deep.equal(message);
      expect(await signing('personal_sign', '0x48656c6c6f', VAULT.address.toLowerCase())).to.deep.equal(
        message,
      );
      expect(await signing('personal_sign', VAULT.address, '0x48656c6c6f')).to.deep.equal(message);
      // Bytes of that many digits, though they look like an address.
      expect(await signing('personal_sign', TO, VAULT.address)).to.deep.equal({ ...message, data: TO });
      // An odd number of digits is a text.
      expect(await signing('personal_sign', '0x1', VAULT.address)).to.deep.equal({
        ...message,
        data: '0x307831',
      });
    });

    it('takes typed data as an object or its JSON', async () => {
      const data = { types: {}, primaryType: 'Mail', domain: { chainId: 1n }, message: {} };
      const text = '{"types":{},"primaryType":"Mail","domain":{"chainId":"1"},"message":{}}';
      const request = {
        type: 'ETHEREUM_TYPED_DATA',
        walletId: 'main',
        data: text,
        network: 'ethereum',
        unsignedFields: 'omit',
      };
      expect(await signing('eth_signTypedData_v4', MAIN.address, data)).to.deep.equal(request);
      expect(await signing('eth_signTypedData_v4', MAIN.address, text)).to.deep.equal(request);
    });

    it('asks an older wallet, which does not know that something can be left out, again without', async () => {
      world.networks = OLD_NETWORKS;
      const answer = world.ask('eth_signTypedData_v4', MAIN.address, '{}');
      (await world.asked()).reject(
        new RequestInvalidError([{ path: 'unsignedFields', message: 'is not a parameter of this action' }]),
      );
      const { params, resolve } = await world.asked();
      expect(params).to.deep.equal({ type: 'ETHEREUM_TYPED_DATA', walletId: 'main', data: '{}' });
      resolve({ type: 'ETHEREUM_TYPED_DATA', result: { signature: '0x01' } });
      expect(await answer).to.equal('0x01');
    });

    it('names the field that the wallet refuses', async () => {
      const answer = failureOf(world.ask('eth_signTypedData_v4', MAIN.address, '{}'));
      (await world.asked()).reject(
        new RequestInvalidError([{ path: 'data.message.to', message: 'is missing' }]),
      );
      const { code, message, data } = await answer;
      expect([code, message]).to.deep.equal([-32602, 'params[1].message.to is missing']);
      expect(data).to.deep.equal({
        code: 'request.invalid',
        details: { issues: [{ path: 'params[1].message.to', message: 'is missing' }] },
      });
    });

    it('says 4100 for an address that is not linked, and 4200 for what is never signed', async () => {
      expect((await world.refusal('personal_sign', '0x00', TO)).code).to.equal(4100);
      for (const method of ['eth_sign', 'eth_signTransaction', 'eth_signTypedData', 'eth_signTypedData_v3'])
        expect((await world.refusal(method, MAIN.address, '0x00')).code, method).to.equal(4200);
      expect(world.connect.asked).to.have.length(0);
    });

    it('is of GoChain on GoChain', async () => {
      world = new ProviderWorld('GOCHAIN');
      world.networks = {
        networks: [{ id: 'gochain', chainId: 60, name: 'GoChain', kind: 'mainnet' }],
        customNodes: false,
      };
      world.link(MAIN, { ...VAULT, secretType: 'GOCHAIN' });
      expect(await world.ask('eth_chainId')).to.equal('0x3c');
      expect(await world.ask('net_version')).to.equal('60');
      expect(await signing('personal_sign', '0x00', VAULT.address)).to.include({ type: 'GOCHAIN_RAW' });
      void world.ask('eth_sendTransaction', { ...SEND, from: VAULT.address }).catch(() => {});
      expect((await world.asked(2)).params).to.include({ type: 'GO_TRANSACTION', walletId: 'vault' });
    });
  });

  describe('and transactions', () => {
    beforeEach(() => world.link(MAIN));

    it('sends what the page asked for, exactly, and answers the hash', async () => {
      const answer = world.ask('eth_sendTransaction', {
        ...SEND,
        data: '0xAB',
        input: '0xab',
        gasLimit: '0x5208',
        maxFeePerGas: '0x3b9aca00',
        maxPriorityFeePerGas: '0x1',
        nonce: '0x0',
        type: '0x2',
        chainId: '0x1',
        gasPrice: null,
      });
      const { action, params, resolve } = await world.asked();
      expect([action, params]).to.deep.equal([
        'execute',
        {
          type: 'ETH_TRANSACTION',
          walletId: 'main',
          to: TO,
          value: '1000000000000000000',
          data: '0xab',
          gas: '21000',
          maxFeePerGas: '1000000000',
          maxPriorityFeePerGas: '1',
          nonce: '0',
          network: 'ethereum',
        },
      ]);
      resolve({ transactionHash: HASH });
      expect(await answer).to.equal(HASH);
    });

    it('names a value that is wrong before it looks for the account', async () => {
      const from = TO;
      expect((await world.refusal('eth_sendTransaction', { from, to: 'x' })).message).to.match(
        /^params\[0\]\.to /,
      );
      expect((await world.refusal('eth_sendTransaction', { from, to: TO })).code).to.equal(4100);
    });

    it('names every field that is wrong, before anybody is asked', async () => {
      const wrong: [change: object, message: string][] = [
        [{ value: '1' }, 'params[0].value must be a quantity in hex, such as 0x5208'],
        [{ value: 1.5 }, 'params[0].value must be a quantity in hex, such as 0x5208'],
        [{ to: '0x12' }, 'params[0].to must be an address: 0x and 40 hex digits'],
        [{ data: '0x1' }, 'params[0].data must be bytes in hex: 0x and two digits each'],
        [{ data: '0x01', input: '0x02' }, 'params[0].input must be the same as data, or absent'],
        [{ gas: '0x1', gasLimit: '0x2' }, 'params[0].gasLimit must be the same as gas, or absent'],
        [{ type: '0x4' }, 'params[0].type must be 0x0, 0x1 or 0x2, or absent'],
        [{ authorizationList: [] }, 'params[0].authorizationList is not supported; leave it out'],
        [{ chainId: '0x5' }, 'params[0].chainId is 5, but the wallet is on 1: switch it first'],
      ];
      for (const [change, message] of wrong) {
        const error = await world.refusal('eth_sendTransaction', { ...SEND, ...change });
        expect([error.code, error.message]).to.deep.equal([-32602, message]);
      }
      expect((await world.refusal('eth_sendTransaction', { ...SEND, from: TO })).code).to.equal(4100);
      expect((await world.refusal('eth_sendTransaction')).code).to.equal(-32602);
      expect(world.connect.asked).to.have.length(0);
    });

    it('fails with a code after which no library asks again', async () => {
      const codes = [
        [new UserRejectedError(), 4001],
        [new RequestInvalidError([{ path: 'gas', message: 'must be at least 21000' }]), -32602],
        [new ConnectError('wallet.forbidden', 'No.'), 4100],
        [new ConnectError('pincode.locked', 'No.'), 4100],
        [new ConnectError('chain.not-supported', 'No.'), 4200],
        [new ConnectError('frame.blocked', 'No.'), 4900],
        [new ConnectError('frame.unreachable', 'No.'), 4900],
        [new ConnectError('internal.error', 'No.'), 4900],
        [new ConnectError('node.unreachable', 'No.'), 4901],
        [new ConnectError('transaction.refused', 'No.'), -32003],
        [new ConnectError('transaction.insufficient-funds', 'No.'), -32003],
        [new ConnectError('request.rate-limited', 'No.'), -32002],
        [new TypeError('a bug'), 4900],
      ] as const;
      for (const [index, [error, code]] of codes.entries()) {
        const answer = failureOf(world.ask('eth_sendTransaction', SEND));
        (await world.asked(index + 1)).reject(error);
        const failure = await answer;
        expect(failure.code, String(error)).to.equal(code);
        if (error instanceof ConnectError) expect(failure.data?.code).to.equal(error.code);
      }
      expect((await world.refusal('wallet_sendTransaction', SEND)).code).to.equal(-32601);
    });
  });

  describe('asks after the click is over', () => {
    type Blocked = Parameters<NonNullable<CallOptions['onBlocked']>>[0];
    const block = (options: CallOptions, reason: Blocked['reason'] = 'popup') => {
      const pressed: string[] = [];
      options.onBlocked!({
        reason,
        open: () => void pressed.push('open'),
        cancel: () => void pressed.push('cancel'),
      });
      return pressed;
    };
    beforeEach(() => world.link(MAIN));

    it('by a button of the page; the call stays open, and a second one gets -32002', async () => {
      const sending = world.ask('eth_sendTransaction', SEND);
      const { options, resolve } = await world.asked();
      const pressed = block(options);
      expect(world.notices).to.have.length(1);
      await world.clock.pass(6000);
      expect((await world.refusal('eth_sendTransaction', SEND)).code).to.equal(-32002);
      expect((await world.refusal('personal_sign', '0x00', MAIN.address)).code).to.equal(-32002);
      expect(await world.ask('eth_accounts')).to.deep.equal([MAIN.address]);
      world.notices[0]!.blocked.open();
      expect([pressed, world.notices]).to.deep.equal([['open'], []]);
      // The wallet is open: others may queue up behind it.
      void world.ask('eth_sendTransaction', SEND).catch(() => {});
      await world.asked(2);
      resolve({ transactionHash: HASH });
      expect(await sending).to.equal(HASH);
    });

    it('once more where the browser blocks the window again, and no more after Cancel', async () => {
      const sending = failureOf(world.ask('eth_sendTransaction', SEND));
      const { options, reject } = await world.asked();
      block(options);
      world.notices[0]!.blocked.open();
      const pressed = block(options);
      expect(world.notices).to.have.length(1);
      world.notices[0]!.blocked.cancel();
      reject(new UserRejectedError());
      expect((await sending).code).to.equal(4001);
      expect([pressed, world.notices]).to.deep.equal([['cancel'], []]);
    });

    it('and takes others while a window is only behind, until it is answered', async () => {
      void world.ask('eth_sendTransaction', SEND).catch(() => {});
      const { options } = await world.asked();
      block(options, 'behind');
      expect(world.notices).to.have.length(1);
      void world.ask('eth_sendTransaction', SEND).catch(() => {});
      await world.asked(2);
      options.onProgress!({ requestId: 'one', stage: 'approval' });
      expect(world.notices).to.have.length(1);
      options.onProgress!({ requestId: 'one', stage: 'signing' });
      expect(world.notices).to.have.length(0);
    });
  });

  describe('and networks', () => {
    it('is on that of the wallet, and asks before it uses another: the accounts stay', async () => {
      world.link(MAIN, SEPOLIA);
      world.listen();
      expect(await world.ask('eth_chainId')).to.equal('0x1');
      const accounts = await world.ask('eth_accounts');
      expect(accounts).to.deep.equal([MAIN.address, SEPOLIA.address]);
      await idle();
      world.heard.length = 0;
      // Before the answer, or wagmi would wait for ever.
      const order: unknown[] = [];
      world.provider.on('chainChanged', (chainId) => order.push(chainId));
      const switching = world.ask('wallet_switchEthereumChain', { chainId: BASE_ID });
      const { action, params, resolve } = await world.asked();
      expect([action, params]).to.deep.equal(['useNetwork', { secretType: 'ETHEREUM', network: 'base' }]);
      expect(await world.ask('eth_chainId'), 'not yet').to.equal('0x1');
      resolve(null);
      await switching.then((answer) => order.push(answer));
      expect(order).to.deep.equal([BASE_ID, null]);
      expect(world.heard).to.deep.equal([['chainChanged', BASE_ID]]);
      expect(await world.ask('eth_accounts')).to.deep.equal(accounts);
      expect(await world.ask('wallet_switchEthereumChain', { chainId: BASE_ID })).to.equal(null);
      await world.ask('eth_getBalance', MAIN.address, 'latest');
      expect(world.reads).to.deep.equal(['eth_getBalance base']);
      // After a reload, too.
      const again = new ProviderWorld('ETHEREUM', world.origin);
      again.link(MAIN);
      expect(await again.ask('eth_chainId')).to.equal(BASE_ID);
    });

    it('stays where it is when the user declines, and says 4001', async () => {
      world.link(MAIN);
      world.listen();
      const staying = failureOf(world.ask('wallet_switchEthereumChain', { chainId: BASE_ID }));
      (await world.asked()).reject(new UserRejectedError());
      expect((await staying).code).to.equal(4001);
      expect(await world.ask('eth_chainId')).to.equal('0x1');
      expect(world.heard).to.deep.equal([]);
      void world.ask('wallet_switchEthereumChain', { chainId: BASE_ID }).catch(() => {});
      await world.asked(2);
    });

    /** Switches, and answers whether the user was asked. */
    const switchTo = async (chainId: string, on = world): Promise<boolean> => {
      const before = on.connect.asked.length;
      const switching = on.ask('wallet_switchEthereumChain', { chainId }).then(() => 'done' as const);
      const first = await Promise.race([switching, on.asked(before + 1)]);
      if (first === 'done') return false;
      on.connect.last.resolve(null);
      await switching;
      return true;
    };

    it('asks once per mainnet, and each time where a test network is involved', async () => {
      world.link(MAIN);
      expect(await switchTo(BASE_ID)).to.equal(true);
      expect(await switchTo('0x1'), 'where the page began').to.equal(false);
      expect(await switchTo(BASE_ID)).to.equal(false);
      for (let time = 0; time < 2; time++) {
        expect(await switchTo(SEPOLIA_ID), 'to a test network').to.equal(true);
        expect(await switchTo(BASE_ID), 'back to real money').to.equal(true);
      }
      const again = new ProviderWorld('ETHEREUM', world.origin);
      again.link(MAIN);
      expect(await switchTo('0x1', again), 'after a reload').to.equal(false);
      await again.ask('wallet_revokePermissions', { eth_accounts: {} });
      again.link(MAIN);
      expect(await switchTo(BASE_ID, again), 'after the user took everything back').to.equal(true);
    });

    it('reads what 0.1.0 stored, and asks where what is stored is nonsense', async () => {
      const key = `carabiner:provider:1:${world.origin}:ETHEREUM`;
      localStorage.setItem(key, JSON.stringify({ network: 'base', batches: {} }));
      const old = new ProviderWorld('ETHEREUM', world.origin);
      old.link(MAIN);
      expect(await old.ask('eth_chainId')).to.equal(BASE_ID);
      expect(await switchTo('0x1', old)).to.equal(true);
      expect(await switchTo(BASE_ID, old)).to.equal(false);
      for (const used of ['ethereum', { 0: 'ethereum' }, [1, null, ['ethereum']], 7]) {
        localStorage.setItem(key, JSON.stringify({ network: 'base', used }));
        const odd = new ProviderWorld('ETHEREUM', world.origin);
        odd.link(MAIN);
        expect(await switchTo('0x1', odd), JSON.stringify(used)).to.equal(true);
      }
      localStorage.setItem(key, '{"used":');
      const broken = new ProviderWorld('ETHEREUM', world.origin);
      broken.link(MAIN);
      expect(await switchTo(BASE_ID, broken)).to.equal(true);
    });

    it('gives each request the network that the page was on when it asked', async () => {
      world.link(MAIN);
      const first = world.ask('eth_sendTransaction', SEND);
      const { params, resolve } = await world.asked();
      expect((params as { network: string }).network).to.equal('ethereum');
      // The first approval is still open.
      expect(await switchTo(BASE_ID)).to.equal(true);
      void world.ask('eth_sendTransaction', SEND).catch(() => {});
      expect(((await world.asked(3)).params as { network: string }).network).to.equal('base');
      expect((params as { network: string }).network).to.equal('ethereum');
      resolve({ transactionHash: HASH });
      expect(await first).to.equal(HASH);
    });

    it('of a wallet of 0.1.0 is each wallet’s own: the user links one there, and no request names it', async () => {
      world.networks = OLD_NETWORKS;
      world.link(MAIN);
      const staying = failureOf(world.ask('wallet_switchEthereumChain', { chainId: SEPOLIA_ID }));
      expect((await world.asked()).params).to.deep.equal({
        secretTypes: ['ETHEREUM'],
        network: 'ethereum-sepolia',
        external: 'off',
      });
      world.connect.last.resolve([MAIN]);
      expect((await staying).code).to.equal(4001);
      expect(await world.ask('eth_chainId')).to.equal('0x1');
      const switching = world.ask('wallet_switchEthereumChain', { chainId: SEPOLIA_ID });
      await world.asked(2);
      world.link(MAIN, SEPOLIA);
      world.connect.last.resolve([SEPOLIA]);
      expect(await switching).to.equal(null);
      expect(await world.ask('eth_accounts')).to.deep.equal([SEPOLIA.address]);
      void world.ask('eth_sendTransaction', { ...SEND, from: SEPOLIA.address }).catch(() => {});
      expect((await world.asked(3)).params).to.not.have.property('network');
      void world.ask('personal_sign', '0x00', SEPOLIA.address).catch(() => {});
      expect((await world.asked(4)).params).to.not.have.property('network');
    });

    it('may be switched before anything is linked, and then links there', async () => {
      expect(await world.ask('wallet_switchEthereumChain', { chainId: SEPOLIA_ID })).to.equal(null);
      expect(await world.ask('eth_chainId')).to.equal(SEPOLIA_ID);
      void world.ask('eth_requestAccounts').catch(() => {});
      expect((await world.asked()).params).to.deep.equal({
        secretTypes: ['ETHEREUM'],
        network: 'ethereum-sepolia',
        external: 'off',
      });
    });

    it('says 4902 for one that is not there, and adds none unless the wallet allows it', async () => {
      expect((await world.refusal('wallet_switchEthereumChain', { chainId: '0x5' })).code).to.equal(4902);
      expect((await world.refusal('wallet_switchEthereumChain', { chainId: '0x05' })).code).to.equal(-32602);
      const chain = {
        chainId: '0x5',
        chainName: 'Five',
        nativeCurrency: { name: 'Five', symbol: 'FIV', decimals: 18 },
        rpcUrls: ['https://five.example'],
        blockExplorerUrls: null,
      };
      expect((await world.refusal('wallet_addEthereumChain', chain)).code).to.equal(4200);
      const wrong: [change: object, message: string][] = [
        [{ rpcUrls: [] }, 'params[0].rpcUrls must be a list of at least one URL'],
        [{ rpcUrls: ['http://five.example'] }, 'params[0].rpcUrls[0] must be an https URL'],
        [{ rpcUrls: ['https://five.example', 'file:///a'] }, 'params[0].rpcUrls[1] must be an https URL'],
        [{ chainName: '' }, 'params[0].chainName is required: a text'],
        [{ nativeCurrency: null }, 'params[0].nativeCurrency must be an object'],
        [{ nativeCurrency: { symbol: 'FIV', decimals: 8 } }, 'params[0].nativeCurrency.decimals must be 18'],
      ];
      for (const [change, message] of wrong) {
        const error = await world.refusal('wallet_addEthereumChain', { ...chain, ...change });
        expect([error.code, error.message]).to.deep.equal([-32602, message]);
      }
      // What is there need not be added.
      expect(await world.ask('wallet_addEthereumChain', { ...chain, chainId: '0x1' })).to.equal(null);
      expect(world.reads).to.deep.equal([]);
    });

    it('adds one on this machine for a page on it, which the test is on, and leaves the rest to the wallet', async () => {
      world = new ProviderWorld();
      world.networks = { ...world.networks, customNodes: true };
      const chain = {
        chainId: '0x5',
        chainName: 'Five',
        nativeCurrency: { name: 'Five', symbol: 'FIV', decimals: 18 },
        rpcUrls: ['http://localhost:8545'],
      };
      expect(await world.ask('wallet_addEthereumChain', chain)).to.equal(null);
      expect(world.reads).to.have.length(1);
    });

    it('adds one whose node is of that chain, for browser wallets, and requests name its node', async () => {
      world = new ProviderWorld();
      world.networks = { ...world.networks, customNodes: true };
      world.link(MAIN, SERVED);
      const chain = {
        chainId: '0x5',
        chainName: 'Five',
        nativeCurrency: { name: 'Five', symbol: 'FIV', decimals: 18 },
        rpcUrls: ['https://five.example'],
      };
      world.answers = {
        eth_blockNumber: new ConnectError('node.unreachable', 'It answers for chain id 6, not 5.'),
      };
      const error = await world.refusal('wallet_addEthereumChain', chain);
      expect(error.code).to.equal(-32602);
      expect(error.message).to.match(/^params\[0\]\.rpcUrls\[0\] is not a node of chain id 5/);
      world.answers = {};
      expect(await world.ask('wallet_addEthereumChain', chain)).to.equal(null);
      expect(await world.ask('eth_chainId')).to.equal('0x1');
      await world.ask('wallet_switchEthereumChain', { chainId: '0x5' });
      expect(await world.ask('eth_accounts')).to.deep.equal([MAIN.address]);
      void world.ask('eth_sendTransaction', SEND).catch(() => {});
      expect((await world.asked()).params).to.include({ walletId: 'main' });
      expect((world.connect.last.params as { network: unknown }).network).to.deep.equal({
        name: 'Five',
        nodeUrl: 'https://five.example',
        chainId: 5,
      });
    });
  });

  it('passes listed reads on, with the node’s own refusals, and says of others what ethers understands', async () => {
    world.answers = { eth_call: new Error('execution reverted'), eth_getBalance: '0x1' };
    expect(await world.ask('eth_getBalance', TO, 'latest')).to.equal('0x1');
    const reverted = await world.refusal('eth_call', { to: TO }, 'latest');
    expect([reverted.code, reverted.message, reverted.data]).to.deep.equal([
      3,
      'execution reverted',
      '0x08c379a0',
    ]);
    const missing = await world.refusal('eth_newFilter', {});
    expect([missing.code, missing.message]).to.deep.equal([
      4200,
      'the method eth_newFilter does not exist/is not available',
    ]);
    expect((await world.refusal('toString')).code).to.equal(4200);
    expect((await failureOf(world.provider.request({} as never))).code).to.equal(-32602);
  });

  it('knows the tokens that the operator lists', async () => {
    const asset = (options: object) => ({
      method: 'wallet_watchAsset',
      params: { type: 'ERC20', options: { address: TO, symbol: 'USDC', decimals: 6, ...options } },
    });
    world.answers = { carabiner_listed: ([address]: unknown[]) => address === TO };
    expect(await world.provider.request(asset({}))).to.equal(true);
    expect(await world.provider.request(asset({ address: MAIN.address }))).to.equal(false);
    for (const decimals of [18, '18', '0x12', 0, '0', 255]) await world.provider.request(asset({ decimals }));
    for (const [field, options] of [
      ['address', { address: '0x1' }],
      ['address', { address: undefined }],
      ['symbol', { symbol: '' }],
      ['symbol', { symbol: 'x'.repeat(33) }],
      ...[256, -1, 1.5, 'many', '', '1e2', true].map((decimals) => ['decimals', { decimals }] as const),
    ] as const) {
      const { code, message } = await failureOf(world.provider.request(asset(options)));
      expect(code).to.equal(-32602);
      expect(message).to.match(new RegExp(`^params\\.options\\.${field} (must|is required)`));
    }
    const item = { method: 'wallet_watchAsset', params: { type: 'ERC721', options: { address: TO } } };
    expect((await failureOf(world.provider.request(item))).message).to.equal(
      'params.type is ERC721, but must be ERC20',
    );
  });

  it('says who signed a message, without asking anybody', async () => {
    const seen: unknown[] = [];
    world.answers = { carabiner_signer: (params: unknown[]) => (seen.push(params), MAIN.address) };
    expect(await world.ask('personal_ecRecover', 'Hello', '0x99')).to.equal(MAIN.address);
    await world.ask('personal_ecRecover', '0x48656c6c6f', '0x99');
    expect(seen).to.deep.equal([
      ['0x48656c6c6f', '0x99'],
      ['0x48656c6c6f', '0x99'],
    ]);
    expect((await world.refusal('personal_ecRecover', 'Hello')).code).to.equal(-32602);
    expect((await world.refusal('personal_ecRecover', 'Hello', 'x')).message).to.match(
      /^params\[1\] must be bytes/,
    );
    expect(world.connect.asked).to.deep.equal([]);
  });
});
