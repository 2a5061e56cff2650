/** What a proxy, a provider or a broken node says is never an answer of the chain: another node is asked, or none is there. */
import { expect } from '@open-wc/testing';
import { loadChain } from '../../../src/chains/load.ts';
import type { Network } from '../../../src/chains/network.ts';
import { restOf } from '../../../src/chains/nodes/rest.ts';
import type { TokenBalance } from '../../../src/api/wallet.ts';
import { partlyRead } from '../../../src/chains/nodes/balances.ts';
import type { SecretType } from '../../../src/chains/secret-type.ts';
import { ConnectError } from '../../../src/base/errors.ts';

const KEY = new Uint8Array(32).fill(7);
const HASH = '5e'.repeat(32);

interface Answered {
  status?: number;
  body: string | object | null;
}

/** A node with the wallet and one of its transactions, by what the requests ask for. */
interface Api {
  hash: string;
  /** Raw balance of the wallet. */
  holds: string;
  identity(path: string): Answered | undefined;
  account(address: string): Answered;
  transaction(path: string): Answered;
  isTransaction(path: string): boolean;
  /** The API's own answers for an address and a transaction that it does not have. */
  noAccount: Answered;
  noTransaction: Answered;
}

const esplora: Api = {
  hash: HASH,
  holds: '5000',
  identity: (path) => (path === '/block-height/0' ? { body: 'ab'.repeat(32) } : undefined),
  account: (address) => ({
    body: {
      address,
      chain_stats: { funded_txo_sum: 5000, spent_txo_sum: 0 },
      mempool_stats: { funded_txo_sum: 0, spent_txo_sum: 0 },
    },
  }),
  isTransaction: (path) => path.startsWith('/tx/'),
  transaction: () => ({ body: { txid: HASH, fee: 100, status: { confirmed: true, block_height: 5 } } }),
  noAccount: {
    body: {
      chain_stats: { funded_txo_sum: 0, spent_txo_sum: 0 },
      mempool_stats: { funded_txo_sum: 0, spent_txo_sum: 0 },
    },
  },
  noTransaction: { status: 404, body: 'Transaction not found' },
};

const BLOCK = { id: `0x000003e8${'cd'.repeat(28)}`, number: 1000, timestamp: 1_700_000_000 };

const APIS: Partial<Record<SecretType, Api>> = {
  BITCOIN: esplora,
  LITECOIN: esplora,
  AETERNITY: {
    hash: 'th_abc',
    holds: '5000',
    identity: (path) => (path === '/v3/status' ? { body: { network_id: 'ae_dev' } } : undefined),
    account: (id) => ({ body: { id, balance: 5000, nonce: 3, kind: 'basic' } }),
    isTransaction: (path) => path.startsWith('/v3/transactions/'),
    transaction: () => ({ body: { block_hash: 'mh_x', block_height: 5, hash: 'th_abc', tx: { fee: 1 } } }),
    noAccount: { status: 404, body: { reason: 'Account not found' } },
    noTransaction: { status: 404, body: { reason: 'Transaction not found' } },
  },
  TRON: {
    hash: HASH,
    holds: '5000',
    identity: (path) =>
      path === '/wallet/getblock'
        ? { body: { blockID: 'ab'.repeat(32) } }
        : path === '/wallet/getnowblock'
          ? {
              body: {
                blockID: 'ab'.repeat(32),
                block_header: { raw_data: { number: 1000, timestamp: 1_700_000_000_000 } },
              },
            }
          : undefined,
    account: (address) => ({ body: { address, balance: 5000 } }),
    isTransaction: (path) => path.startsWith('/wallet/gettransaction'),
    transaction: (path) => ({
      body:
        path === '/wallet/gettransactioninfobyid'
          ? { id: HASH, blockNumber: 5, receipt: {} }
          : { txID: HASH },
    }),
    noAccount: { body: {} },
    noTransaction: { body: {} },
  },
  VECHAIN: {
    hash: `0x${HASH}`,
    holds: '5000',
    identity: (path) =>
      path === '/blocks/0'
        ? { body: '{"id":"0x' + '00'.repeat(32) + '"}' }
        : path === '/blocks/best'
          ? { body: { ...BLOCK, gasLimit: 40_000_000 } }
          : undefined,
    account: () => ({ body: { balance: '0x1388', energy: '0x0', hasCode: false } }),
    isTransaction: (path) => path.startsWith('/transactions/'),
    transaction: (path) => ({
      body: path.endsWith('/receipt')
        ? {
            reverted: false,
            gasPayer: '0x1',
            paid: '0x0',
            meta: { txOrigin: '0x2', blockNumber: 5 },
            outputs: [],
          }
        : { id: `0x${HASH}`, blockRef: BLOCK.id.slice(0, 18), expiration: 30 },
    }),
    noAccount: { body: { balance: '0x0', energy: '0x0', hasCode: false } },
    noTransaction: { body: null },
  },
};

