import { expect } from '@open-wc/testing';
import { keccak256 } from 'ethers/crypto';
import { hexOf, utf8 } from '../../../../src/base/bytes.ts';
import { ConnectError } from '../../../../src/base/errors.ts';
import { BITCOIN } from '../../../../src/chains/bitcoin/profile.ts';
import { encodeCall } from '../../../../src/chains/contracts/abi.ts';
import { loadChain } from '../../../../src/chains/index.ts';
import type { Networks } from '../../../../src/chains/network.ts';
import { decodeAddress } from '../../../../src/chains/utxo/address.ts';
import { dataScript } from '../../../../src/chains/utxo/script.ts';
import {
  type Answers,
  Network,
  ROUTER,
  ROUTERS,
  USDC,
  VAULTS,
} from '../../swaps/cross-chain/thor-network.ts';
import { deepAll } from '../scene.ts';
import { type Asked, NETWORKS, settled, until, world, type World } from '../world.ts';

const STRANGER = '0x388C818CA8B9251b393131C08a736A67ccB19297';
const OWN_BTC = 'bc1qatt33ste4xywa97skmt9tmxwnpzrvqszwpm6pu';
const TOKEN = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0';
const BTC = { symbol: 'BTC', decimals: 8 };
const [ethereum] = NETWORKS.networks;
const bitcoin = {
  ...ethereum!,
  id: 'bitcoin',
  secretType: 'BITCOIN',
  name: 'Bitcoin',
  chainId: undefined,
  tokens: [],
} as Networks['networks'][number];

const networks: Networks = {
  ...NETWORKS,
  networks: [...NETWORKS.networks, bitcoin],
  crossChain: [
    {
      kind: 'thorchain',
      name: 'THORChain',
      nodes: ['one', 'other'].map((host) => ({ url: `https://${host}.example`, operator: host })),
      routers: ROUTERS.map((router) => ({ ...router, network: ethereum!.id })),
      assets: [
        { network: 'bitcoin', name: 'BTC.BTC' },
        { network: ethereum!.id, name: 'ETH.ETH' },
      ],
    },
  ],
};

let thorchain: Network;
/** Of accounts on Ethereum, in lower case; none has any at first. */
let code: Record<string, string>;
/** What contracts may still take of any token, in smallest units: by spender, in lower case. */
let allowed: Record<string, bigint>;
/** Whether the node of Ethereum answers. */
let isEthereumUp: boolean;
const platform = globalThis.fetch;
beforeEach(() => {
  thorchain = new Network();
  code = {};
  allowed = {};
  isEthereumUp = true;
  globalThis.fetch = async (input, init) => {
    const { host } = new URL(String(input), location.href);
    if (host === 'node.invalid') return rpcAnswer(String(init!.body));
    return host in thorchain.answers ? thorchain.fetch(String(input)) : platform(input, init);
  };
});

/** Of a node that knows only its chain, code and allowances. */
function rpcAnswer(body: string): Response {
  if (!isEthereumUp) return new Response('', { status: 503 });
  const calls = [JSON.parse(body)].flat() as { id: number; method: string; params: unknown[] }[];
  const resultOf = (method: string, [first]: unknown[]): string => {
    if (method === 'eth_chainId') return '0x7a69';
    if (method !== 'eth_call') return code[String(first).toLowerCase()] ?? '0x';
    const { data } = first as { data: string };
    return `0x${(allowed[`0x${data.slice(-40)}`] ?? 0n).toString(16).padStart(64, '0')}`;
  };
  const answers = calls.map(({ id, method, params }) => ({
    jsonrpc: '2.0',
    id,
    result: resultOf(method, params),
  }));
  return new Response(JSON.stringify(body.startsWith('[') ? answers : answers[0]));
}

afterEach(() => {
  globalThis.fetch = platform;
});

