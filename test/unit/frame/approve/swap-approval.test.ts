import { expect } from '@open-wc/testing';
import type { Part, Summary, Warning } from '../../../../src/chains/approval/summary.ts';
import { type AbiValue, encodeCall } from '../../../../src/chains/contracts/abi.ts';
import { showCall } from '../../../../src/chains/call-reading/drawn-call.ts';
import { decodeCall } from '../../../../src/chains/call-reading/decode-call.ts';
import { fromEvm } from '../../../../src/chains/tron/address.ts';
import { chain as tron } from '../../../../src/chains/tron/index.ts';
import { payloads } from '../../../../src/chains/tron/payload.ts';
import { withTerms } from '../../../../src/frame/approve/call-terms.ts';
import { fakeTron, FROM, LISTED, TO, TOKEN } from '../../chains/tron/fake-tron.ts';
import { ether, NETWORKS, settled, until, world, type World } from '../world.ts';

const USDC = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0';
const WETH = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const ROUTER = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512';
const POOL = `0x${'9'.repeat(40)}`;
const STRANGER = '0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97';

const networks = {
  ...NETWORKS,
  networks: NETWORKS.networks.map((network) => ({
    ...network,
    tokens: [{ address: USDC, symbol: 'USDC', name: 'Dollar', decimals: 6, logo: '' }],
    exchanges: [
      {
        kind: 'uniswap-v2',
        name: 'Uniswap V2',
        factory: USDC,
        router: ROUTER,
        wrapped: WETH,
        bases: [],
        fee: 0.3,
      },
    ],
  })),
};

function call(recipient: string, to = ROUTER): Pick<Part, 'kind' | 'amount' | 'to' | 'call'> {
  const data = encodeCall(
    'swapExactETHForTokens',
    ['uint256', 'address[]', 'address', 'uint256'],
    [1_802_110_000n, [WETH, USDC], recipient, 1_800_000_000n],
  );
  return { kind: 'call', amount: ether(10), to, call: showCall(decodeCall(data), data, undefined, []) };
}

async function approving(summary: (w: World) => Partial<Summary>, wallets = 1): Promise<World> {
  const w = await world({ networks, wallets });
  w.chain.summary = summary(w);
  const request = {
    type: 'ETH_TRANSACTION',
    walletId: w.wallet.id,
    to: ROUTER,
    value: 5,
    data: '0x7ff36ab5',
  };
  const asked = w.ask('executeAll', { requests: [request] });
  w.find('PIN').catch(() => {});
  await w.approval();
  await until(() => w.text().includes('Expected fee'));
  expect(asked.settled).to.equal(false);
  return w;
}

