/** A transaction is confirmed at the network's confirmations, and over only by blocks that have them. */
import { expect } from '@open-wc/testing';
import type { Claims } from '../../../src/chains/approval/claims.ts';
import type { Receipt, TransactionState } from '../../../src/chains/terms.ts';
import { loadChain } from '../../../src/chains/load.ts';
import type { Network } from '../../../src/chains/network.ts';
import { confirmationsOn } from '../../../src/chains/nodes/confirmations.ts';
import type { SecretType } from '../../../src/chains/secret-type.ts';

const HASH = '5e'.repeat(32);
const BLOCK = 100;
const NEEDED = 3;
/** Of the other transaction that uses the same nonce or coin. */
const OTHER = 'ab'.repeat(32);

const hex = (number: number): string => `0x${number.toString(16)}`;

/** What a node has: the newest block, and whether ours, or another in its place, is in `BLOCK`. */
interface Scene {
  head: number;
  has: 'ours' | 'other';
  /** The node has said which nonce is next. */
  onNonceRead?: () => void;
}

interface Api {
  hash: string;
  claims?: Claims;
  /** Undefined: it is not found, in the words of this node's API. */
  answer(path: string, scene: Scene): unknown;
  notFound?: unknown;
}

/** Of the node at `at`, a block's number in hex. */
const count = (at: string, { has }: Scene): string => hex(has === 'other' && Number(at) >= BLOCK ? 6 : 5);

const EVM: Api = {
  hash: `0x${HASH}`,
  claims: { nonce: 5, chainId: 31337 },
  answer: () => undefined,
};

/** By method. */
const CALLS: Record<string, (params: string[], scene: Scene) => unknown> = {
  eth_chainId: () => hex(31337),
  eth_blockNumber: (_, { head }) => hex(head),
  eth_getTransactionCount: ([, at], scene) => count(at!, scene),
  eth_getTransactionByHash: (_, { has }) => (has === 'ours' ? {} : null),
  eth_getTransactionReceipt: (_, { has }) =>
    has === 'ours' ? { status: '0x1', blockNumber: hex(BLOCK), logs: [] } : null,
};

const UTXO: Api = {
  hash: HASH,
  claims: { coins: [`${'cd'.repeat(32)}:1`] },
  notFound: 'Transaction not found',
  answer(path, { head, has }) {
    const status = { confirmed: true, block_height: BLOCK };
    if (path === '/block-height/0') return 'ab'.repeat(32);
    if (path === '/blocks/tip/height') return head;
    if (path.endsWith('/outspend/1')) return { spent: true, txid: has === 'ours' ? HASH : OTHER, status };
    return has === 'ours' ? { fee: 141, status } : undefined;
  },
};

const APIS: Record<SecretType, Api> = {
  ETHEREUM: EVM,
  GOCHAIN: EVM,
  BITCOIN: UTXO,
  LITECOIN: UTXO,
  AETERNITY: {
    hash: 'th_abc',
    claims: { nonce: 6 },
    notFound: { reason: 'Transaction not found' },
    answer(path, { head, has }) {
      if (path === '/v3/status') return { network_id: 'ae_dev' };
      if (path === '/v3/key-blocks/current/height') return { height: head };
      const at = /^\/v3\/accounts\/.*\/height\/(\d+)$/.exec(path)?.[1];
      if (at) return { balance: '1', nonce: has === 'other' && Number(at) >= BLOCK ? 6 : 5 };
      const block = { block_hash: 'mh_abc', block_height: BLOCK, tx: { fee: 1 } };
      return has === 'ours' ? block : undefined;
    },
  },
  TRON: {
    hash: HASH,
    answer(path, { head, has }) {
      if (path === '/wallet/getblock') return { blockID: 'ab'.repeat(32) };
      if (path === '/wallet/getnowblock')
        return {
          blockID: 'ab'.repeat(32),
          block_header: { raw_data: { number: head, timestamp: 1_700_000_000_000 } },
        };
      if (has === 'other' || path === '/wallet/gettransactionfrompending') return {};
      return path === '/wallet/gettransactioninfobyid'
        ? { id: HASH, blockNumber: BLOCK, fee: 0, receipt: {} }
        : { txID: HASH };
    },
  },
  VECHAIN: {
    hash: `0x${HASH}`,
    answer(path, { head, has }) {
      const id = (number: number) => `0x${number.toString(16).padStart(8, '0')}${'cd'.repeat(28)}`;
      if (path === '/blocks/0') return { id: id(0), number: 0 };
      if (path === '/blocks/best')
        return { id: id(head), number: head, timestamp: 1_700_000_000, gasLimit: 40_000_000 };
      if (has === 'other') return null;
      const meta = { txOrigin: '0xa', blockNumber: BLOCK };
      return path.endsWith('/receipt')
        ? { reverted: false, gasPayer: '0xb', paid: '0x10', meta, outputs: [] }
        : { blockRef: '0x0000006400000000', expiration: 1000 };
    },
  },
};

