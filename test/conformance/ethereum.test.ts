/** The Ethereum chain against a real node, and against ethers. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { AbiCoder, verifyMessage } from 'ethers';
import type { ChainRequest, Known } from '../../src/chains/terms.ts';
import type { Summary } from '../../src/chains/approval/summary.ts';
import type { EvmDraft as EthereumDraft } from '../../src/chains/evm/draft.ts';
import { findIncoming } from '../../src/chains/evm/incoming.ts';
import type { Network } from '../../src/chains/network.ts';
import { networkFor } from '../../src/chains/nodes/network-choice.ts';
import { parseNetworks } from '../../src/chains/nodes/networks.ts';
import type { ConnectError } from '../../src/base/errors.ts';
import { type Anvil, receiptOf, startAnvil, startProxy } from './anvil.ts';
import { fromPage } from '../unit/chains/from-page.ts';
import { ethereum, ethereumPayloads as payloads } from '../families.ts';

const chain = fromPage(ethereum, payloads);

/** anvil's first two accounts: published test keys. */
const KEY = hex('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const ME = chain.address(KEY);
const NOBODY: Known = { used: [], own: [], reported: [] };
const artifact = JSON.parse(
  readFileSync(
    new URL(
      '../../node_modules/@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json',
      import.meta.url,
    ),
    'utf8',
  ),
) as { bytecode: string };

let anvil: Anvil;
let token: string;
let fresh = 0;
let automine = true;

function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'hex'));
}

/** An unused address. */
function newAddress(): string {
  fresh++;
  return `0x${fresh.toString(16).padStart(40, 'c')}`;
}

function networkAt(...nodes: string[]): Network {
  return {
    id: 'ethereum-local',
    secretType: 'ETHEREUM',
    name: 'Local Ethereum',
    kind: 'local',
    chainId: 31337,
    nodes,
    tokens: token ? [{ address: token, symbol: 'PLAY', name: 'Play Token', decimals: 18, logo: '' }] : [],
  };
}

const request = (fields: object): ChainRequest => ({
  type: 'ETH_TRANSACTION',
  walletId: 'w',
  value: 0,
  ...fields,
});

async function send(
  fields: object,
  node = chain.node(networkAt(anvil.url)),
  on = anvil,
): Promise<{ hash: string; draft: EthereumDraft; summary: Summary }> {
  const draft = (await chain.prepare(request(fields), ME, node, NOBODY)) as EthereumDraft;
  const signed = await chain.sign(draft, KEY);
  assert.equal(await chain.broadcast(signed, node), signed.hash);
  if (automine) await receiptOf(on, signed.hash);
  return { hash: signed.hash, draft, summary: await chain.describe(draft) };
}

async function failure(work: Promise<unknown>): Promise<ConnectError> {
  return work.then(
    () => assert.fail('did not reject'),
    (error: ConnectError) => error,
  );
}

async function balanceOf(address: string): Promise<bigint> {
  return BigInt((await anvil.rpc('eth_getBalance', address, 'latest')) as string);
}

async function deploy(): Promise<string> {
  const constructor = AbiCoder.defaultAbiCoder().encode(
    ['string', 'string', 'uint256', 'address'],
    ['Play Token', 'PLAY', 10n ** 24n, ME],
  );
  const { hash, summary } = await send({ to: null, data: artifact.bytecode + constructor.slice(2) });
  assert.equal(summary.kind, 'creation');
  const { status, contractAddress } = await receiptOf(anvil, hash);
  assert.equal(status, '0x1');
  return contractAddress;
}

before(async () => {
  anvil = await startAnvil();
  token = await deploy();
});
after(() => anvil?.stop());

describe('signing', () => {
  it('signs messages that ethers verifies', async () => {
    const data = `0x${Buffer.from('Hello Carabiner').toString('hex')}`;
    const { signature } = await chain.signData({ type: 'ETHEREUM_RAW', walletId: 'w', data }, KEY);
    assert.equal(verifyMessage('Hello Carabiner', signature), ME);
  });
});