describe('the approval of a swap', () => {
  it('says in one sentence what goes in, what comes out and where, without a list of one', async () => {
    const w = await approving(({ wallet }) => call(wallet.address));
    expect(w.text()).to.include('Swap 1 ETH for at least 1,802.11 USDC by Uniswap V2');
    expect(w.text()).to.include('Swap 1 ETH get at least 1,802.11 USDC');
    expect(w.text()).to.include('To Uniswap V2');
    expect(w.text()).to.include('You get at least');
    expect(w.text()).to.include('Good until');
    expect(w.text()).not.to.include('1 of 1');
    expect(w.text()).not.to.include('Receives it');
    expect(w.text()).not.to.include('Somebody else');
    await w.approve();
    await w.title('Swapped');
    expect(w.text()).to.include(
      '1 ETH for at least 1,802.11 USDC by Uniswap V2. The network has confirmed it.',
    );
  });

  it('ends with what really arrived, by the logs', async () => {
    const w = await approving(({ wallet }) => call(wallet.address));
    const token = USDC.toLowerCase();
    w.chain.arrivals = [
      { token, from: POOL, to: w.wallet.address.toLowerCase(), raw: 1_810_204_999n },
      { token, from: POOL, to: ROUTER.toLowerCase(), raw: 7n },
      { token: WETH.toLowerCase(), from: POOL, to: w.wallet.address.toLowerCase(), raw: 9n },
      { token: WETH.toLowerCase(), from: ROUTER.toLowerCase(), to: POOL, raw: ether(10).raw },
    ];
    await w.approve();
    await w.title('Swapped');
    expect(w.text())
      .to.include('1 ETH for 1,810.20… USDC')
      .and.include('by Uniswap V2. The network has confirmed');
    expect(w.text()).to.include('You got 1,810.204999 USDC').and.not.include('at least');
    expect(w.text(), 'the coins that the router changed').to.include('You paid 1 ETH');
  });

  it('totals the tokens that go in, also in clauses', async () => {
    const swap = (wallet: string): Part => {
      const data = encodeCall(
        'swapExactTokensForETH',
        ['uint256', 'uint256', 'address[]', 'address', 'uint256'],
        [500_000_000n, 1n, [USDC, WETH], wallet, 1_800_000_000n],
      );
      const call = showCall(decodeCall(data), data, undefined, []);
      return { kind: 'call', amount: ether(0), to: ROUTER, call };
    };
    const one = await approving(({ wallet }) => swap(wallet.address));
    expect(one.text()).to.match(/Swap 500 USDC for at least .* Total at most 500 USDC \+ /);
    const two = await approving(({ wallet }) => {
      const part = swap(wallet.address);
      return { kind: 'call', amount: ether(0), parts: [part, part] };
    });
    expect(two.text()).to.include('Total at most 1,000 USDC + ');
  });

  it('needs a tick before a stranger gets what was bought, and shows the full address', async () => {
    const w = await approving(() => call(STRANGER));
    expect(w.text()).to.include('Somebody else receives what you buy');
    expect(w.text()).to.include('Receives it');
    const box = await w.find<HTMLInputElement>('I understand the risk: I could lose what I pay');
    box.click();
    await w.approve();
    await w.title('Swapped');
  });

  it('knows whom the wallet has sent something, but no contract that it only called', async () => {
    for (const [kind, isKnown] of [
      ['call', false],
      ['transfer', true],
    ] as const) {
      const w = await world({ networks });
      await w.vault.activity.put({
        hash: '0x1',
        walletId: w.wallet.id,
        at: 0,
        state: 'confirmed',
        summary: { kind, to: STRANGER, contract: STRANGER },
      } as never);
      w.chain.summary = call(STRANGER);
      w.ask('execute', {
        type: 'ETH_TRANSACTION',
        walletId: w.wallet.id,
        to: ROUTER,
        value: 5,
        data: '0x7ff36ab5',
      });
      await until(() => w.text().includes('Receives it'));
      expect(w.text().includes('Somebody else receives what you buy'), kind).to.equal(!isKnown);
    }
  });

  it('is judged with an order beside it, too, that nobody may have signed', async () => {
    const part = (value: object): string => btoa(JSON.stringify(value)).replaceAll('=', '');
    const claims = {
      iss: 'https://service.example/auth/realms/main',
      exp: 1_900_000_000,
      jti: 'q',
      session: 's',
      account: 'shop',
      merchant: 'Shop',
      origins: ['https://shop.example'],
      secretType: 'ETHEREUM',
      network: 'ethereum-local',
      chainId: 31337,
      token: null,
      to: ROUTER,
      amount: '5',
      total: 1,
      currency: 'USD',
      reference: 'A-1',
      items: 1,
    };
    const w = await world({ networks });
    w.chain.summary = call(STRANGER);
    w.ask('transfer', {
      walletId: w.wallet.id,
      secretType: 'ETHEREUM',
      to: ROUTER,
      value: '5',
      data: '0x7ff36ab5',
      order: [part({ alg: 'ES256', typ: 'checkout-payment+jwt', kid: 'k' }), part(claims), 'AA'].join('.'),
    });
    await until(() => w.text().includes('Somebody else receives what you buy'));
  });

  it('warns about the router itself as recipient, which keeps what it gets', async () => {
    const w = await approving(() => call(ROUTER));
    expect(w.text()).to.include('Somebody else receives what you buy');
  });

  it('names another wallet of the user that receives it', async () => {
    const w = await world({ networks, wallets: 2 });
    const [, other] = await w.vault.wallets();
    w.chain.summary = call(other!.address);
    const request = {
      type: 'ETH_TRANSACTION',
      walletId: w.wallet.id,
      to: ROUTER,
      value: 5,
      data: '0x7ff36ab5',
    };
    w.ask('execute', request);
    await until(() => w.text().includes('Receives it'));
    expect(w.text()).to.include(other!.alias);
    expect(w.text()).not.to.include('Somebody else');
  });

  it('needs a tick for a call of a listed exchange that is not one plain swap', async () => {
    const other = (name: string, types: string[], values: AbiValue[]): Partial<Summary> => {
      const data = encodeCall(name, types, values);
      const call = showCall(decodeCall(data), data, undefined, []);
      return { kind: 'call', amount: ether(10), to: ROUTER, call };
    };
    const swap = encodeCall(
      'swapExactETHForTokens',
      ['uint256', 'address[]', 'address', 'uint256'],
      [1n, [WETH, USDC], STRANGER, 1_800_000_000n],
    );
    for (const summary of [
      other('multicall', ['bytes[]'], [[swap]]),
      other('claim', [], []),
      other('nobodyKnows', [], []),
    ]) {
      const w = await approving(() => summary);
      expect(w.text()).to.include('This is not one plain swap');
      expect(w.text()).to.include('It asks Uniswap V2 for something else, or for more.');
      await w.find<HTMLInputElement>('I understand the risk: I could lose what I pay');
    }
    const w = await approving(() => ({
      kind: 'call',
      amount: ether(0),
      parts: [call(STRANGER), other('claim', [], [])] as Part[],
    }));
    expect(w.text()).to.include('Clause 2: This is not one plain swap');
  });

  it('is read where the headline is what the call pays in a token', async () => {
    const w = await approving(({ wallet }) => {
      const data = encodeCall(
        'swapExactTokensForETH',
        ['uint256', 'uint256', 'address[]', 'address', 'uint256'],
        [500_000_000n, ether(2).raw, [USDC, WETH], wallet.address, 1_800_000_000n],
      );
      return {
        kind: 'call',
        amount: { raw: 500_000_000n, decimals: 6, symbol: 'USDC', token: USDC },
        to: ROUTER,
        call: showCall(decodeCall(data), data, undefined, []),
        effects: [{ kind: 'receive', amount: ether(2) }],
      };
    });
    expect(w.text(), 'the terms say it').not.to.include('Asks for at least');
    expect(w.text()).to.include('Swap 500 USDC for at least 0.2 ETH by Uniswap V2');
    expect(w.text()).not.to.include('not one plain swap');
  });

  it('asks no tick for a recipient that the wallet has paid before, in a plain swap alone', async () => {
    const warned = (address: string): Warning => ({
      code: 'nothing-back',
      level: 'danger',
      tick: true,
      params: { address },
    });
    const w = await world({ networks, wallets: 2 });
    const [, other] = await w.vault.wallets();
    const { address } = other!;
    const ask = (summary: Partial<Summary>) => {
      w.chain.summary = { ...summary, warnings: [warned(address)] };
      const request = {
        type: 'ETH_TRANSACTION',
        walletId: w.wallet.id,
        to: ROUTER,
        value: 5,
        data: '0x7ff36ab5',
      };
      return w.ask('execute', request);
    };
    const asked = ask(call(address));
    await until(() => w.text().includes('Receives it'));
    expect(w.text()).not.to.include('nothing comes back');
    await w.press('Reject');
    await settled(asked);
    ask({ kind: 'call', amount: ether(0), parts: [call(address), call(address, STRANGER)] as Part[] });
    await until(() => w.text().includes('Clause 2 of 2'));
    expect(w.text()).to.include('You pay, and nothing comes back');
  });

  it('believes no contract that is not listed', async () => {
    const w = await approving(({ wallet }) => call(wallet.address, STRANGER));
    expect(w.text()).not.to.include('Swap exactly');
    expect(w.text()).to.include('swapExactETHForTokens');
  });

  it('names the exchange that may take tokens', async () => {
    const w = await approving(() => ({
      kind: 'approval',
      amount: { raw: 500_000_000n, decimals: 6, symbol: 'USDC', token: USDC },
      to: ROUTER,
      contract: USDC,
      call: showCall(decodeCall('0x'), '0x095ea7b3', undefined, []),
    }));
    expect(w.text()).to.include('Uniswap V2');
    expect(w.text()).to.include('500 USDC');
  });

  it('describes each of several clauses', async () => {
    const w = await approving(({ wallet }) => {
      const swap = call(wallet.address) as Part;
      return { ...swap, amount: ether(0), call: undefined, parts: [{ ...swap, to: STRANGER }, swap] };
    });
    expect(w.text().match(/Swap exactly/g)?.length).to.equal(1);
    expect(w.text()).to.include('Clause 2 of 2');
  });

  /** A limit for `spender` and a sale of 500 USDC that needs it, in one transaction. */
  function limitAndSwap(spender = ROUTER, more: Part[] = []) {
    return ({ wallet }: World): Partial<Summary> => {
      const data = encodeCall(
        'swapExactTokensForETH',
        ['uint256', 'uint256', 'address[]', 'address', 'uint256'],
        [500_000_000n, ether(2).raw, [USDC, WETH], wallet.address, 1_800_000_000n],
      );
      const shown = showCall(decodeCall(data), data, undefined, []);
      const parts: Part[] = [
        {
          kind: 'approval',
          amount: { raw: 500_000_000n, decimals: 6, symbol: 'USDC', token: USDC },
          to: spender,
          contract: USDC,
        },
        { kind: 'call', amount: ether(0), to: ROUTER, call: shown },
        ...more,
      ];
      return { kind: 'call', amount: ether(0), to: spender, call: undefined, parts };
    };
  }

  it('calls a limit and the swap that needs it a swap, with its minimum and what really arrived', async () => {
    const w = await approving(limitAndSwap());
    expect(w.text()).to.include('Swap 500 USDC for at least 0.2 ETH by Uniswap V2');
    expect(w.text()).to.include('Swap 500 USDC get at least 0.2 ETH');
    expect(w.text()).to.include('Total at most 500 USDC +');
    expect(w.text()).to.include('Clause 2 of 2').and.not.include('Run 2 clauses');
    expect(w.text().match(/Good until/g)?.length, 'said by its clause alone').to.equal(1);
    w.chain.arrivals = [
      { token: USDC.toLowerCase(), from: w.wallet.address.toLowerCase(), to: POOL, raw: 500_000_000n },
      { token: WETH.toLowerCase(), from: POOL, to: ROUTER.toLowerCase(), raw: ether(3).raw },
    ];
    await w.approve();
    await w.title('Swapped');
    expect(w.text()).to.include('500 USDC for 0.3 ETH by Uniswap V2. The network has confirmed it.');
    expect(w.text()).to.include('You got 0.3 ETH');
  });

  it('calls no list a swap if the limit in it is for somebody else', async () => {
    const w = await approving(limitAndSwap(STRANGER));
    expect(w.text()).to.include('Run 2 clauses').and.not.include('Swap 500 USDC');
  });

  it('calls no list a swap in which something else is sent, too', async () => {
    const w = await approving(limitAndSwap(ROUTER, [{ kind: 'transfer', amount: ether(1), to: STRANGER }]));
    expect(w.text()).to.include('Run 3 clauses').and.not.include('Swap 500 USDC');
  });

  it('has the same text when it is only signed, and a stranger needs the same tick', async () => {
    const w = await world({ networks });
    const summary = await w.chain.describe({ from: w.wallet.address, nonce: 0, maximum: 4n } as never);
    const signing = (recipient: string) => {
      w.chain.signing = {
        kind: 'transaction',
        summary: { ...summary, ...call(recipient) },
      };
      return w.ask('sign', { type: 'ETHEREUM_RAW', walletId: w.wallet.id, data: '0x5369676e20696e' });
    };
    const own = signing(w.wallet.address);
    await until(() => w.text().includes('Swap 1 ETH for at least 1,802.11 USDC'));
    expect(w.text()).to.include('Good until');
    expect(w.text()).not.to.include('Somebody else');
    await w.press('Reject');
    await settled(own);
    const strange = signing(STRANGER);
    await until(() => w.text().includes('Somebody else receives what you buy'));
    (await w.find('I understand the risk: I could lose what I pay')).click();
    await w.approve();
    await settled(strange);
    expect(strange.error).to.equal(undefined);
  });

  it('is named in a list of several transactions', async () => {
    const w = await world({ networks });
    w.chain.summary = call(w.wallet.address);
    const request = {
      type: 'ETH_TRANSACTION',
      walletId: w.wallet.id,
      to: ROUTER,
      value: 5,
      data: '0x7ff36ab5',
    };
    const asked = w.ask('executeAll', { requests: [request, request] });
    await until(() => w.text().includes('Swap by Uniswap V2'));
    await w.press('Reject');
    await settled(asked);
    expect(asked.error?.code).to.equal('user.rejected');
  });
});

