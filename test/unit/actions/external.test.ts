import { expect } from '@open-wc/testing';
import { id, Interface, Transaction, verifyMessage, verifyTypedData } from 'ethers';
import { demoWallet } from '../../../demo/wallets/eip6963.ts';
import {
  approve,
  chooseRecipient,
  execute,
  executeAll,
  sign,
  transfer,
} from '../../../src/actions/requests.ts';
import type { Context } from '../../../src/actions/context.ts';
import { linkWallets, unlink } from '../../../src/actions/linked-wallets.ts';
import { loadOthers, whereabouts } from '../../../src/actions/linked-wallets.ts';
import { resumeExternal } from '../../../src/actions/link-external.ts';
import type { Wallet } from '../../../src/api/wallet.ts';
import { hostRecord } from '../../../src/channel/host-record.ts';
import { announce } from '../../../src/provider/announce.ts';
import { lazyProvider } from '../../../src/provider/lazy-provider.ts';
import { TestClock } from '../clock.ts';
import { MAIN } from '../elements/fake-connect.ts';
import { choose, failure, until } from './page.ts';

const FRAME = 'https://external.example';
const TO = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const KEYS = [1, 2].map((n) => `0x${String(n).padStart(64, '0')}`);
const NETWORKS = {
  ETHEREUM: [
    { id: 'ethereum', chainId: 1, name: 'Ethereum mainnet' },
    { id: 'ethereum-local', chainId: 31337, name: 'Local' },
    { id: 'ethereum-far', chainId: 99, name: 'Far' },
  ],
  GOCHAIN: [{ id: 'gochain', chainId: 60, name: 'GoChain' }],
  TRON: [{ id: 'tron', genesis: '00ab', name: 'Tron' }],
  VECHAIN: [{ id: 'vechain', genesis: '0x00cd', name: 'VeChain' }],
};

