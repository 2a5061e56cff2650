/** A request that names a network is signed for that one or refused, whatever the wallet's default network is. */
import { expect } from '@open-wc/testing';
import { decodeRlp, Transaction } from 'ethers';
import { ConnectError } from '../../../../src/base/errors.ts';
import { signSpend } from '../../../../src/chains/aeternity/spend.ts';
import type { Chain } from '../../../../src/chains/chain.ts';
import { loadChain, loadPayloads } from '../../../../src/chains/load.ts';
import type { TypedSigning } from '../../../../src/chains/approval/signing.ts';
import type { Network } from '../../../../src/chains/network.ts';
import { networkOn } from '../../../../src/chains/nodes/networks.ts';
import type { SecretType } from '../../../../src/chains/secret-type.ts';
import type { Draft, Node, Signed } from '../../../../src/chains/terms.ts';
import type { HostRequest } from '../../../../src/channel/link.ts';
import { approvalOf, RequestRecord } from '../../../../src/frame/approve/approval.ts';
import { entryOf, prepare } from '../../../../src/frame/approve/prepare.ts';
import type { Frame } from '../../../../src/frame/frame.ts';
import type { Vault } from '../../../../src/wallets/types.ts';
import * as aeternity from '../../chains/aeternity/fake-node.ts';
import * as evm from '../../chains/fake-node.ts';
import * as tron from '../../chains/tron/fake-tron.ts';
import * as thor from '../../chains/vechain/fake-thor.ts';

const KEY = Uint8Array.from({ length: 32 }, () => 7);
const WALLET = { walletId: 'w' };

interface Kind {
  to: string;
  token?: string;
  /** A call of a contract, as the chain's own request. */
  call?: object;
  /** Each with what tells it from the others. */
  networks: readonly [Network, Network, Network];
  nodeOf(network: Network, from: string): Node;
  /** Of which network the signed bytes are, by its id. */
  signedFor(signed: Signed, draft: Draft, networks: readonly Network[]): Promise<string | undefined>;
}

const TOKEN = `0x${'70'.repeat(20)}`;
const listed = (address: string) => [{ address, symbol: 'PLAY', name: 'Play', decimals: 6, logo: '' }];

function evmKind(secretType: SecretType, call: object, ...chainIds: [number, number, number]): Kind {
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
    to: `0x${'11'.repeat(20)}`,
    token: TOKEN,
    call,
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
    kind: index === 2 ? 'testnet' : 'mainnet',
    ...more(index),
  })) as unknown as Kind['networks'];
const placeOf = ({ id }: Network): number => Number(id.at(-1));

