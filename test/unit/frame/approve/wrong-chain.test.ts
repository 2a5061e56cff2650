/** A request that names a network is signed for that one or refused, whatever the wallet's default network is. */
import { expect } from '@open-wc/testing';
import { computeAddress, decodeRlp, encodeRlp, getAddress, hexlify, toUtf8Bytes, Transaction } from 'ethers';
import { ConnectError } from '../../../../src/base/errors.ts';
import { signSpend } from '../../../../src/chains/aeternity/spend.ts';
import type { Chain } from '../../../../src/chains/chain.ts';
import { loadChain, loadPayloads } from '../../../../src/chains/load.ts';
import type { SigningSummary } from '../../../../src/chains/approval/signing.ts';
import type { Network } from '../../../../src/chains/network.ts';
import type { SecretType } from '../../../../src/chains/secret-type.ts';
import type { Draft, Node, Signed } from '../../../../src/chains/terms.ts';
import type { HostRequest } from '../../../../src/channel/link.ts';
import { approvalOf, RequestRecord } from '../../../../src/frame/approve/approval.ts';
import { entryOf, prepare } from '../../../../src/frame/approve/prepare.ts';
import { sign } from '../../../../src/frame/approve/sign-flow.ts';
import type { SignatureView } from '../../../../src/frame/approve/signature-view.ts';
import type { Frame, Task } from '../../../../src/frame/frame.ts';
import type { Vault } from '../../../../src/wallets/types.ts';
import * as aeternity from '../../chains/aeternity/fake-node.ts';
import * as evm from '../../chains/fake-node.ts';
import * as tron from '../../chains/tron/fake-tron.ts';
import * as thor from '../../chains/vechain/fake-thor.ts';

const KEY = Uint8Array.from({ length: 32 }, () => 7);
const WALLET = { walletId: 'w' };

/** A request to sign, whose contents are of one of the chain's networks, or of none. */
interface SignatureRequest {
  type: string;
  data(of: Network): string;
  /** Absent where the contents name no network: then the signature counts on every one. */
  isOther?: (summary: SigningSummary) => boolean;
  /** Refused at this field where they are of another network, before anything is shown. */
  refusedAt?: string;
  more?: object;
}

interface Kind {
  to: string;
  token?: string;
  /** For `execute`, of every type that the chain has. */
  requests: readonly object[];
  /** For `sign`. */
  signatures: readonly SignatureRequest[];
  /** Each with what tells it from the others. */
  networks: readonly [Network, Network, Network];
  nodeOf(network: Network, from: string): Node;
  /** Of which network the signed bytes are, by its id. */
  signedFor(signed: Signed, draft: Draft, networks: readonly Network[]): Promise<string | undefined>;
}

const TOKEN = `0x${'70'.repeat(20)}`;
const AE_TO = 'ak_Egp9yVdpxmvAfQ7vsXGvpnyfNq71msbdUpkMNYGTeTe8kPL3v';
/** The bodies that all chains with contracts have. */
const built = (secretType: SecretType, to: string, token: string): object[] => [
  { type: 'TRANSFER', secretType, to, value: '0.01' },
  { type: 'GAS_TRANSFER', secretType, to, value: '0.01' },
  { type: 'TOKEN_TRANSFER', secretType, to, value: '0.01', tokenAddress: token },
  { type: 'CONTRACT_EXECUTION', secretType, to: token, functionName: 'stop', inputs: [] },
];
const listed = (address: string) => [{ address, symbol: 'PLAY', name: 'Play', decimals: 6, logo: '' }];

const hexOfText = (text: string): string => hexlify(toUtf8Bytes(text));
const MESSAGE = hexOfText('Hello');
const hasWarning = (summary: SigningSummary, code: string): boolean =>
  summary.kind === 'typed' && summary.warnings.some((each) => each.code === code && each.level === 'danger');

