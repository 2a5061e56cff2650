/** An operator's words for contracts, and what tokens say of themselves, on a real node: from networks.json to what an approval is drawn of. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { keccak256 } from 'ethers/crypto';
import { startFrameServer } from '../../service/frame-server.ts';
import { readNetworksFile } from '../../service/networks/networks-file.ts';
import type { CallWords, Summary } from '../../src/chains/approval/summary.ts';
import { encodeCall } from '../../src/chains/contracts/abi.ts';
import { checksum } from '../../src/chains/contracts/evm-address.ts';
import type { Network } from '../../src/chains/network.ts';
import type { ChainRequest } from '../../src/chains/terms.ts';
import { systemClock } from '../../src/base/clock.ts';
import { withWords } from '../../src/frame/approve/call-words.ts';
import { ethereum, ethereumPayloads as payloads } from '../families.ts';
import { fromPage } from '../unit/chains/from-page.ts';
import { type Anvil, receiptOf, startAnvil, startProxy } from './anvil.ts';

const chain = fromPage(ethereum, payloads);
const NOBODY = { used: [], own: [], reported: [] };
/** anvil's first account. */
const ME = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const FRIEND = checksum(`0x${'b0'.repeat(20)}`);
const UNLIMITED = 2n ** 256n - 1n;

/** Code that answers every call with one word. */
const answering = (word: string): string => `0x60${word}60005260206000f3`;
const REVERTING = '0x60006000fd';

