import { expect } from '@open-wc/testing';
import { hexOf, utf8 } from '../../../../src/base/bytes.ts';
import { ConnectError } from '../../../../src/base/errors.ts';
import { BITCOIN } from '../../../../src/chains/bitcoin/profile.ts';
import { encodeCall } from '../../../../src/chains/contracts/abi.ts';
import type { Networks } from '../../../../src/chains/network.ts';
import { decodeAddress } from '../../../../src/chains/utxo/address.ts';
import { dataScript } from '../../../../src/chains/utxo/script.ts';
import { type Answers, Network, ROUTER, ROUTERS, VAULTS } from '../../swaps/cross-chain/thor-network.ts';
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
const platform = globalThis.fetch;
beforeEach(() => {
  thorchain = new Network();
  globalThis.fetch = async (input, init) =>
    new URL(String(input), location.href).host in thorchain.answers
      ? thorchain.fetch(String(input))
      : platform(input, init);
});
afterEach(() => {
  globalThis.fetch = platform;
});

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
    expect(text).to.include('Fee of the pools').and.include('Fee for paying out');
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
    ['no limit', (w) => own(w).replace(`${LIMIT}`, '0'), 'It takes any price', 'I could lose what I pay'],
    [
      'an empty limit',
      (w) => own(w).replace(`:${LIMIT}`, ''),
      'It takes any price',
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
    ['a share for others', (w) => `${own(w)}:t:50`, 'Others get 0.5 % of it', 'I give 0.5 % away'],
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

  it('refuses what two nodes do not agree on', async () => {
    const w = await world({ networks });
    carry(w, own(w));
    Object.assign(thorchain.one.inbound_addresses[0]!, { address: 'bc1qother' });
    const asked = w.transfer();
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