for (const [secretType, api] of Object.entries(APIS) as [SecretType, Api][])
  describe(`confirmations on ${secretType}`, () => {
    const network: Network = {
      id: 'local',
      secretType,
      name: 'Local network',
      kind: 'local',
      ...(api === EVM && { chainId: 31337 }),
      nodes: ['http://node0.example'],
      tokens: [],
      confirmations: NEEDED,
    };

    function answered(path: string, body: string, scene: Scene): Response {
      if (api === EVM) {
        const calls = [JSON.parse(body)].flat() as { id: number; method: string; params: string[] }[];
        const answers = calls.map(({ id, method, params }) => ({
          jsonrpc: '2.0',
          id,
          result: CALLS[method]!(params, scene),
        }));
        return new Response(JSON.stringify(answers.length > 1 ? answers : answers[0]));
      }
      const found = api.answer(path, scene);
      const told = found === undefined ? api.notFound : found;
      const text = typeof told === 'string' ? told : JSON.stringify(told);
      return new Response(text, { status: found === undefined ? 404 : 200 });
    }

    /** A network of a node for each scene; `down`: it does not answer. */
    async function at(...scenes: (Scene | 'down')[]) {
      const chain = await loadChain(secretType);
      const nodes = scenes.map((_, i) => `http://node${i}.example`);
      const node = chain.node(
        { ...network, nodes },
        {
          fetch: async (input, init) => {
            const { hostname, pathname } = new URL(String(input));
            const scene = scenes[Number(hostname.slice(4, 5))]!;
            if (scene === 'down') throw new TypeError('Failed to fetch');
            const body = String(init?.body ?? '');
            const answer = answered(pathname, body, scene);
            if (/eth_getTransactionCount|\/accounts\//.test(pathname + body)) scene.onNonceRead?.();
            return answer;
          },
        },
      );
      return { chain, node };
    }

    async function states(scene: Scene): Promise<[TransactionState, Receipt]> {
      const { chain, node } = await at(scene);
      return Promise.all([chain.status(api.hash, node), chain.receipt(api.hash, node)]);
    }

    it('it is pending in a block that has too few, and confirmed from then on', async () => {
      for (const confirmations of [1, 2, 3, 4]) {
        const [status, receipt] = await states({ head: BLOCK + confirmations - 1, has: 'ours' });
        expect(status).to.equal(confirmations < NEEDED ? 'pending' : 'confirmed');
        expect(receipt.state).to.equal('confirmed');
        expect(receipt.mined).to.deep.equal({ block: BLOCK, confirmations });
      }
    });

    it('a node that is behind its own block counts that one', async () => {
      const [status, { mined }] = await states({ head: BLOCK - 5, has: 'ours' });
      expect([status, mined?.confirmations].join()).to.equal('pending,1');
    });

    const { claims } = api;
    if (claims)
      it('it is over when a block with its confirmations has another in its place', async () => {
        const isOver = async (...scenes: (Scene | 'down')[]): Promise<boolean> => {
          const { chain, node } = await at(...scenes);
          return chain.isOvertaken!(api.hash, { address: `0x${'1'.repeat(40)}`, claims }, node);
        };
        for (const confirmations of [1, 2, 3, 4])
          expect(
            await isOver({ head: BLOCK + confirmations - 1, has: 'other' }),
            String(confirmations),
          ).to.equal(confirmations >= NEEDED);
        const [ours, other] = (['ours', 'other'] as const).map((has) => ({ head: BLOCK + 10, has }));
        expect(await isOver(ours!)).to.equal(false);
        expect(await isOver('down', other!), 'one node is dead for good').to.equal(true);
        for (const nodes of [
          [ours!, other!],
          [other!, ours!],
        ])
          expect(await isOver(...nodes), 'a node has it').to.equal(false);
        expect(await isOver('down')).to.equal(false);
      });

    if (claims?.nonce !== undefined)
      it('it is not over because it got into a block while the node was asked', async () => {
        const scene: Scene = { head: BLOCK + 10, has: 'other', onNonceRead: () => (scene.has = 'ours') };
        const { chain, node } = await at(scene);
        const isOver = chain.isOvertaken!(api.hash, { address: `0x${'1'.repeat(40)}`, claims }, node);
        expect(await isOver).to.equal(false);
        expect(scene.has).to.equal('ours');
      });

    it('a live network has the chain’s own number, a test network one, and networks.json may name another', () => {
      const of = (more: Partial<Network>) =>
        confirmationsOn({ ...network, confirmations: undefined, ...more });
      expect(of({ kind: 'mainnet' })).to.be.greaterThan(1);
      expect(of({ kind: 'testnet' })).to.equal(1);
      expect(of({ kind: 'mainnet', confirmations: 7 })).to.equal(7);
    });
  });