const CODES: [name: string, code: string][] = [
  ['a contract', '0x6001'],
  ['an account that is delegated to a contract', '0xef010063c0c19a282a1b52b07dd5a65b58948a07dae32b'],
];

const scriptOf = (address: string): string => decodeAddress(BITCOIN, address)!.script;

/** What the wallet signs next: 0.1 BTC to the vault, with this memo. */
function carry(w: World, memo: string, vault = VAULTS['BTC']!): void {
  for (const { block } of Object.values(thorchain.answers))
    block.header['time'] = new Date(w.clock.date()).toISOString();
  const raw = 10_000_000n;
  const fee = { ...BTC, raw: 500n };
  w.chain.signs = {
    secretType: 'BITCOIN',
    network: bitcoin,
    from: OWN_BTC,
    to: vault,
    outputs: [
      { value: raw, script: scriptOf(vault) },
      { value: 0n, script: dataScript(hexOf(utf8(memo))) },
    ],
  };
  w.chain.summary = {
    networkName: 'Bitcoin',
    chainId: undefined,
    nonce: undefined,
    amount: { ...BTC, raw },
    to: vault,
    facts: [{ code: 'memo', value: memo }],
    fee: { expected: fee, maximum: fee },
    total: { ...BTC, raw: raw + 500n },
    balance: { ...BTC, raw: 50_000_000n },
    warnings: [{ code: 'first-recipient', level: 'caution', params: { address: vault } }],
  };
}

/** Of the pools of the fake nodes: 0.1 BTC are about 3.3 ETH. */
const LIMIT = 329_000_000;

async function asking(
  memoOf: (w: World) => string,
  { file = networks, change }: { file?: Networks; change?: (answers: Answers) => void } = {},
): Promise<{ w: World; asked: Asked }> {
  const w = await world({ networks: file });
  w.chain.chain.node = (await loadChain('ETHEREUM')).node;
  if (change) thorchain.each(change);
  carry(w, memoOf(w));
  return { w, asked: w.transfer() };
}

const own = ({ wallet }: World): string => `=:e:${wallet.address}:${LIMIT}`;
const strange = (): string => `=:e:${STRANGER}:${LIMIT}`;

async function shown(w: World): Promise<void> {
  await w.approval();
  await until(() => w.text().includes('Expected fee'), 'the approval');
}