const HTML = '<!doctype html><title>Sorry</title><p>Not found</p>';

const FAULTS: [name: string, answered: Answered][] = [
  ...[401, 402, 403, 407, 451].map((status): [string, Answered] => [
    `HTTP ${status}`,
    { status, body: { message: 'You may not pass.' } },
  ]),
  ['HTTP 403 as HTML', { status: 403, body: HTML }],
  ['HTTP 400 of a proxy', { status: 400, body: 'Bad Request' }],
  ['HTTP 404 as HTML', { status: 404, body: HTML }],
  ['HTTP 404 of a proxy', { status: 404, body: { message: 'no Route matched with those values' } }],
  ['HTTP 404 of a router', { status: 404, body: '404 page not found' }],
  ['HTTP 404 for another reason', { status: 404, body: { reason: 'Unknown project' } }],
  ['an empty 404', { status: 404, body: '' }],
  ['HTTP 429', { status: 429, body: 'Too many requests' }],
  ['HTTP 500', { status: 500, body: 'oops' }],
  ['HTML', { body: HTML }],
  ['nothing', { body: '' }],
  ['a limit', { body: { success: false, error: 'request rate exceeded the allowed_rps(15)' } }],
  ['another limit', { body: { Error: 'You have reached your daily usage', StatusCode: 200 } }],
  ['an exception of the node', { body: { Error: 'class java.lang.NullPointerException : null' } }],
  ['a message', { body: { message: 'Welcome to the gateway.' } }],
  ['a list', { body: [] }],
  ['a word', { body: '"ok"' }],
  ['half of an answer', { body: '{"balance":' }],
];

for (const [secretType, api] of Object.entries(APIS) as [SecretType, Api][])
  describe(`a fault of a node of ${secretType}`, () => {
    /** Each node's answer to what is asked of the wallet and its transaction; `good` has both. */
    async function ask(nodes: ('good' | Answered)[]) {
      const chain = await loadChain(secretType);
      const address = await chain.address(KEY, 'local');
      const network: Network = {
        id: 'local',
        secretType,
        name: 'Local network',
        kind: 'local',
        nodes: nodes.map((_, i) => `http://node${i}.example`),
        tokens: [],
      };
      const asked: string[] = [];
      const node = chain.node(network, {
        fetch: async (input, init) => {
          const { hostname, pathname } = new URL(String(input));
          asked.push(hostname.slice(0, 5));
          const found = nodes[Number(hostname.slice(4, 5))]!;
          const account = (): Answered =>
            api.account(
              secretType === 'TRON'
                ? (JSON.parse(String(init!.body)) as { address: string }).address
                : address,
            );
          const { status = 200, body } =
            api.identity(pathname) ??
            (found !== 'good' ? found : api.isTransaction(pathname) ? api.transaction(pathname) : account());
          return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
        },
      });
      return { chain, node, address, asked };
    }

    const outcome = (work: Promise<unknown>) => work.catch((error: unknown) => error);

    for (const [name, fault] of FAULTS) {
      it(`${name} is no balance, and the next node is asked`, async () => {
        const { chain, node, address } = await ask([fault, 'good']);
        expect((await chain.balance(address, node)).rawBalance).to.equal(api.holds);
        const only = await ask([fault]);
        const error = await outcome(only.chain.balance(only.address, only.node));
        expect(error).to.be.instanceOf(ConnectError);
        expect((error as ConnectError).code).to.equal('node.unreachable');
      });

      it(`${name} says nothing of a transaction`, async () => {
        const { chain, node } = await ask([fault, 'good']);
        expect(await chain.status(api.hash, node)).to.equal('confirmed');
        const only = await ask([fault]);
        const error = await outcome(only.chain.status(api.hash, only.node));
        expect((error as ConnectError).code).to.equal('node.unreachable');
      });
    }

    it('is not the API’s own word for what it does not have', async () => {
      const account = await ask([api.noAccount, 'good']);
      expect((await account.chain.balance(account.address, account.node)).rawBalance).to.equal('0');
      const transaction = await ask([api.noTransaction, 'good']);
      expect(await transaction.chain.status(api.hash, transaction.node)).to.equal('unknown');
      expect(new Set([...account.asked, ...transaction.asked])).to.deep.equal(new Set(['node0']));
    });

    it('makes a node that serves nothing rest, and no other', async () => {
      for (const [fault, first] of [
        [{ status: 402, body: 'Pay.' }, 'node1'],
        [{ status: 404, body: HTML }, 'node0'],
      ] as [Answered, string][]) {
        const { chain, node, address, asked } = await ask([fault, 'good']);
        await chain.balance(address, node);
        asked.length = 0;
        const { network, http } = restOf(node);
        await chain.balance(address, chain.node(network, http));
        expect(asked[0]).to.equal(first);
      }
    });
  });