describe('a transfer', () => {
  it('moves exactly what was approved, with one round before and one after', async () => {
    const to = newAddress();
    const proxy = await startProxy(anvil.url);
    const node = chain.node(networkAt(proxy.url));
    const balanceBefore = await balanceOf(ME);
    const { hash, draft, summary } = await send({ to, value: 1.5e18 }, node);
    assert.equal(draft.type, 2);
    assert.equal(summary.amount.raw, 15n * 10n ** 17n);
    assert.equal(await balanceOf(to), 15n * 10n ** 17n);
    const { state, fee } = await chain.receipt(hash, node);
    assert.equal(state, 'confirmed');
    assert.equal(balanceBefore - (await balanceOf(ME)), 15n * 10n ** 17n + fee!, 'the fee that was paid');
    assert.ok(fee! <= summary.fee.maximum.raw);
    const rounds = proxy.requests.map((methods) => methods.length);
    assert.equal(rounds.length, 3, `prepare, broadcast, status: ${JSON.stringify(proxy.requests)}`);
    assert.deepEqual(proxy.requests[1], ['eth_sendRawTransaction']);
    assert.equal(node.rounds, 3);
    await proxy.stop();
  });

  it('of a token arrives, by its own request and by the transfer action', async () => {
    const to = newAddress();
    const balance = async () =>
      BigInt(
        (await anvil.rpc(
          'eth_call',
          { to: token, data: `0x70a08231${to.slice(2).padStart(64, '0')}` },
          'latest',
        )) as string,
      );
    const first = await send({ type: 'ETHEREUM_ERC20_TRANSACTION', to, value: '25', tokenAddress: token });
    assert.equal(await balance(), 25n);
    assert.deepEqual(first.summary.changes?.[0], {
      direction: 'out',
      amount: { raw: 25n, decimals: 18, symbol: 'PLAY', token: first.summary.contract },
    });
    await send({ type: 'TOKEN_TRANSFER', secretType: 'ETHEREUM', to, value: 2.5, tokenAddress: token });
    assert.equal(await balance(), 25n + 25n * 10n ** 17n);
    const [held] = await chain.tokenBalances(
      to,
      networkAt(anvil.url).tokens,
      chain.node(networkAt(anvil.url)),
    );
    assert.equal(held?.rawBalance, (25n + 25n * 10n ** 17n).toString());
  });

  it('of an unlisted token takes two rounds, and scales by the contract’s decimals', async () => {
    const to = newAddress();
    const node = chain.node({ ...networkAt(anvil.url), tokens: [] });
    const draft = await chain.prepare(
      {
        type: 'TOKEN_TRANSFER',
        secretType: 'ETHEREUM',
        walletId: 'w',
        to,
        value: '0.5',
        tokenAddress: token,
      },
      ME,
      node,
      NOBODY,
    );
    assert.equal(node.rounds, 2);
    const { amount, warnings } = await chain.describe(draft);
    assert.deepEqual([amount.raw, amount.decimals], [5n * 10n ** 17n, null]);
    const unlisted = warnings.find((w) => w.code === 'unlisted-token');
    assert.equal(unlisted?.params?.['decimals'], '18');
  });

  it('with data, a gas price and a nonce goes out as asked', async () => {
    const to = newAddress();
    const nonce = Number(await anvil.rpc('eth_getTransactionCount', ME, 'latest'));
    const { hash } = await send({ to, value: 7, data: '0x1234', gasPrice: 5e9, gas: 50_000, nonce });
    const mined = (await anvil.rpc('eth_getTransactionByHash', hash)) as Record<string, string>;
    assert.deepEqual(
      [
        mined['type'],
        mined['input'],
        BigInt(mined['gasPrice']!),
        BigInt(mined['gas']!),
        Number(mined['nonce']),
      ],
      ['0x0', '0x1234', 5_000_000_000n, 50_000n, nonce],
    );
  });

  it('that is too expensive is reported before approval, and refused in the network’s words after', async () => {
    const poor = hex('59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
    const from = chain.address(poor);
    await anvil.rpc('anvil_setBalance', from, '0x1');
    const node = chain.node(networkAt(anvil.url));
    const draft = await chain.prepare(request({ to: newAddress(), value: 10n ** 18n }), from, node, NOBODY);
    assert.equal((await chain.describe(draft)).shortOf?.have, 1n);
    const error = await failure(chain.broadcast(await chain.sign(draft, poor), node));
    assert.equal(error.code, 'transaction.insufficient-funds');
    assert.match(String(error.details['reason']), /insufficient funds/i);
  });

  it('that fails in a simulation says why', async () => {
    const node = chain.node({ ...networkAt(anvil.url), tokens: [] });
    const draft = await chain.prepare(
      request({
        type: 'ETHEREUM_ERC20_TRANSACTION',
        to: newAddress(),
        value: (10n ** 30n).toString(),
        tokenAddress: token,
      }),
      ME,
      node,
      NOBODY,
    );
    const warning = (await chain.describe(draft)).warnings.find((w) => w.code === 'will-fail');
    assert.match(warning?.params?.['reason'] ?? '', /transfer amount exceeds balance/);
  });

  it('sent twice is one transaction', async () => {
    const to = newAddress();
    const node = chain.node(networkAt(anvil.url));
    const draft = await chain.prepare(request({ to, value: 3 }), ME, node, NOBODY);
    const signed = await chain.sign(draft, KEY);
    await chain.broadcast(signed, node);
    assert.equal(await chain.broadcast(signed, node), signed.hash);
    await receiptOf(anvil, signed.hash);
    assert.equal(await balanceOf(to), 3n);
  });
});

describe('a waiting transaction', () => {
  before(async () => {
    automine = false;
    await anvil.rpc('evm_setAutomine', false);
  });
  after(async () => {
    automine = true;
    await anvil.rpc('evm_mine');
    await anvil.rpc('evm_setAutomine', true);
  });

  it('is replaced by speed-up, by cancel, and by a request with its nonce', async () => {
    const node = chain.node(networkAt(anvil.url));
    const [first, second, third] = [newAddress(), newAddress(), newAddress()];
    const waiting = await send({ to: first, value: 1 }, node);
    assert.equal(await chain.status(waiting.hash, node), 'pending');
    const faster = (await chain.replace(waiting.draft, 'speed-up', node)) as EthereumDraft;
    await chain.broadcast(await chain.sign(faster, KEY), node);
    const cancel = (await chain.replace(faster, 'cancel', node)) as EthereumDraft;
    const cancelled = await chain.sign(cancel, KEY);
    await chain.broadcast(cancelled, node);

    const next = await send({ to: second, value: 2 }, node);
    assert.equal(next.draft.nonce, waiting.draft.nonce + 1);
    const instead = await send({ to: third, value: 3, nonce: next.draft.nonce }, node);
    assert.deepEqual(
      instead.summary.warnings.filter((w) => w.code === 'replaces-pending').map((w) => w.level),
      ['caution'],
    );
    await anvil.rpc('evm_mine');
    assert.deepEqual(await Promise.all([first, second, third].map(balanceOf)), [0n, 0n, 3n]);
    assert.equal(await chain.status(cancelled.hash, node), 'confirmed');
    const late = await failure(chain.replace(cancel, 'speed-up', node));
    assert.equal(late.code, 'transaction.refused');
  });
});

describe('what came to an address', () => {
  const tokens = (to: string, value: bigint): Promise<unknown> => {
    const call = AbiCoder.defaultAbiCoder().encode(['address', 'uint256'], [to, value]);
    return send({ to: token, data: `0xa9059cbb${call.slice(2)}` });
  };

  it('is found in the logs of its tokens, with sender and time, and once more only what is new', async () => {
    const me = newAddress();
    const node = chain.node(networkAt(anvil.url));
    await tokens(me, 3n * 10n ** 18n);
    const { items, cursor } = await findIncoming(me, node, undefined, chain.coin);
    assert.deepEqual(
      items.map(({ from, amount, dust }) => [from, amount.raw, amount.symbol, dust]),
      [[ME, 3n * 10n ** 18n, 'PLAY', undefined]],
    );
    const block = (await anvil.rpc('eth_getBlockByNumber', 'latest', false)) as { timestamp: string };
    assert.equal(items[0]!.at, Number(block.timestamp) * 1000);
    assert.equal((await chain.receipt(items[0]!.hash, node)).state, 'confirmed');
    await tokens(me, 0n);
    await anvil.rpc('anvil_mine', '0x40');
    const later = await findIncoming(me, node, cursor, chain.coin);
    assert.deepEqual(later.items.map(({ dust }) => dust).sort(), [true, undefined]);
    assert.deepEqual((await findIncoming(me, node, later.cursor, chain.coin)).items, []);
  });
});

describe('nodes', () => {
  it('that are down are skipped, for reads and for the broadcast', async () => {
    const proxy = await startProxy(anvil.url);
    const dead = 'http://127.0.0.1:9';
    const to = newAddress();
    const node = chain.node(networkAt(dead, proxy.url));
    await send({ to, value: 4 }, node);
    assert.equal(await balanceOf(to), 4n);
    assert.equal(node.host, new URL(proxy.url).host);
    await proxy.stop();
    const error = await failure(chain.prepare(request({ to }), ME, chain.node(networkAt(dead)), NOBODY));
    assert.equal(error.code, 'node.unreachable');
  });

  it('that refuse batches are served without them, and those with invalid answers are skipped', async () => {
    const proxy = await startProxy(anvil.url);
    proxy.raw = { status: 200, body: '<html>nginx</html>' };
    const to = newAddress();
    const passed = chain.node(networkAt(proxy.url, anvil.url));
    await send({ to, value: 1 }, passed);
    assert.equal(passed.host, new URL(anvil.url).host);
    proxy.raw = { status: 502, body: '{}' };
    const error = await failure(chain.balance(ME, chain.node(networkAt(proxy.url))));
    assert.equal(error.code, 'node.unreachable');
    await proxy.stop();
  });

  it('that lie about the chain id are not used', async () => {
    const proxy = await startProxy(anvil.url);
    proxy.answer = ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined);
    const error = await failure(
      chain.prepare(request({ to: newAddress() }), ME, chain.node(networkAt(proxy.url)), NOBODY),
    );
    assert.equal(error.code, 'node.unreachable');
    assert.equal(error.details['reason'], 'chain-id');
    const networks = parseNetworks({ customNodes: true, networks: [networkAt(anvil.url)] });
    const lied = networkFor(
      networks,
      { secretType: 'ETHEREUM' },
      { name: 'Toy', nodeUrl: proxy.url, chainId: 31337 },
      undefined,
    );
    const refused = await failure(chain.prepare(request({ to: newAddress() }), ME, chain.node(lied), NOBODY));
    assert.deepEqual(refused.details['issues'], [
      { path: 'network.chainId', message: 'is 31337, but the node answers for chain id 1' },
    ]);
    await proxy.stop();
  });

  it('that call a live chain a test network are shown as live', async () => {
    const proxy = await startProxy(anvil.url);
    proxy.answer = ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined);
    const networks = parseNetworks({ customNodes: true, networks: [networkAt(anvil.url)] });
    for (const chainId of [1, null]) {
      const network = networkFor(
        networks,
        { secretType: 'ETHEREUM' },
        { name: 'Test network', nodeUrl: proxy.url, chainId },
        undefined,
      );
      const summary = await chain.describe(
        await chain.prepare(request({ to: newAddress() }), ME, chain.node(network), NOBODY),
      );
      assert.equal(summary.networkName, 'Ethereum mainnet');
      assert.deepEqual([summary.warnings[0]?.code, summary.warnings[0]?.tick], ['custom-node-live', true]);
    }
    await proxy.stop();
  });

  it('that lie about decimals change nothing for a listed token', async () => {
    const proxy = await startProxy(anvil.url);
    proxy.answer = ({ method, params }) =>
      method === 'eth_call' && (params[0] as { data?: string }).data?.startsWith('0x313ce567')
        ? { result: `0x${'0'.repeat(63)}2` }
        : undefined;
    const body = {
      type: 'TOKEN_TRANSFER',
      secretType: 'ETHEREUM',
      walletId: 'w',
      to: newAddress(),
      value: '1.5',
      tokenAddress: token,
    };
    const listed = await chain.describe(
      await chain.prepare(body, ME, chain.node(networkAt(proxy.url)), NOBODY),
    );
    assert.deepEqual([listed.amount.raw, listed.amount.decimals], [15n * 10n ** 17n, 18]);
    const unlisted = { ...networkAt(proxy.url), tokens: [] };
    const draft = await chain.describe(
      await chain.prepare({ ...body, value: '1.5' }, ME, chain.node(unlisted), NOBODY),
    );
    assert.deepEqual(
      [draft.amount.raw, draft.amount.decimals],
      [150n, null],
      'the raw amount is what is shown',
    );
    await proxy.stop();
  });

  it('that ask for an absurd fee need a tick', async () => {
    const proxy = await startProxy(anvil.url);
    proxy.answer = ({ method }) =>
      method === 'eth_maxPriorityFeePerGas' ? { result: '0x2386f26fc10000' } : undefined;
    const summary = await chain.describe(
      await chain.prepare(request({ to: newAddress() }), ME, chain.node(networkAt(proxy.url)), NOBODY),
    );
    assert.deepEqual([summary.warnings[0]?.code, summary.warnings[0]?.tick], ['fee-ceiling', true]);
    await proxy.stop();
  });
});