describe('the approval of a swap between chains', () => {
  it('says what goes in, the least that comes out, to whom, when, and who holds the coins meanwhile', async () => {
    const { w, asked } = await asking(own);
    await shown(w);
    const text = w.text();
    expect(text).to.include('Swap 0.1 BTC for at least 3.29 ETH by THORChain');
    expect(text).to.include(`to ${w.wallet.alias}`);
    expect(text).to.include('Receives it on').and.include('You get at least 3.29 ETH');
    expect(text).to.include('Takes about 11 minutes');
    expect(text).to.include('Exchange fee').and.include('Payout fee');
    expect(text).to.match(
      /The validators of THORChain hold the coins until they pay out, and it cannot be cancelled\. If it fails, about 0\.0996 BTC comes back\./,
    );
    expect(text).not.to.include('First time sending').and.not.include('Somebody else');
    expect(text).not.to.include('I understand the risk');
    await w.approve();
    await settled(asked);
    expect(asked.error).to.equal(undefined);
    expect(w.chain.signed.length).to.equal(1);
    await w.title('Sent');
  });

  it('asks two nodes when it is drawn, and again when Approve is pressed', async () => {
    const { w, asked } = await asking(own);
    await shown(w);
    const count = (path: string): number =>
      thorchain.asked.filter((each) => each.endsWith(`/thorchain/${path}`)).length;
    const before = count('vaults/asgard');
    expect(before % 2).to.equal(0);
    await w.approve('9999');
    await until(() => w.text().includes('Wrong PIN'));
    expect(count('vaults/asgard'), 'beside the unlocking').to.equal(before + 2);
    await w.approve();
    await settled(asked);
    expect(count('vaults/asgard')).to.equal(before + 4);
  });

  const dangers: [name: string, memo: (w: World) => string, title: string, tick: string][] = [
    ['a stranger', strange, 'Somebody else receives what you buy', 'I could lose what I pay'],
    ['no limit', (w) => own(w).replace(`${LIMIT}`, '0'), 'It accepts any price', 'I could lose what I pay'],
    [
      'an empty limit',
      (w) => own(w).replace(`:${LIMIT}`, ''),
      'It accepts any price',
      'I could lose what I pay',
    ],
    [
      'a limit far below the price',
      (w) => own(w).replace(`${LIMIT}`, '300000000'),
      'less than today’s price',
      'I could get only the least amount',
    ],
    ['an unreadable memo', () => '=:e:nobody:1', 'You cannot read this order', 'I could lose what I pay'],
    [
      'a refund for somebody else',
      (w) => own(w).replace(`:${LIMIT}`, `/bc1qother:${LIMIT}`),
      'A refund would go to somebody else',
      'I could lose what I pay',
    ],
    ['a share for others', (w) => `${own(w)}:t:50`, 'Others get 0.5% of it', 'I give 0.5% away'],
    ['parts', (w) => `${own(w)}/1/0`, 'It is swapped in parts', 'only a part may be swapped'],
  ];
  for (const [name, memo, title, tick] of dangers)
    it(`needs a tick for ${name}`, async () => {
      const { w, asked } = await asking(memo);
      await shown(w);
      expect(w.text()).to.include(title);
      await w.find(`I understand the risk: ${tick}`);
      await w.press('Reject');
      await settled(asked);
      expect(w.chain.signed).to.deep.equal([]);
    });

  it('names the whole recipient that is none of the user’s wallets', async () => {
    const { w } = await asking(strange);
    await shown(w);
    expect(w.text().replaceAll(' ', '')).to.include(STRANGER);
  });

  it('is not offered without an exchange to ask: then a tick is needed, too', async () => {
    const { w, asked } = await asking(own, { file: { ...networks, crossChain: undefined } });
    await shown(w);
    expect(w.text()).to.include('This swap between chains cannot be checked');
    await w.find('I understand the risk: I could lose what I pay');
    expect(thorchain.asked).to.deep.equal([]);
    await w.press('Reject');
    await settled(asked);
  });

  const refusals: [name: string, change: (answers: Answers) => void, reason: string][] = [
    [
      'a vault that is no longer active',
      ({ 'vaults/asgard': vaults }) => Object.assign(vaults[1]!, { status: 'RetiringVault' }),
      'vault',
    ],
    [
      'another vault',
      ({ inbound_addresses: all }) => Object.assign(all[0]!, { address: 'bc1qother' }),
      'vault',
    ],
    ['a halt of what is bought', ({ mimir }) => Object.assign(mimir, { HALTETHTRADING: 1 }), 'halted'],
    ['a halt of what is sold', ({ mimir }) => Object.assign(mimir, { HALTBTCTRADING: 1 }), 'halted'],
  ];
  for (const [name, change, reason] of refusals)
    it(`refuses ${name}, and signs nothing`, async () => {
      const { w, asked } = await asking(own, { change });
      await settled(asked);
      expect(asked.error?.code).to.equal('swap.thorchain.unavailable');
      expect(asked.error?.details).to.deep.include({ exchange: 'THORChain', reason });
      expect(w.chain.signed).to.deep.equal([]);
    });

  for (const [name, bytes] of CODES)
    it(`refuses ${name} that would receive it, and signs nothing`, async () => {
      code[STRANGER.toLowerCase()] = bytes;
      const { w, asked } = await asking(strange);
      await settled(asked);
      expect(asked.error?.code).to.equal('swap.thorchain.unavailable');
      expect(asked.error?.details).to.deep.include({ exchange: 'THORChain', reason: 'contract' });
      expect(w.chain.signed).to.deep.equal([]);
    });

  it('refuses a recipient that got code after it was drawn', async () => {
    const { w, asked } = await asking(own);
    await shown(w);
    await w.pin();
    await w.find('Approve');
    code[w.wallet.address.toLowerCase()] = '0x6001';
    await w.press('Approve');
    await settled(asked);
    expect(asked.error?.code).to.equal('swap.thorchain.unavailable');
    expect(asked.error?.details).to.deep.include({ reason: 'contract' });
    expect(w.chain.signed).to.deep.equal([]);
  });

  it('is not signed while nobody says whether the recipient has code', async () => {
    isEthereumUp = false;
    const { w, asked } = await asking(own);
    await w.title('Cannot reach Ethereum');
    expect(w.chain.signed).to.deep.equal([]);
    isEthereumUp = true;
    await w.press('Retry');
    await shown(w);
    await w.approve();
    await settled(asked);
    expect(asked.error).to.equal(undefined);
  });

  it('names the chain that does not answer, which need not be the one that it is sent on', async () => {
    const w = await world({ networks });
    w.chain.failPrepare = new ConnectError('node.unreachable', 'Down.', { secretType: 'LITECOIN' });
    void w.transfer();
    await w.title('Cannot reach Litecoin');
  });

  it('refuses so little that nothing of it could come back', async () => {
    const { w, asked } = await asking(own, {
      change: ({ inbound_addresses: all }) => Object.assign(all[0]!, { outbound_fee: '10000000' }),
    });
    await settled(asked);
    expect(asked.error?.details).to.deep.include({ reason: 'below-minimum' });
    expect(w.chain.signed).to.deep.equal([]);
  });

  it('refuses an asset for itself', async () => {
    const { w, asked } = await asking(() => `=:b:${OWN_BTC}:9000000`);
    await settled(asked);
    expect(asked.error?.details).to.deep.include({ reason: 'pool' });
    expect(w.chain.signed).to.deep.equal([]);
  });

  it('refuses what two nodes do not agree on', async () => {
    const { w, asked } = await asking(own, {
      change: (answers) => {
        if (answers === thorchain.one) Object.assign(answers.inbound_addresses[0]!, { address: 'bc1qother' });
      },
    });
    await settled(asked);
    expect(asked.error?.details).to.deep.include({ reason: 'nodes-differ' });
    expect(w.chain.signed).to.deep.equal([]);
  });

  it('refuses what was halted after it was drawn', async () => {
    const { w, asked } = await asking(own);
    await shown(w);
    await w.pin();
    await w.find('Approve');
    thorchain.each(({ mimir }) => Object.assign(mimir, { HALTSIGNINGETH: 1 }));
    await w.press('Approve');
    await settled(asked);
    expect(asked.error?.code).to.equal('swap.thorchain.unavailable');
    expect(asked.error?.details).to.deep.include({ reason: 'signing-halted' });
    expect(w.chain.signed).to.deep.equal([]);
  });

  it('stays on screen while a node does not answer, and is refused once Approve is pressed', async () => {
    const { w, asked } = await asking(own);
    await shown(w);
    thorchain.faults['other.example'] = () => new Response('', { status: 503 });
    const rounds = thorchain.asked.length;
    await w.clock.pass(20_000);
    await until(() => thorchain.asked.length > rounds, 'another look');
    expect(w.text()).to.include('You get at least 3.29 ETH');
    await w.pin();
    await w.press('Approve');
    await settled(asked);
    expect(asked.error?.details).to.deep.include({ reason: 'nodes' });
    expect(w.chain.signed).to.deep.equal([]);
  });

  it('asks for the PIN again when another order takes the place of the one that was shown', async () => {
    const { w } = await asking(own);
    await shown(w);
    await w.pin();
    await w.find('Approve');
    carry(w, strange());
    await w.clock.pass(20_000);
    await until(() => w.text().includes('Somebody else receives what you buy'));
    expect(w.text()).to.include('The recipient changed. Check it and enter your PIN again.');
  });

  it('does not outlive ten minutes on screen', async () => {
    const { w, asked } = await asking(own);
    await shown(w);
    const stop = w.clock.every(1_000, () => {
      for (const { block } of Object.values(thorchain.answers))
        block.header['time'] = new Date(w.clock.date()).toISOString();
    });
    for (let i = 0; i < 31 && !asked.settled; i++) await w.clock.pass(20_000);
    stop();
    await settled(asked);
    expect(asked.error?.details).to.deep.include({ reason: 'expired' });
    expect(w.chain.signed).to.deep.equal([]);
  });
});