function evmSignatures(secretType: 'ETHEREUM' | 'GOCHAIN'): SignatureRequest[] {
  return [
    { type: `${secretType}_RAW`, data: () => MESSAGE },
    {
      type: `${secretType}_RAW`,
      data: ({ chainId }) =>
        hexOfText(
          [
            'shop.example wants you to sign in with your Ethereum account:',
            getAddress(computeAddress(hexlify(KEY))),
            '',
            '',
            'URI: https://shop.example/login',
            'Version: 1',
            `Chain ID: ${chainId}`,
            'Nonce: 12341234',
            'Issued At: 1970-01-01T00:00:00Z',
          ].join('\n'),
        ),
      isOther: (summary) =>
        summary.kind === 'sign-in' && summary.mismatches.some(({ what }) => what === 'network'),
    },
    {
      type: `${secretType}_TYPED_DATA`,
      data: ({ chainId }) =>
        JSON.stringify({
          types: {
            EIP712Domain: [{ name: 'chainId', type: 'uint256' }],
            Mail: [{ name: 'text', type: 'string' }],
          },
          primaryType: 'Mail',
          domain: { chainId },
          message: { text: 'Hello' },
        }),
      isOther: (summary) => hasWarning(summary, 'other-network'),
    },
    {
      type: `${secretType}_TRANSACTION`,
      data: ({ chainId }) =>
        Transaction.from({
          type: 0,
          chainId: chainId!,
          to: TOKEN,
          nonce: 7,
          gasLimit: 90_000,
          gasPrice: 2_000_000_000,
          value: 1,
        }).unsignedSerialized,
      refusedAt: 'data',
      more: { prefix: false },
    },
  ];
}

function evmKind(
  secretType: 'ETHEREUM' | 'GOCHAIN',
  [coin, token]: readonly [coin: string, token: string],
  ...chainIds: [number, number, number]
): Kind {
  const to = `0x${'11'.repeat(20)}`;
  const networks = chainIds.map(
    (chainId, index): Network => ({
      ...evm.NETWORK,
      secretType,
      id: `${secretType}-${index}`,
      name: `Chain of ${chainId}`,
      kind: index === 2 ? 'testnet' : 'mainnet',
      chainId,
      tokens: listed(TOKEN),
    }),
  );
  return {
    to,
    token: TOKEN,
    requests: [
      { type: coin, to, value: '1' },
      { type: coin, to: TOKEN, value: '0', data: '0x12345678', gas: '90000' },
      { type: token, to, value: '1', tokenAddress: TOKEN },
      ...built(secretType, to, TOKEN),
    ],
    signatures: evmSignatures(secretType),
    networks: networks as unknown as Kind['networks'],
    nodeOf: (network) =>
      evm.fakeNode(
        { ...evm.QUIET, eth_chainId: `0x${network.chainId!.toString(16)}`, eth_call: '0x' },
        network,
      ).node,
    signedFor: async ({ raw }) =>
      networks.find(({ chainId }) => BigInt(chainId!) === Transaction.from(raw).chainId)?.id,
  };
}

const THOR_IDS = ['4a', '27', 'f6'].map((tag) => `0x00000000${'ab'.repeat(27)}${tag}`);
const BLOCKS = ['e2', 'e3', 'e4'].map(
  (tag) => `0000000003fe266bf6b6d392f654dc${tag}5011601546ed04623d9fcc4e9d439a25`,
);
const three = (base: Network, more: (index: number) => Partial<Network>): Kind['networks'] =>
  [0, 1, 2].map((index) => ({
    ...base,
    id: `${base.secretType}-${index}`,
    name: `${base.secretType} ${index}`,
    kind: index === 2 ? 'testnet' : 'mainnet',
    ...more(index),
  })) as unknown as Kind['networks'];
const placeOf = ({ id }: Network): number => Number(id.at(-1));