const setCode = async (machine: Anvil, address: string, code: string): Promise<void> =>
  void (await machine.rpc('anvil_setCode', padded(address, 40), code));

const padded = (value: string | bigint, digits = 64): string =>
  `0x${(typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(digits, '0')}`;

/**
 * Prices of Ethereum at which publishing a transfer takes about twice the price of its gas: anvil charges by them, and its oracle answers at
 * least as much for each byte that it is asked about.
 * https://github.com/ethereum-optimism/specs/blob/main/specs/protocol/exec-engine.md#ecotone-l1-cost-fee-changes-eip-4844-da
 */
async function opContracts(machine: Anvil): Promise<void> {
  const L1_BLOCK = `0x42${'15'.padStart(38, '0')}`;
  const scalars = (5227n << 96n) | (1_014_213n << 64n);
  await setCode(machine, L1_BLOCK, '0x00');
  // anvil has its sender pay for a call, too.
  await machine.rpc('anvil_setBalance', padded('0x', 40), padded(10n ** 18n));
  for (const [slot, value] of [
    [1n, 10_000_000_000_000n],
    [3n, scalars],
    [7n, 1_000_000_000n],
  ] as const)
    await machine.rpc('anvil_setStorageAt', L1_BLOCK, padded(slot), padded(value));
  const aByte = (16n * 5227n * 10_000_000_000_000n + 1_014_213n * 1_000_000_000n) / 1_000_000n;
  await setCode(
    machine,
    `0x42${'0f'.padStart(38, '0')}`,
    `0x3667${padded(aByte, 16).slice(2)}025f5260205ff3`,
  );
}