const USDC = `0x${'a1'.repeat(20)}`;
const DAI = `0x${'b2'.repeat(20)}`;

describe('a token whose balance is not read', () => {
  const token = (address: string) => ({ address, symbol: 'T', name: '', decimals: 6, logo: '' });

  /** `says`: to the call of the second token, as a result or an error. */
  async function read(says: object, more: number): Promise<unknown> {
    const chain = await loadChain('ETHEREUM');
    const others = Array.from({ length: more }, (_, i) => `0x${(i + 1).toString(16).padStart(40, '0')}`);
    const tokens = [USDC, DAI, ...others].map(token);
    const answerTo = ({ id, method, params }: { id: number; method: string; params: [{ to?: string }] }) => {
      if (method === 'eth_chainId') return { id, result: '0x7a69' };
      const { to = DAI } = params[0];
      return to.toLowerCase() === DAI ? { id, ...says } : { id, result: `0x${'5'.padStart(64, '0')}` };
    };
    const node = chain.node(
      {
        id: 'local',
        secretType: 'ETHEREUM',
        name: 'Local',
        kind: 'local',
        chainId: 31337,
        nodes: ['http://one.example'],
        tokens,
      },
      {
        fetch: async (_, init) => {
          const body = JSON.parse(String(init!.body)) as Parameters<typeof answerTo>[0];
          return Response.json(Array.isArray(body) ? body.map(answerTo) : answerTo(body));
        },
      },
    );
    return chain.tokenBalances(`0x${'7'.repeat(40)}`, tokens, node).catch((error: unknown) => error);
  }

  for (const says of [
    { error: { code: 429, message: 'Your app has exceeded its compute units per second capacity.' } },
    { error: { code: -32603, message: 'Internal error' } },
    { result: null },
    { result: 'soon' },
  ])
    it(`is named, and the rest is there for who asks: ${JSON.stringify(says)}`, async () => {
      const error = (await read(says, 0)) as ConnectError<'node.unreachable'>;
      expect(error.code).to.equal('node.unreachable');
      expect(error.details.tokens).to.deep.equal([DAI]);
      expect(error.message).to.include(DAI);
      const { balances, unread } = partlyRead(error);
      expect(balances.map(({ tokenAddress, rawBalance }) => [tokenAddress, rawBalance])).to.deep.equal([
        [USDC, '5'],
      ]);
      expect(unread).to.deep.equal([DAI]);
    });

  it('is none of many, if the program that reads them is refused for a limit', async () => {
    const error = (await read({ error: { code: -32005, message: 'limit exceeded' } }, 30)) as ConnectError;
    expect(error.code).to.equal('node.unreachable');
    expect(() => partlyRead(error)).to.throw(ConnectError);
  });

  it('is not one whose contract answers no balance', async () => {
    for (const says of [{ result: '0x' }, { error: { code: 3, message: 'execution reverted' } }])
      expect(((await read(says, 0)) as TokenBalance[]).map(({ rawBalance }) => rawBalance)).to.deep.equal([
        '5',
        '0',
      ]);
  });
});