describe('a deposit that failed', () => {
  it('offers to take back what the contract may still take, and asks for that as for any payment', async () => {
    const w = await world();
    const input = { raw: 5n, decimals: 6, symbol: 'USDC', token: TOKEN };
    w.chain.summary = { crossChain: { input, vault: STRANGER, router: ROUTER, memo: '=:b:1' } };
    w.chain.failBroadcast = new ConnectError('transaction.refused', 'Refused.', {});
    const asked = w.transfer();
    await w.approve();
    await w.title('Not sent');
    expect(w.text()).to.include('The exchange may still take 0.000005 USDC of this wallet.');
    w.chain.failBroadcast = undefined;
    w.chain.summary = {};
    await w.press('Take back the approval');
    await w.approve();
    await until(() => w.chain.broadcasts.length === 2, 'the second transaction');
    const [, { request }] = w.chain.signed as [object, { request: Record<string, unknown> }];
    const data = encodeCall('approve', ['address', 'uint256'], [ROUTER, 0n]);
    expect([request['to'], request['data']]).to.deep.equal([TOKEN, data]);
    await settled(asked);
    expect(asked.error?.code).to.equal('transaction.refused');
  });

  it('offers nothing where nothing was approved', async () => {
    const w = await world();
    const input = { raw: 5n, decimals: 18, symbol: 'ETH' };
    w.chain.summary = { crossChain: { input, vault: STRANGER, router: ROUTER, memo: '=:b:1' } };
    w.chain.failBroadcast = new ConnectError('transaction.refused', 'Refused.', {});
    w.transfer();
    await w.approve();
    await w.title('Not sent');
    expect(w.text()).not.to.include('Take back the approval');
  });
});