const KINDS: { [S in SecretType]?: Kind } = {
  ETHEREUM: evmKind(
    'ETHEREUM',
    { type: 'ETH_TRANSACTION', to: TOKEN, value: '0', data: '0x12345678', gas: '90000' },
    1,
    8453,
    11155111,
  ),
  GOCHAIN: evmKind(
    'GOCHAIN',
    { type: 'GO_TRANSACTION', to: TOKEN, value: '0', data: '0x12345678', gas: '90000' },
    60,
    61,
    31337,
  ),
  VECHAIN: {
    to: `0x${'11'.repeat(20)}`,
    token: TOKEN,
    call: { type: 'VET_TRANSACTION', clauses: [{ to: TOKEN, amount: 0, data: '0x12345678' }] },
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
    call: {
      type: 'TRON_CONTRACT_EXECUTION',
      to: tron.TOKEN,
      functionName: 'stop',
      inputs: [],
    },
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
    to: 'ak_Egp9yVdpxmvAfQ7vsXGvpnyfNq71msbdUpkMNYGTeTe8kPL3v',
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
    wallets: async () => [wallet],
    recipients: async () => [],
    activity: { used: async () => [], senders: async () => [] },
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

const REQUESTS: Record<string, (secretType: SecretType, kind: Kind) => object | undefined> = {
  transfer: (secretType, { to }) => ({ ...WALLET, secretType, to, value: '0.01' }),
  'token transfer': (secretType, { to, token }) =>
    token === undefined ? undefined : { ...WALLET, secretType, to, value: '0.01', tokenAddress: token },
  call: (_secretType, { call }) => call && { ...WALLET, ...call },
};

describe('a request of a wallet that is on several networks', () => {
  for (const [type, kind] of Object.entries(KINDS)) {
    const secretType = type as SecretType;
    for (const [what, requestOf] of Object.entries(REQUESTS)) {
      const request = requestOf(secretType, kind);
      if (!request) continue;
      it(`is signed for the one that it names, or refused: ${what} of ${secretType}`, async () => {
        const { networks } = kind;
        for (const home of [undefined, ...networks])
          for (const name of [
            undefined,
            ...networks.map(({ id }) => id),
            'nowhere',
            'other',
            '',
            'constructor',
          ]) {
            const { vault, frame } = await scene(secretType, kind, home);
            const params = { ...request, ...(name !== undefined && { network: name }) };
            const task = { id: 'request-0001', action: 'execute', params } as unknown as HostRequest;
            const label = `${home?.id} ${name}`;
            const expected = name ?? (home ?? networks[0]).id;
            let prepared;
            try {
              prepared = await prepare(frame, vault, task, params as never, what !== 'call');
            } catch (error) {
              expect(error, label).to.be.instanceOf(ConnectError);
              const { issues } = (error as ConnectError).details as { issues: { path: string }[] };
              expect(
                issues.map(({ path }) => path),
                label,
              ).to.deep.equal(['network']);
              expect(
                networks.map(({ id }) => id),
                label,
              ).to.not.include(expected);
              continue;
            }
            expect(prepared.node.network.id, label).to.equal(expected);
            const entry = entryOf(frame, task, prepared);
            expect(entry.networkId, label).to.equal(expected);
            const { source } = approvalOf(frame, task, prepared, new RequestRecord(frame, vault, entry));
            const draft = await source.draft();
            const signed = await prepared.chain.sign(draft, KEY.slice());
            expect(await kind.signedFor(signed, draft, networks), label).to.equal(expected);
          }
      });
    }
    if (secretType !== 'ETHEREUM' && secretType !== 'GOCHAIN') continue;
    it(`is a danger if its typed data is for another one: ${secretType}`, async () => {
      const { networks } = kind;
      const payloads = await loadPayloads(secretType);
      for (const home of [undefined, ...networks])
        for (const name of [undefined, ...networks.map(({ id }) => id)])
          for (const chainId of networks.map((network) => network.chainId!)) {
            const { frame } = await scene(secretType, kind, home);
            const chain = await frame.chain(secretType);
            const data = JSON.stringify({
              types: {
                EIP712Domain: [{ name: 'chainId', type: 'uint256' }],
                Mail: [{ name: 'text', type: 'string' }],
              },
              primaryType: 'Mail',
              domain: { chainId },
              message: { text: 'Hello' },
            });
            const request = payloads.parseSigning({ ...WALLET, type: `${secretType}_TYPED_DATA`, data });
            const node = chain.node(networkOn(frame.networks, { secretType, network: home?.id }, name));
            const about = { origin: 'https://shop.example', now: 0 };
            const nobody = { used: [], own: [], reported: [] };
            const shown = await chain.describeSigning!(request, `0x${'77'.repeat(20)}`, node, nobody, about);
            const expected = networks.find(({ id }) => id === (name ?? (home ?? networks[0]).id))!;
            const codes = (shown as TypedSigning).warnings.map(({ code, level }) => `${level} ${code}`);
            expect(codes.includes('danger other-network'), `${home?.id} ${name} ${chainId}`).to.equal(
              chainId !== expected.chainId,
            );
          }
    });
  }
});