const KINDS: { [S in SecretType]?: Kind } = {
  ETHEREUM: evmKind('ETHEREUM', ['ETH_TRANSACTION', 'ETHEREUM_ERC20_TRANSACTION'], 1, 8453, 11155111),
  GOCHAIN: evmKind('GOCHAIN', ['GO_TRANSACTION', 'GOCHAIN_GO20_TRANSACTION'], 60, 61, 31337),
  VECHAIN: {
    to: `0x${'11'.repeat(20)}`,
    token: TOKEN,
    requests: [
      { type: 'VET_TRANSACTION', clauses: [{ to: TOKEN, amount: 0, data: '0x12345678' }] },
      { type: 'VTHO_TRANSACTION', clauses: [{ to: TOKEN, amount: 1 }] },
      { type: 'VECHAIN_VIP180_TRANSACTION', clauses: [{ to: TOKEN, amount: 1, tokenAddress: TOKEN }] },
      ...built('VECHAIN', `0x${'11'.repeat(20)}`, TOKEN),
    ],
    signatures: [
      { type: 'VECHAIN_CERTIFICATE', data: () => MESSAGE, more: { purpose: 'identification' } },
      {
        type: 'VECHAIN_TRANSACTION',
        data: ({ genesis }) =>
          encodeRlp([
            `0x${genesis!.slice(-2)}`,
            '0x03e8aabbccdd',
            '0x20',
            [[`0x${'11'.repeat(20)}`, '0x01', '0x']],
            '0x',
            '0x5208',
            '0x',
            '0x0c',
            [],
          ]),
        refusedAt: 'data',
        more: { prefix: false },
      },
    ],
    networks: three(thor.NETWORK, (index) => ({ genesis: THOR_IDS[index]!, tokens: listed(TOKEN) })),
    nodeOf: (network) =>
      thor.fakeNode({ ...thor.QUIET, 'GET /blocks/0': { id: network.genesis } }, network).node,
    async signedFor({ raw }, _draft, networks) {
      const body = raw.startsWith('0x51') ? `0x${raw.slice(4)}` : raw;
      const [tag] = decodeRlp(body) as string[];
      return networks.find(({ genesis }) => genesis!.endsWith(tag!.slice(2)))?.id;
    },
  },
  TRON: {
    to: tron.TO,
    token: tron.TOKEN,
    requests: [
      { type: 'TRX_TRANSACTION', to: tron.TO, value: '1' },
      { type: 'TRC10_TRANSACTION', to: tron.TO, value: '1', token: tron.TOKEN },
      { type: 'TRC10_TRANSACTION', to: tron.TO, value: '1', token: tron.ASSET },
      { type: 'TRON_CONTRACT_EXECUTION', to: tron.TOKEN, functionName: 'stop', inputs: [] },
      ...built('TRON', tron.TO, tron.TOKEN),
    ],
    signatures: [{ type: 'TRON_MESSAGE', data: () => MESSAGE }],
    networks: three(tron.LISTED, (index) => ({ genesis: `${index}${tron.GENESIS.slice(1)}` })),
    nodeOf: (network) =>
      tron.fakeTron(
        {
          getblock: { blockID: network.genesis },
          getnowblock: {
            blockID: BLOCKS[placeOf(network)],
            block_header: { raw_data: { number: 66987627, timestamp: tron.BLOCK_TIME } },
          },
        },
        network,
      ).node,
    // A transaction is bound to its network by a block of it: bytes 8 to 16 of the id.
    signedFor: async ({ raw }, _draft, networks) =>
      networks.find((network) => raw.includes(BLOCKS[placeOf(network)]!.slice(16, 32)))?.id,
  },
  AETERNITY: {
    to: AE_TO,
    requests: [
      { type: 'AE_TRANSACTION', to: AE_TO, value: '1' },
      { type: 'TRANSFER', secretType: 'AETERNITY', to: AE_TO, value: '0.01' },
      { type: 'GAS_TRANSFER', secretType: 'AETERNITY', to: AE_TO, value: '0.01' },
    ],
    signatures: [{ type: 'AETERNITY_MESSAGE', data: () => MESSAGE }],
    networks: three(aeternity.NETWORK, (index) => ({ genesis: `ae_${index}` })),
    nodeOf: (network, from) =>
      aeternity.fakeNode({ ...aeternity.quiet(from), '/status': { network_id: network.genesis } }, network)
        .node,
    // The id is signed, but not sent.
    async signedFor({ raw }, draft, networks) {
      for (const { id, genesis } of networks)
        if ((await signSpend(draft as never, genesis!, KEY)).raw === raw) return id;
      return undefined;
    },
  },
};

/** The wallet at `home`, with every network of its chain and one of another chain. */
async function scene(secretType: SecretType, { networks, nodeOf }: Kind, home: Network | undefined) {
  const chain = await loadChain(secretType);
  const address = await (chain as Chain).address(KEY, 'mainnet');
  const wallet = { id: 'w', secretType, address, network: home?.id, walletType: 'BROWSER', archived: false };
  const vault = {
    linked: async () => [wallet],
    linkNetworks: async () => [],
    wallets: async () => [wallet],
    recipients: async () => [],
    activity: { used: async () => [], senders: async () => [] },
    journal: { find: async () => undefined, last: async () => undefined },
    holder: () => ({ state: async () => ({ pin: true, passkey: false, lockedUntil: null }) }),
  } as unknown as Vault;
  const other: Network = { ...evm.NETWORK, id: 'other', secretType: 'BITCOIN' };
  const frame = {
    networks: { customNodes: false, reported: [], networks: [...networks, other] },
    link: { origin: 'https://shop.example' },
    clock: { now: () => 0, date: () => 0 },
    chain: async () => ({ ...chain, node: (network: Network) => nodeOf(network, address) }),
    payloads: () => loadPayloads(secretType),
  } as unknown as Frame;
  return { vault, frame };
}

const NAMES = ['nowhere', 'other', '', 'constructor'];