let anvil: Anvil;
let folder: string;
before(async () => {
  anvil = await startAnvil();
  folder = mkdtempSync(join(tmpdir(), 'carabiner-words-'));
});
after(async () => {
  await anvil?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function deploy(code: string): Promise<string> {
  const bytes = code.slice(2);
  const size = (bytes.length / 2).toString(16).padStart(4, '0');
  const data = `0x61${size}80600a3d393df3${bytes}`;
  const hash = (await anvil.rpc('eth_sendTransaction', { from: ME, data })) as string;
  return checksum((await receiptOf(anvil, hash)).contractAddress);
}

/** Of the code that the node has. */
async function codeHash(address: string): Promise<string> {
  return keccak256((await anvil.rpc('eth_getCode', address, 'latest')) as string);
}

const network = (more: object = {}) => ({
  id: 'ethereum-local',
  secretType: 'ETHEREUM',
  name: 'Local Ethereum',
  kind: 'local',
  chainId: 31337,
  nodes: [anvil.url],
  ...more,
});

/** A file beside networks.json, as it is listed. */
function fileOf(content: unknown): { file: string; sha256: string } {
  const text = JSON.stringify(content);
  const sha256 = createHash('sha256').update(text).digest('hex');
  writeFileSync(join(folder, `${sha256}.json`), text);
  return { file: `${sha256}.json`, sha256 };
}

const descriptor = (address: string, formats: object, chainId = 31337): object => ({
  context: { contract: { deployments: [{ chainId, address }] } },
  metadata: { owner: 'Pool Labs' },
  display: { formats },
});

const REWARD = 'claimReward77(address to, uint256 sum)';
const CLAIM = {
  [REWARD]: {
    intent: 'Claim reward',
    fields: [
      { path: 'to', label: 'Goes to', format: 'addressName' },
      { path: 'sum', label: 'Reward', format: 'amount' },
    ],
  },
};
const claim = (sum = 5n * 10n ** 17n): string =>
  encodeCall('claimReward77', ['address', 'uint256'], [FRIEND, sum]);

/** As the server reads networks.json at its start. */
function readNetworks(...networks: object[]): ReturnType<typeof readNetworksFile> {
  const path = join(folder, 'networks.json');
  writeFileSync(path, JSON.stringify({ networks }));
  return readNetworksFile(path);
}

/** The approval of a call, with the file from the frame's origin. `on`: the network as the wallet has it, if not the server's. */
async function approvalOf(
  read: ReturnType<typeof readNetworksFile>,
  { to, data = claim(), on }: { to: string; data?: string; on?: Partial<Network> },
): Promise<Summary> {
  const server = await startFrameServer({ dist: folder, ...read, port: 0 });
  Object.assign(globalThis, { location: { href: `${server.url}/frame/` } });
  try {
    const local = { ...read.networks.networks[0]!, ...on };
    const request: ChainRequest = { type: 'ETH_TRANSACTION', walletId: 'w', to, value: 0, data };
    const draft = await chain.prepare(request, ME, chain.node(local), NOBODY);
    return await withWords(systemClock, local, await chain.describe(draft));
  } finally {
    Reflect.deleteProperty(globalThis, 'location');
    await server.close();
  }
}

const dangersOf = ({ warnings }: Summary): string[] =>
  warnings.flatMap(({ code, level, tick }) => (level === 'danger' && tick ? code : []));

describe('the words of an operator', () => {
  let pool: string;
  let words: CallWords | undefined;
  const entryOf = async (formats: object, more: object = {}) => ({
    address: pool,
    codeHash: await codeHash(pool),
    ...fileOf(descriptor(pool, formats)),
    ...more,
  });

  before(async () => {
    pool = await deploy('0x00');
  });

  it('stand beside a call, by a descriptor and by an ABI, with its danger', async () => {
    const described = await approvalOf(readNetworks(network({ descriptors: [await entryOf(CLAIM)] })), {
      to: pool,
    });
    ({ words } = described.call!);
    assert.deepEqual(
      [words!.owner, words!.intent, words!.fields],
      [
        'Pool Labs',
        'Claim reward',
        [
          { label: 'Goes to', address: FRIEND },
          { label: 'Reward', amount: { raw: 5n * 10n ** 17n, decimals: 18, symbol: 'ETH' } },
        ],
      ],
    );
    const abi = [
      {
        type: 'function',
        name: 'claimReward77',
        inputs: [
          { name: 'to', type: 'address' },
          { name: 'sum', type: 'uint256' },
        ],
      },
    ];
    const named = await approvalOf(
      readNetworks(network({ descriptors: [await entryOf(CLAIM, fileOf(abi))] })),
      { to: pool },
    );
    assert.deepEqual(
      [named.call!.words!.name, named.call!.words!.fields, named.call!.words!.arguments],
      ['claimReward77', [], words!.arguments],
    );
    for (const one of [described, named]) assert.deepEqual(dangersOf(one), ['unknown-call']);
  });

  it('call the coin of another network by its own symbol', async () => {
    const read = readNetworks(network({ coin: { symbol: 'POL' }, descriptors: [await entryOf(CLAIM)] }));
    const { call } = await approvalOf(read, { to: pool });
    assert.equal(call!.words!.fields[1]!.amount!.symbol, 'POL');
  });

  it('are gone with other code at the address, and for other addresses and chains', async () => {
    const read = readNetworks(network({ descriptors: [await entryOf(CLAIM)] }));
    const twin = await deploy('0x00');
    assert.equal((await approvalOf(read, { to: twin })).call!.words, undefined);
    // The chain of a copied file, and the chain of the network that it is copied into.
    assert.throws(
      () => readNetworks(network({ chainId: 1, descriptors: read.networks.networks[0]!.descriptors })),
      /descriptors\[0\] of the network “ethereum-local” cannot be used/,
    );
    const elsewhere = fileOf(descriptor(pool, CLAIM, 1));
    assert.throws(
      () =>
        readNetworks(
          network({
            descriptors: [{ ...(read.networks.networks[0]!.descriptors![0] as object), ...elsewhere }],
          }),
        ),
      /is not for .* on chain 31337/,
    );
    await anvil.rpc('anvil_setCode', pool, '0x0000');
    const upgraded = await approvalOf(read, { to: pool });
    await anvil.rpc('anvil_setCode', pool, '0x00');
    assert.deepEqual([upgraded.call!.descriptor, upgraded.call!.words], [undefined, undefined]);
    assert.deepEqual(dangersOf(upgraded), ['unknown-call']);
    assert.notEqual((await approvalOf(read, { to: pool })).call!.words, undefined);
  });

  it('stop the start by a wrong pin, and are gone where the wallet gets another file', async () => {
    const entry = await entryOf(CLAIM);
    assert.throws(
      () => readNetworks(network({ descriptors: [{ ...entry, sha256: 'ab'.repeat(32) }] })),
      /is not the file that was listed: its SHA-256 is .*, and sha256 says abab/,
    );
    const changed = { ...CLAIM[REWARD]!, intent: 'Free money' };
    const read = readNetworks(network({ descriptors: [await entryOf({ [REWARD]: changed })] }));
    const [[path] = []] = read.descriptors;
    const served = { ...read, descriptors: new Map([[path!, 'another file']]) };
    const { call, ...rest } = await approvalOf(served, { to: pool });
    assert.deepEqual([call!.words, dangersOf({ call, ...rest })], [undefined, ['unknown-call']]);
  });

  it('leave an unlimited allowance its danger, whatever they call it', async () => {
    const token = await deploy(answering('01'));
    const data = encodeCall('approve', ['address', 'uint256'], [FRIEND, UNLIMITED]);
    const reward = { 'approve(address to, uint256 sum)': { intent: 'Claim reward', fields: [] } };
    const listed = {
      address: token,
      codeHash: await codeHash(token),
      ...fileOf(descriptor(token, reward)),
    };
    const plain = await approvalOf(readNetworks(network()), { to: token, data });
    const described = await approvalOf(readNetworks(network({ descriptors: [listed] })), { to: token, data });
    assert.ok(dangersOf(plain).includes('unlimited-approval'));
    assert.deepEqual(described.warnings, plain.warnings);
    assert.deepEqual(described.call, plain.call);
  });

  it('leave what a trial run finds where it is', async () => {
    // Whatever it is called, it says that it moves one of the caller's own items to somebody.
    const topic = keccak256(new TextEncoder().encode('Transfer(address,address,uint256)')).slice(2);
    const thief = await deploy(`0x600160005273${FRIEND.slice(2)}337f${topic}60206000a300`);
    const listed = {
      address: thief,
      codeHash: await codeHash(thief),
      ...fileOf(descriptor(thief, CLAIM)),
    };
    const plain = await approvalOf(readNetworks(network()), { to: thief });
    const described = await approvalOf(readNetworks(network({ descriptors: [listed] })), { to: thief });
    assert.equal(described.call!.words!.intent, 'Claim reward');
    assert.deepEqual(
      plain.changes!.map(({ direction, amount }) => [direction, amount.raw]),
      [['out', 1n]],
    );
    assert.deepEqual([described.changes, described.warnings], [plain.changes, plain.warnings]);
  });
});

describe('what an unlisted token says of its decimals', () => {
  const describedOf = async (
    request: { type: string; [field: string]: unknown },
    url = anvil.url,
  ): Promise<Summary> => {
    const node = chain.node({ ...(network({ nodes: [url] }) as Omit<Network, 'tokens'>), tokens: [] });
    const draft = await chain.prepare(
      { walletId: 'w', to: FRIEND, ...request } as ChainRequest,
      ME,
      node,
      NOBODY,
    );
    return chain.describe(draft);
  };
  const transfer = (tokenAddress: string, value: string, url?: string): Promise<Summary> =>
    describedOf({ type: 'TOKEN_TRANSFER', secretType: 'ETHEREUM', tokenAddress, value }, url);
  /** In its smallest units, for which no decimals are needed. */
  const raw = (to: string): Promise<Summary> => {
    const data = encodeCall('transfer', ['address', 'uint256'], [FRIEND, 1_500_000n]);
    return describedOf({ type: 'ETH_TRANSACTION', to, value: 0, data });
  };

  it('is beside the smallest units', async () => {
    for (const [word, decimals] of [
      ['06', 6],
      ['00', 0],
      ['24', 36],
    ] as const) {
      const { amount } = await raw(await deploy(answering(word)));
      assert.deepEqual([amount.raw, amount.decimals, amount.claimedDecimals], [1_500_000n, null, decimals]);
    }
    const { amount, total, warnings } = await transfer(await deploy(answering('06')), '1.5');
    assert.deepEqual([amount.raw, amount.claimedDecimals, total.symbol], [1_500_000n, 6, 'ETH']);
    assert.ok(warnings.some(({ code }) => code === 'unlisted-token'));
  });

  it('is left out where it is nonsense, or is not to be had', async () => {
    for (const code of [answering('ff'), answering('25'), REVERTING, '0x00']) {
      const { amount } = await raw(await deploy(code));
      assert.deepEqual([amount.raw, amount.decimals], [1_500_000n, null], code);
      assert.equal('claimedDecimals' in amount, false, code);
    }
    await assert.rejects(transfer(await deploy(answering('ff')), '1.5'), {
      code: 'request.invalid',
      message: /value.* is too large/s,
    });
    await assert.rejects(transfer(await deploy(REVERTING), '1.5'), {
      code: 'request.invalid',
      message: /tokenAddress.* it tells no decimals/s,
    });
  });

  it('never changes what is signed: another answer is only another line', async () => {
    const token = await deploy(answering('06'));
    const proxy = await startProxy(anvil.url);
    let count = 0;
    proxy.answer = ({ method, params }) =>
      method === 'eth_call' && (params[0] as { data?: string }).data?.startsWith('0x313ce567')
        ? { result: `0x${(count++ % 2 ? 18 : 6).toString(16).padStart(64, '0')}` }
        : undefined;
    try {
      const { amount, call } = await transfer(token, '1.5', proxy.url);
      assert.equal(count, 2);
      const sent = BigInt(`0x${call!.data.slice(-64)}`);
      assert.deepEqual([amount.raw, amount.decimals], [sent, null]);
      assert.ok([1_500_000n, 15n * 10n ** 17n].includes(sent));
    } finally {
      await proxy.stop();
    }
  });
});