describe('an external wallet (EIP-6963)', () => {
  let context: Context;
  let clock: TestClock;
  let ended: AbortController;
  /** What our wallet was asked: actions. */
  let ours: string[];
  let built: object[];
  let status: string;
  /** Where transactions were looked for. */
  let watchedOn: unknown[];
  /** Raw transactions that networks got, with the chain that they went to. */
  let sent: Transaction[];
  let refuses: string | undefined;
  let undo: () => void;
  let theirs: ReturnType<typeof demoWallet>;
  let count = 0;
  let name: string;

  const node = (chainId: number) => async (method: string, params: readonly unknown[]) => {
    if (method === 'eth_getTransactionCount') return '0x7';
    if (method === 'eth_estimateGas') return '0x5208';
    if (method === 'eth_gasPrice') return '0x3b9aca00';
    if (method !== 'eth_sendRawTransaction') throw new Error(method);
    const transaction = Transaction.from(String(params[0]));
    expect(Number(transaction.chainId)).to.equal(chainId);
    sent.push(transaction);
    return transaction.hash;
  };

  const host = {
    async read(action: string, params: Record<string, unknown>) {
      if (action === 'rpc')
        return { result: { networks: NETWORKS[params['secretType'] as 'ETHEREUM'], customNodes: true } };
      if (action === 'transactionStatus') {
        watchedOn.push(params['network']);
        return status;
      }
      built.push(params);
      const { walletId, to, value, tokenAddress } = params['body'] as Record<string, string>;
      return tokenAddress
        ? {
            type: 'ETHEREUM_ERC20_TRANSACTION',
            walletId,
            to,
            tokenAddress,
            value: `${value}000000`,
            gas: null,
          }
        : { type: 'ETH_TRANSACTION', walletId, to, value: `${value}000000000000000000`, gas: null };
    },
    async approve(action: string) {
      ours.push(action);
      return [MAIN];
    },
    opensWindow: () => false,
  };

  function open(): Context {
    ended = new AbortController();
    return {
      host,
      record: hostRecord(FRAME, clock),
      reachesVault: async () => false,
      payloads: new Map(),
      options: { theme: 'light' },
      clock,
      ended,
      pendingListeners: new Set(),
      replacedListeners: new Set(),
    } as unknown as Context;
  }

  beforeEach(() => {
    localStorage.clear();
    clock = new TestClock();
    ours = [];
    built = [];
    sent = [];
    watchedOn = [];
    status = 'confirmed';
    refuses = undefined;
    context = open();
    // The page hears of a wallet once, so each test has one of its own.
    name = `Wallet ${++count}`;
    theirs = demoWallet({
      name,
      rdns: `example.wallet${count}`,
      keys: KEYS,
      chainId: 31337,
      nodes: { 31337: node(31337), 60: node(60), 1: node(1) },
      approves: (method) => method !== refuses,
    });
    undo = theirs.announce();
  });
  afterEach(() => {
    undo();
    ended.abort();
    context.record.destroy();
    localStorage.clear();
    expect(document.querySelectorAll('body > div')).to.have.length(0);
  });

  const link = async (params: Parameters<typeof linkWallets>[1] = {}): Promise<Wallet> => {
    const [wallets] = await Promise.all([
      linkWallets(context, params, {}),
      choose(`${name}, browser wallet`),
    ]);
    return wallets.find(({ alias }) => alias === name)!;
  };
  const chooser = () =>
    until(
      () => [...document.body.children].find((it) => it.shadowRoot?.querySelector('dialog h2'))?.shadowRoot,
    );
  const press = async (label: string) => {
    const root = await chooser();
    const button = await until(() =>
      [...root.querySelectorAll('button')].find((it) => (it.ariaLabel ?? it.textContent) === label),
    );
    button.click();
  };

  describe('linking', () => {
    it('is linked beside ours, on its current network, without a window', async () => {
      context.record.setWallets([MAIN]);
      (await loadOthers(context)).othersFor(context, {});
      const wallet = await link();
      expect(wallet).to.deep.include({
        address: theirs.addresses[0],
        walletType: 'EXTERNAL',
        secretType: 'ETHEREUM',
        network: 'ethereum-local',
        status: 'ACTIVE',
      });
      expect(context.record.wallets().map(({ alias }) => alias)).to.deep.equal([
        MAIN.alias,
        name,
        `${name} 2`,
      ]);
      expect(whereabouts(context, wallet.id)).to.deep.equal({
        secretType: 'ETHEREUM',
        address: wallet.address,
        network: 'ethereum-local',
      });
      expect(ours).to.deep.equal([]);
    });

    it('asks for the chain and the network that the page wants', async () => {
      expect(await link({ secretTypes: ['GOCHAIN'] })).to.include({
        secretType: 'GOCHAIN',
        network: 'gochain',
      });
      expect(await link({ network: 'ethereum' })).to.include({ secretType: 'ETHEREUM', network: 'ethereum' });
    });

    it('can refuse, be asked again, or be left for a new wallet of ours', async () => {
      refuses = 'eth_requestAccounts';
      const linking = linkWallets(context, {}, {});
      await choose(`${name}, browser wallet`);
      const root = await chooser();
      await until(() => root.textContent!.includes('Nothing was linked there.'));
      refuses = undefined;
      await press('Ask again');
      expect((await linking).map(({ alias }) => alias)).to.deep.equal([name, `${name} 2`]);

      for (const { id } of context.record.wallets()) await unlink(context, id, {});
      const again = linkWallets(context, {}, {});
      theirs.show([]);
      refuses = 'eth_requestAccounts';
      await choose(`${name}, browser wallet`);
      await press('Back');
      await press('Create a wallet');
      expect(await again).to.deep.equal([MAIN]);
    });

    it('says where to look if nothing opened', async () => {
      let answer: ((yes: boolean) => void) | undefined;
      undo();
      theirs = demoWallet({
        name: (name = `Slow ${count}`),
        rdns: `example.slow${count}`,
        keys: KEYS,
        chainId: 1,
        nodes: { 1: node(1) },
        approves: () => new Promise((resolve) => (answer = resolve)),
      });
      undo = theirs.announce();
      const linking = link();
      const root = await chooser();
      await until(() => root.textContent!.includes('Waiting for the extension'));
      await clock.pass(20_000);
      await until(() => root.textContent!.includes('Click the extension’s icon'));
      (await until(() => answer))(true);
      expect(await linking).to.have.property('alias', name);
    });

    it('lists wallets that announce themselves while the chooser is open, with one-line names and embedded pictures only', async () => {
      const linking = linkWallets(context, { secretTypes: ['ETHEREUM'] }, {});
      const root = await chooser();
      const { provider } = theirs;
      const tell = (info: object, by: object = { ...provider }) =>
        dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider: by } }));
      tell({ name: `Late\n“wallet” www.evil.example ${'x'.repeat(99)}`, icon: 'https://evil.example/a.png' });
      tell({ name: 7 });
      tell({ name: 'No provider' }, {});
      dispatchEvent(new CustomEvent('eip6963:announceProvider'));
      const rows = [...root.querySelectorAll('.other')];
      const late = rows.at(-1)!;
      expect(late.querySelector('.label')!.textContent).to.match(/^Late 'wallet' \[…\] x+…$/);
      expect(late.querySelector('img')).to.equal(null);
      expect(rows.map((row) => row.querySelector('.label')!.textContent)).not.to.include('No provider');
      await press('Close');
      expect(await linking).to.deep.equal([]);
    });

    it('links wallets of Tron and VeChain, each listed once, however they are in the page', async () => {
      const address = 'THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV';
      const tron = {
        isTronLink: true,
        request: async () => [address],
        tronWeb: { defaultAddress: { base58: address }, trx: { getBlockByNumber: async () => ({}) } },
      };
      const vechain = {
        newConnexSigner: () => ({ signCert: async () => ({ annex: { signer: TO.toLowerCase() } }) }),
      };
      Object.assign(window, { tron, vechain });
      const info = { name: 'TronLink', rdns: 'org.tronlink.www' };
      dispatchEvent(new CustomEvent('TIP6963:announceProvider', { detail: { info, provider: { ...tron } } }));
      try {
        for (const [secretType, theirName, expected, network] of [
          ['TRON', 'TronLink', address, 'tron'],
          ['VECHAIN', 'VeWorld', TO, 'vechain'],
        ] as const) {
          const linking = linkWallets(context, { secretTypes: [secretType] }, {});
          const labels = [...(await chooser()).querySelectorAll('.other .label')];
          expect(labels.map(({ textContent }) => textContent)).to.deep.equal([theirName]);
          await choose(`${theirName}, browser wallet`);
          const [wallet] = await linking;
          expect(wallet).to.deep.include({ address: expected, secretType, network, alias: theirName });
        }
      } finally {
        for (const key of ['tron', 'vechain']) Reflect.deleteProperty(window, key);
      }
    });

    it('offers none if the page wants none, and never our own that the page announced', async () => {
      const provider = lazyProvider(
        async () => theirs.provider as never,
        () => {},
        'example.ours',
      );
      announce(
        () => provider,
        { name: 'Ours', rdns: 'example.ours' },
        new URL('https://a.example'),
        ended.signal,
      );
      const linking = linkWallets(context, {}, {});
      expect((await chooser()).textContent)
        .to.include(name)
        .and.not.include('Ours');
      await press('Close');
      await linking;
      for (const off of [
        () => linkWallets(context, { external: 'off' }, {}),
        () => ((context.options.external = 'off'), linkWallets(context, {}, {})),
      ]) {
        const without = off();
        expect((await chooser()).textContent).not.to.include(name);
        await press('Close');
        await without;
      }
    });

    it('refuses invalid addresses', async () => {
      theirs.provider.request = async ({ method }) => (method === 'eth_chainId' ? '0x1' : ['0x1234']);
      const linking = linkWallets(context, {}, {});
      await choose(`${name}, browser wallet`);
      const root = await chooser();
      await until(() => root.textContent!.includes('This wallet cannot be linked here.'));
      await press('Close');
      expect(await linking).to.deep.equal([]);
    });
  });

  describe('linked', () => {
    let wallet: Wallet;
    let stages: unknown[];
    const options = () => ({
      requestId: 'request-1',
      onProgress: (it: { stage: string; transactionHash?: string | undefined }) =>
        stages.push([it.stage, it.transactionHash]),
    });
    beforeEach(async () => {
      stages = [];
      wallet = await link();
    });
    const request = () => ({ walletId: wallet.id, to: TO, value: '2', secretType: 'ETHEREUM' }) as const;

    it('sends coins, with the same stages as ours', async () => {
      const { transactionHash } = await transfer(context, request(), options());
      expect(sent.map(({ hash, to, value, from }) => [hash, to, value, from])).to.deep.equal([
        [transactionHash, TO, 2n * 10n ** 18n, wallet.address],
      ]);
      await until(() => stages.length === 3);
      expect(stages).to.deep.equal([
        ['approval', undefined],
        ['broadcast', transactionHash],
        ['confirmed', transactionHash],
      ]);
      expect(watchedOn).to.deep.equal(['ethereum-local']);
      expect(built).to.have.length(1);
      expect(built[0]).to.deep.include({ address: wallet.address, network: 'ethereum-local' });
    });

    it('names the account and the chain in the request, for wallets that switch by themselves', async () => {
      const real = theirs.provider.request;
      const params: unknown[] = [];
      theirs.provider.request = async (asked) => {
        if (asked.method === 'eth_sendTransaction') params.push(asked.params?.[0]);
        return real(asked);
      };
      await transfer(context, request(), {});
      expect(params).to.have.length(1);
      expect(params[0]).to.include({ from: wallet.address, chainId: '0x7a69' });
    });

    it('asks once for the same request, and conflicts with another of its id', async () => {
      const [first, second] = await Promise.all([
        transfer(context, request(), options()),
        transfer(context, request(), options()),
      ]);
      expect([sent.length, first]).to.deep.equal([1, second]);
      const other = await failure((async () => transfer(context, { ...request(), value: '3' }, options()))());
      expect(other.code).to.equal('request.conflict');
    });

    it('sends tokens as a call of their contract', async () => {
      await transfer(context, { ...request(), tokenAddress: TOKEN }, {});
      const { to, data, value } = sent[0]!;
      expect([to, value]).to.deep.equal([TOKEN, 0n]);
      const erc20 = new Interface(['function transfer(address,uint256)']);
      expect([...erc20.parseTransaction({ data })!.args]).to.deep.equal([TO, 2_000_000n]);
    });

    it('executes a call with the fees that it names', async () => {
      await execute(
        context,
        {
          type: 'ETH_TRANSACTION',
          walletId: wallet.id,
          to: TOKEN,
          value: 5,
          data: '0x1234',
          gas: 90_000,
          nonce: 9,
          maxFeePerGas: '3000000000',
          maxPriorityFeePerGas: '1000000000',
        },
        {},
      );
      expect(sent[0]!.toJSON()).to.deep.include({
        type: 2,
        to: TOKEN,
        data: '0x1234',
        value: '5',
        gasLimit: '90000',
        nonce: 9,
        maxFeePerGas: '3000000000',
        maxPriorityFeePerGas: '1000000000',
      });
    });

    it('sends a list, each after the previous one is confirmed, and says what was sent before a failure', async () => {
      const one = { type: 'ETH_TRANSACTION', walletId: wallet.id, to: TO, value: 1 } as const;
      status = 'pending';
      const both = executeAll(context, [one, { ...one, value: 2 }], {});
      await until(() => clock.waiting > 0);
      expect(sent).to.have.length(1);
      status = 'confirmed';
      await clock.pass(3000);
      expect(await both).to.deep.equal(sent.map(({ hash }) => ({ transactionHash: hash })));

      refuses = undefined;
      status = 'failed';
      const error = await failure(executeAll(context, [one, one], {}));
      expect([error.code, error.details['completed'], sent.length]).to.deep.equal([
        'transaction.refused',
        [{ transactionHash: sent[2]!.hash }],
        3,
      ]);
      const mixed = await failure(executeAll(context, [one, { ...one, walletId: MAIN.id }], {}));
      expect(mixed.code).to.equal('request.invalid');
    });

    it('signs messages and typed data', async () => {
      const { result } = await sign(
        context,
        { type: 'ETHEREUM_RAW', walletId: wallet.id, data: '0x48656c6c6f' },
        {},
      );
      const { r, s, v, signature } = result as { r: string; s: string; v: string; signature: string };
      expect(verifyMessage('Hello', signature)).to.equal(wallet.address);
      expect([r + s.slice(2) + v.slice(2), v]).to.deep.equal([signature, v === '0x1b' ? '0x1b' : '0x1c']);
      const typed = {
        domain: { name: 'Mail', chainId: 31337 },
        types: {
          EIP712Domain: [
            { name: 'name', type: 'string' },
            { name: 'chainId', type: 'uint256' },
          ],
          Mail: [{ name: 'text', type: 'string' }],
        },
        primaryType: 'Mail',
        message: { text: 'Hello' },
      };
      const answer = await sign(
        context,
        { type: 'ETHEREUM_TYPED_DATA', walletId: wallet.id, data: typed },
        {},
      );
      const by = verifyTypedData(
        typed.domain,
        { Mail: typed.types.Mail },
        typed.message,
        (answer.result as { signature: string }).signature,
      );
      expect(by).to.equal(wallet.address);
    });

    it('signs typed data without the type of its domain, as our wallet does', async () => {
      const { id: walletId } = wallet;
      const typed = {
        domain: { name: 'Mail', chainId: 31337 },
        types: { Mail: [{ name: 'size', type: 'uint256' }] },
        primaryType: 'Mail',
        message: { size: 2n ** 200n },
      };
      const { result } = await sign(context, { type: 'ETHEREUM_TYPED_DATA', walletId, data: typed }, {});
      const { signature } = result as { signature: string };
      expect(verifyTypedData(typed.domain, typed.types, typed.message, signature)).to.equal(wallet.address);
      const data = JSON.stringify({ ...typed, message: { size: 1 } }).replace(':1}', ':9007199254740993}');
      const error = await failure(sign(context, { type: 'ETHEREUM_TYPED_DATA', walletId, data }, {}));
      expect([error.code, error.message]).to.deep.equal([
        'request.invalid',
        'data: has a number above 2^53: write it as text, or add EIP712Domain to the types [request.invalid]',
      ]);
    });

    it('switches to the network of the linked wallet, and is refused if it does not know it', async () => {
      const main = await link({ network: 'ethereum' });
      await transfer(context, { ...request(), walletId: main.id }, {});
      expect([theirs.chainId, Number(sent[0]!.chainId)]).to.deep.equal([1, 1]);
      const far = await link({ network: 'ethereum-far' });
      const error = await failure(transfer(context, { ...request(), walletId: far.id }, {}));
      expect([error.code, error.details['chainId'], sent.length]).to.deep.equal([
        'chain.not-supported',
        99,
        1,
      ]);
    });

    it('signs typed data on the network of the linked wallet', async () => {
      const { id: walletId } = await link({ network: 'ethereum' });
      const data = {
        domain: { chainId: 1 },
        types: {
          EIP712Domain: [{ name: 'chainId', type: 'uint256' }],
          Mail: [{ name: 'text', type: 'string' }],
        },
        primaryType: 'Mail',
        message: { text: 'Hello' },
      };
      await sign(context, { type: 'ETHEREUM_TYPED_DATA', walletId, data }, {});
      expect(theirs.chainId).to.equal(1);
    });

    it('gets nothing to send if it only claims to have switched', async () => {
      const main = await link({ network: 'ethereum' });
      const real = theirs.provider.request;
      theirs.provider.request = async (asked) =>
        asked.method === 'wallet_switchEthereumChain' ? null : real(asked);
      const error = await failure(transfer(context, { ...request(), walletId: main.id }, {}));
      expect([error.code, sent.length]).to.deep.equal(['chain.not-supported', 0]);
    });

    it('refuses what its standard does not support', async () => {
      const { id: walletId } = wallet;
      const codes = [];
      for (const call of [
        () =>
          sign(context, { type: 'ETHEREUM_RAW', walletId, data: id('x'), prefix: false, hash: false }, {}),
        () =>
          execute(
            context,
            {
              type: 'ETH_TRANSACTION',
              walletId,
              to: TO,
              value: 1,
              network: { name: 'x', nodeUrl: 'https://x.example', chainId: 5 },
            },
            {},
          ),
        () => chooseRecipient(context, { walletId }, {}),
      ])
        codes.push((await failure((async () => call())())).code);
      expect(codes).to.deep.equal(['chain.not-supported', 'chain.not-supported', 'chain.not-supported']);
      expect(sent).to.have.length(0);
    });

    it('fails as ours does: rejected, not authorised, busy, disconnected, with a false answer', async () => {
      const { request: real } = theirs.provider;
      const fails = (error: unknown) => {
        theirs.provider.request = async (asked) => {
          if (asked.method !== 'eth_sendTransaction') return real(asked);
          if (typeof error === 'string') return error;
          throw error;
        };
        return failure(transfer(context, request(), {}));
      };
      const seen = [];
      for (const code of [4001, 4100, 4200, 4900, -32002]) seen.push((await fails({ code })).code);
      expect(seen).to.deep.equal([
        'user.rejected',
        'wallet.forbidden',
        'chain.not-supported',
        'frame.unreachable',
        'request.conflict',
      ]);
      const refused = await fails(
        Object.assign(new Error('insufficient funds, see www.evil.example'), { code: -32000 }),
      );
      expect([refused.code, refused.details['reason']]).to.deep.equal([
        'transaction.refused',
        'insufficient funds, see […]',
      ]);
      expect((await fails('0x1234')).code).to.equal('internal.error');
      theirs.provider.request = async (asked) => (asked.method === 'eth_accounts' ? [] : real(asked));
      expect((await failure(transfer(context, request(), {}))).code).to.equal('wallet.forbidden');
      expect(sent).to.have.length(0);
      theirs.provider.request = real;
      refuses = 'eth_sendTransaction';
      expect((await failure(transfer(context, request(), {}))).code).to.equal('user.rejected');
      refuses = undefined;
      expect(await transfer(context, request(), {})).to.have.property('transactionHash');
    });

    it('is no longer waited for once the page gives up, without claiming that nothing was signed', async () => {
      const abort = new AbortController();
      const asked = new Promise<void>((resolve) => {
        theirs.provider.request = () => new Promise(() => resolve());
      });
      const given = failure(transfer(context, request(), { signal: abort.signal }));
      await asked;
      abort.abort();
      expect((await given).code).to.equal('frame.unreachable');
    });

    it('follows the accounts that the wallet shows to the page', async () => {
      const addresses = () => context.record.wallets().map(({ address }) => address);
      const [first, second] = theirs.addresses as [string, string];
      theirs.show([second, first]);
      expect(addresses()).to.deep.equal([first, second]);
      theirs.show([second]);
      await until(() => addresses().length === 1);
      expect(addresses()).to.deep.equal([second]);
      theirs.show([first]);
      await until(() => addresses()[0] === first);
      expect(addresses()).to.deep.equal([first]);
      theirs.disconnect();
      expect(context.record.wallets()[0]!.status).to.equal('UNAVAILABLE');
      theirs.show([]);
      await until(() => addresses().length === 0);
    });

    it('survives a reload without a prompt; is unavailable without its extension; is gone once unlinked', async () => {
      ended.abort();
      context.record.destroy();
      context = open();
      const before = context.record.wallets();
      expect(before.map(({ address }) => address)).to.deep.equal(theirs.addresses);
      refuses = 'eth_requestAccounts';
      await resumeExternal(context);
      expect(context.record.wallets()).to.deep.equal(before);
      expect(await transfer(context, request(), {})).to.have.property('transactionHash');

      context.record.change(({ external }) => {
        for (const entry of Object.values(external)) entry.by = 'eip6963 gone.example';
      });
      const looking = resumeExternal(context);
      await until(() => clock.waiting > 0);
      await clock.pass(1000);
      await looking;
      expect(context.record.wallets()[0]!.status).to.equal('UNAVAILABLE');
      for (const each of before) await unlink(context, each.id, {});
      expect(context.record.wallets()).to.deep.equal([]);
      expect(context.record.read().unlinked).to.deep.equal([]);
      expect((await failure((async () => whereabouts(context, wallet.id))())).code).to.equal(
        'wallet.forbidden',
      );
    });

    it('leaves ours to our wallet', async () => {
      context.record.setWallets([MAIN]);
      await approve(context, 'execute', { type: 'ETH_TRANSACTION', walletId: MAIN.id }, {});
      expect(ours).to.deep.equal(['execute']);
      expect(context.record.wallets().map(({ walletType }) => walletType)).to.deep.equal([
        'BROWSER',
        'EXTERNAL',
        'EXTERNAL',
      ]);
    });
  });
});