/** What each fee model signs for a transfer, of which all but the type is in gwei. */
const FEE_MODELS: {
  model: string;
  flags: string[];
  network?: Partial<Network>;
  /** What such a network has besides. */
  contracts?: (machine: Anvil) => Promise<void>;
  signed: { type: number; price: bigint | undefined; tip?: bigint; surcharge?: true };
}[] = [
  {
    model: 'no base fee, before EIP-1559',
    flags: ['--hardfork', 'petersburg'],
    signed: { type: 0, price: undefined },
  },
  {
    model: 'no base fee, and a lowest price',
    flags: ['--hardfork', 'berlin'],
    network: { minTip: '5000000000' },
    signed: { type: 0, price: 5n },
  },
  { model: 'the OP Stack', flags: ['--optimism'], signed: { type: 2, price: undefined, tip: 1n } },
  {
    model: 'the OP Stack, where publishing costs more than the gas',
    flags: ['--optimism'],
    contracts: opContracts,
    signed: { type: 2, price: undefined, tip: 1n, surcharge: true },
  },
  {
    model: 'a base fee of 0',
    flags: ['--block-base-fee-per-gas', '0'],
    signed: { type: 2, price: 1n, tip: 1n },
  },
  {
    model: 'a base fee of 0 and a lowest tip',
    flags: ['--block-base-fee-per-gas', '0'],
    network: { coin: { symbol: 'BNB' }, minTip: '3000000000' },
    signed: { type: 2, price: 3n, tip: 3n },
  },
  {
    model: 'a lowest tip',
    flags: [],
    network: { coin: { symbol: 'POL' }, minTip: '25000000000' },
    signed: { type: 2, price: undefined, tip: 25n },
  },
];