describe('a deposit of a token', () => {
  const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
  const USDC_NETWORK = {
    ...ethereum!,
    tokens: [{ address: TOKEN, symbol: 'USDC', name: 'Dollar', decimals: 6, logo: '' }],
  };
  const ROUTER_CODE = '0x6001';
  const OLD_ROUTER = `0x${'9'.repeat(40)}`;
  const routers = [ROUTER, OLD_ROUTER].map((address) => ({
    network: ethereum!.id,
    address,
    codeHash: keccak256(ROUTER_CODE),
  }));
  const file = {
    ...networks,
    networks: [USDC_NETWORK, bitcoin],
    crossChain: [
      {
        ...networks.crossChain![0]!,
        routers,
        assets: [
          { network: ethereum!.id, name: 'ETH.ETH' },
          { network: ethereum!.id, name: USDC, token: TOKEN },
        ],
      },
    ],
  } as Networks;
  /** 1,000 USDC. */
  const AMOUNT = 10n ** 9n;

  /** What the wallet signs next: the deposit for 0.31 ETH at least. `refund`: who else gets a refund. */
  function carryDeposit(w: World, refund = ''): void {
    for (const { block } of Object.values(thorchain.answers))
      block.header['time'] = new Date(w.clock.date()).toISOString();
    const memo = `=:e:${w.wallet.address}${refund}:31000000`;
    const expiry = BigInt(Math.floor(w.clock.date() / 1000) + 600);
    const types = ['address', 'address', 'uint256', 'string', 'uint256'];
    const data = encodeCall('depositWithExpiry', types, [VAULTS['ETH']!, TOKEN, AMOUNT, memo, expiry]);
    w.chain.signs = { network: USDC_NETWORK, to: ROUTER, value: 0n, data };
    w.chain.summary = {
      kind: 'call',
      to: ROUTER,
      amount: { symbol: 'ETH', decimals: 18, raw: 0n },
      call: { name: null, arguments: [], data },
    };
  }

  async function depositing(refund?: string): Promise<World> {
    const w = await world({ networks: file });
    w.chain.chain.node = (await loadChain('ETHEREUM')).node;
    code[ROUTER.toLowerCase()] = ROUTER_CODE;
    carryDeposit(w, refund);
    return w;
  }

  for (const [name, bytes] of CODES) {
    it(`is refused from ${name}, and signs nothing`, async () => {
      const w = await depositing();
      code[w.wallet.address.toLowerCase()] = bytes;
      const asked = w.transfer();
      await settled(asked);
      expect(asked.error?.code).to.equal('swap.thorchain.unavailable');
      expect(asked.error?.details).to.deep.include({ reason: 'contract' });
      expect(w.chain.signed).to.deep.equal([]);
    });

    it(`is refused if a refund would go to ${name}, and signs nothing`, async () => {
      const w = await depositing(`/${STRANGER}`);
      code[STRANGER.toLowerCase()] = bytes;
      const asked = w.transfer();
      await settled(asked);
      expect(asked.error?.code).to.equal('swap.thorchain.unavailable');
      expect(asked.error?.details).to.deep.include({ reason: 'contract' });
      expect(w.chain.signed).to.deep.equal([]);
    });
  }

  it('is named as what it is, in words of which none is cut', async () => {
    const w = await depositing();
    w.transfer();
    await shown(w);
    expect(w.text()).to.include('depositWithExpiry').and.not.include('Unknown call');
    const [term] = deepAll<HTMLElement>(w.frame.stage.screen!.view, '.to > dl > .party > .k');
    expect(term!.innerText).to.match(/^Receives it on/);
    expect(term!.scrollWidth).to.equal(term!.clientWidth);
  });

  it('names what an older router may still take', async () => {
    allowed[OLD_ROUTER] = 7_000_000n;
    const w = await depositing();
    w.transfer();
    await shown(w);
    expect(w.text()).to.include('An older contract may still take tokens').and.include('7 USDC');
    expect(w.text().replaceAll(' ', '')).to.include(OLD_ROUTER);
  });

  it('needs a tick if a refund would go to somebody else', async () => {
    const w = await depositing(`/${STRANGER}`);
    w.transfer();
    await shown(w);
    expect(w.text()).to.include('A refund would go to somebody else');
  });

  it('that no block takes in time: says what the exchange may still take, and takes the approval back', async () => {
    const w = await depositing();
    const { chain } = w;
    chain.mines = false;
    const asked = w.transfer();
    await shown(w);
    expect(w.text()).to.include('at least 0.31 ETH');
    await w.approve();
    await w.confirming();
    const { hash } = chain.broadcasts[0]!;
    chain.known.set(hash, 'failed');
    await w.clock.pass(30_000);
    await w.title('Not sent');
    expect(w.text()).to.include('Only the fee of').and.include('The exchange may still take');
    expect(w.text()).to.include('1,000 USDC');
    chain.signs = {};
    chain.summary = { kind: 'approval' };
    await w.press('Take back the approval');
    await w.approval();
    expect(asked.settled).to.equal(true);
    await w.approve();
    await until(() => chain.drafts.length === 2, 'the second signature');
    const [, taking] = chain.signed;
    expect(taking!.request).to.include({ to: TOKEN, value: 0n });
    expect(String(taking!.request['data']).toLowerCase()).to.equal(
      `0x095ea7b3${ROUTER.slice(2).toLowerCase().padStart(64, '0')}${'0'.repeat(64)}`,
    );
  });
});