/** Each wallet, and each name that a request can have for a network. `expected`: the id of the network that it is about, if there is one. */
async function everyCase(
  secretType: SecretType,
  kind: Kind,
  run: (around: {
    frame: Frame;
    vault: Vault;
    /** What the request names, to be spread into it. */
    named: { network?: string };
    expected: Network | undefined;
    label: string;
  }) => Promise<void>,
): Promise<void> {
  const { networks } = kind;
  for (const home of [undefined, ...networks])
    for (const name of [undefined, ...networks.map(({ id }) => id), ...NAMES]) {
      const { vault, frame } = await scene(secretType, kind, home);
      const id = name ?? (home ?? networks[0]).id;
      const expected = networks.find((network) => network.id === id);
      const named = name === undefined ? {} : { network: name };
      await run({ frame, vault, named, expected, label: `${home?.id} ${name}` });
    }
}

/** Throws what is no refusal of a field. */
function fieldsOf(error: unknown, label: string): string[] {
  expect(error, `${label}: ${error}`).to.be.instanceOf(ConnectError);
  const { issues } = (error as ConnectError).details as { issues?: { path: string }[] };
  expect(issues, `${label}: ${error}`).to.not.equal(undefined);
  return issues!.map(({ path }) => path);
}

/** Thrown where the user would be asked. */
class Shown extends Error {
  constructor(readonly view: SignatureView) {
    super('shown');
  }
}

/** What `sign` shows. */
async function shown(frame: Frame, vault: Vault, params: object): Promise<SignatureView> {
  const stage = {
    open(view: SignatureView) {
      throw new Shown(view);
    },
  };
  const task = { id: 'request-0001', action: 'sign', params, signal: new AbortController().signal };
  try {
    await sign(
      { ...frame, stage, vault: async () => vault } as unknown as Frame,
      task as unknown as Task<'sign'>,
    );
  } catch (error) {
    if (error instanceof Shown) return error.view;
    throw error;
  }
  throw new Error('nothing was shown');
}

describe('a request of a wallet that is on several networks', () => {
  for (const [type, kind] of Object.entries(KINDS)) {
    const secretType = type as SecretType;
    const { to, token, requests, signatures, networks } = kind;
    const transfers = [undefined, token].flatMap((tokenAddress, index) =>
      index && !tokenAddress ? [] : { secretType, to, value: '0.01', ...(tokenAddress && { tokenAddress }) },
    );
    for (const [request, isTransfer] of [
      ...transfers.map((each) => [each, true] as const),
      ...requests.map((each) => [each, false] as const),
    ])
      it(`is signed for the one that it names, which its approval shows, or refused: ${secretType} ${JSON.stringify(request)}`, () =>
        everyCase(secretType, kind, async ({ frame, vault, named, expected, label }) => {
          const params = { ...WALLET, ...request, ...named };
          const action = isTransfer ? 'transfer' : 'execute';
          const task = { id: 'request-0001', action, params } as unknown as HostRequest;
          const preparing = prepare(frame, vault, task, params as never, isTransfer);
          if (!expected) {
            expect(fieldsOf(await preparing.catch((error: unknown) => error), label)).to.deep.equal([
              'network',
            ]);
            return;
          }
          const prepared = await preparing;
          const entry = entryOf(frame, task, prepared);
          expect(entry.networkId, label).to.equal(expected.id);
          const { source } = approvalOf(frame, task, prepared, new RequestRecord(frame, vault, entry));
          const draft = await source.draft();
          const { networkName } = await prepared.chain.describe(draft);
          expect(networkName, label).to.equal(expected.name);
          const signed = await prepared.chain.sign(draft, KEY.slice());
          expect(await kind.signedFor(signed, draft, networks), label).to.equal(expected.id);
        }));

    for (const { type: signature, data, isOther, refusedAt, more } of signatures)
      for (const of of isOther || refusedAt ? networks : networks.slice(0, 1))
        it(`to sign names its network, and says or refuses what is for another one: ${signature} of ${of.id}`, () =>
          everyCase(secretType, kind, async ({ frame, vault, named, expected, label }) => {
            const params = { ...WALLET, type: signature, data: data(of), ...more, ...named };
            const showing = shown(frame, vault, params);
            if (!expected || (refusedAt && of !== expected)) {
              const paths = fieldsOf(await showing.catch((error: unknown) => error), label);
              expect(paths, label).to.deep.equal([expected ? refusedAt : 'network']);
              return;
            }
            const { networkName, summary } = await showing;
            expect(networkName, label).to.equal(expected.name);
            if (summary.kind === 'transaction')
              expect(summary.summary.networkName, label).to.equal(expected.name);
            if (isOther) expect(isOther(summary), label).to.equal(of !== expected);
          }));
  }
});