describe('fees', () => {
  const GWEI = 1_000_000_000n;
  /** An account sends all that it has: a transfer like any other, which is mined, and leaves what an approval lets the fee rise by. */
  async function empty(machine: Anvil, node: ReturnType<typeof chain.node>, data: string): Promise<void> {
    const key = hex(padded(BigInt(++fresh + 4096)).slice(2));
    const [from, to] = [chain.address(key), newAddress()];
    const held = 10n ** 18n;
    await machine.rpc('anvil_setBalance', from, padded(held));
    const most = await chain.maxSpendable(from, to, node, data);
    const [half, all] = await Promise.all(
      [held / 2n, most].map((value) =>
        chain.prepare(request({ to, value: String(value), data }), from, node, NOBODY),
      ),
    );
    const [{ warnings }, summary] = await Promise.all([chain.describe(half!), chain.describe(all!)]);
    const codes = [summary.warnings, warnings].map((list) => list.map(({ code }) => code));
    assert.deepEqual([summary.shortOf, codes[0]], [undefined, codes[1]]);
    assert.equal(held - most, (summary.fee.maximum.raw * 5n + 3n) / 4n);
    const sent = await chain.sign(all!, key);
    await chain.broadcast(sent, node);
    assert.equal((await receiptOf(machine, sent.hash)).status, '0x1');
    assert.equal(BigInt((await chain.balance(to, node)).rawBalance), most);
  }

  for (const { model, flags, network, contracts, signed } of FEE_MODELS)
    it(`of a network with ${model}: a transfer, a faster one, and all that is left`, async () => {
      const machine = await startAnvil('--chain-id', '1337', ...flags);
      try {
        await contracts?.(machine);
        const node = chain.node({ ...networkAt(machine.url), chainId: 1337, tokens: [], ...network });
        const to = newAddress();
        await machine.rpc('evm_setAutomine', false);
        const draft = (await chain.prepare(request({ to, value: 5 }), ME, node, NOBODY)) as EthereumDraft;
        const price = draft.gasPrice ?? draft.maxFeePerGas!;
        assert.equal(draft.type, signed.type);
        if (signed.price !== undefined) assert.equal(price, signed.price * GWEI);
        if (signed.tip !== undefined) assert.equal(draft.maxPriorityFeePerGas, signed.tip * GWEI);
        assert.equal((draft.facts.surcharge?.expected ?? 0n) > draft.gas * price, !!signed.surcharge);
        const coin = network?.coin?.symbol ?? 'ETH';
        const { fee, balance } = await chain.describe(draft);
        assert.deepEqual([fee.maximum.symbol, balance?.symbol], [coin, coin]);
        assert.equal((await chain.balance(ME, node)).symbol, coin);
        await chain.broadcast(await chain.sign(draft, KEY), node);
        const faster = await chain.sign((await chain.replace(draft, 'speed-up', node)) as EthereumDraft, KEY);
        await chain.broadcast(faster, node);
        await machine.rpc('evm_setAutomine', true);
        await machine.rpc('evm_mine');
        assert.equal((await receiptOf(machine, faster.hash)).status, '0x1');
        for (const data of ['0x', `0x${'9c7d'.repeat(150)}`]) await empty(machine, node, data);
      } finally {
        await machine.stop();
      }
    });
});