describe('the approval of a swap on Tron', () => {
  const [SUNSWAP, WTRX] = [ROUTER, WETH].map(fromEvm) as [string, string];
  const entry = { kind: 'uniswap-v2', name: 'SunSwap V2', factory: TO, router: SUNSWAP, wrapped: WTRX };
  const network = { ...LISTED, exchanges: [entry] };

  async function shown(to: string, recipient = FROM): Promise<Summary> {
    const w = await world({ networks });
    const answers = { getaccount: { type: 'Contract', balance: 900_000_000 } };
    const request = {
      type: 'TRON_CONTRACT_EXECUTION',
      walletId: w.wallet.id,
      to,
      value: '20000000',
      functionName: 'swapExactETHForTokens',
      inputs: [
        { type: 'uint256', value: '4960000' },
        { type: 'address[]', value: JSON.stringify([WTRX, TOKEN]) },
        { type: 'address', value: recipient },
        { type: 'uint256', value: '1800000000' },
      ],
    };
    const { node } = fakeTron(answers, network);
    const draft = await tron.prepare(payloads.parse(request), FROM, node);
    const wallet = { ...w.wallet, secretType: 'TRON' as const, address: FROM };
    const approval = { vault: w.vault, wallet, node };
    return withTerms(w.frame as never, approval, draft, await tron.describe(draft));
  }
  const dangers = ({ warnings }: Summary) =>
    warnings.flatMap(({ code, level }) => (level === 'danger' ? code : []));

  it('has the terms of its bytes, and no more effects than they say', async () => {
    const summary = await shown(SUNSWAP);
    const { exchange, swap, amount } = summary;
    expect(exchange).to.equal('SunSwap V2');
    expect(swap).to.deep.equal({
      orderType: 'SELL',
      input: { raw: 20_000_000n, symbol: 'TRX', decimals: 6 },
      output: { raw: 4_960_000n, symbol: 'USDT', decimals: 6, token: TOKEN },
      recipient: FROM,
      deadline: 1_800_000_000n,
    });
    expect(amount).to.equal(swap!.input);
    expect(dangers(summary)).to.deep.equal([]);
    expect(summary.effects).to.equal(undefined);
  });

  it('needs a tick before a stranger gets what was bought', async () => {
    expect(dangers(await shown(SUNSWAP, TO))).to.include('swap-recipient');
  });

  it('is none on a router that is not listed', async () => {
    const { exchange, swap, kind } = await shown(TOKEN);
    expect([exchange, swap, kind]).to.deep.equal([undefined, undefined, 'call']);
  });

  it('checks the order that the memo of a token carries, as that of TRX', async () => {
    const memo = '=:ETH.ETH:0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97:1';
    const w = await world({ networks });
    const { node } = fakeTron();
    const wallet = { ...w.wallet, secretType: 'TRON' as const, address: FROM };
    for (const request of [
      { type: 'TRC10_TRANSACTION', token: TOKEN, to: TO, value: 5, memo },
      { type: 'TRX_TRANSACTION', to: TO, value: 5, data: memo },
    ]) {
      const draft = await tron.prepare(payloads.parse({ ...request, walletId: 'w' }), FROM, node);
      const approval = { vault: w.vault, wallet, node };
      const summary = await withTerms(w.frame as never, approval, draft, await tron.describe(draft));
      expect(summary.crossChain?.memo, request.type).to.equal(memo);
      expect(dangers(summary), request.type).to.include('order-unchecked');
    }
  });
});
