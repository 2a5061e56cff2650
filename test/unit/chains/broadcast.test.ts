/** A transaction is refused only by the word of every node. After anything else it may be on its way, and a second one would pay twice. */
import { expect } from '@open-wc/testing';
import { loadChain } from '../../../src/chains/load.ts';
import type { Network } from '../../../src/chains/network.ts';
import type { SecretType } from '../../../src/chains/secret-type.ts';
import { ConnectError } from '../../../src/base/errors.ts';

const HASH = '5e'.repeat(32);
const BLOCK = `0x000003e8${'cd'.repeat(28)}`;

/** What a node answers to one request. */
interface Answered {
  status?: number;
  body: unknown;
}

/** A node's API, as far as a broadcast needs it. */
interface Api {
  hash: string;
  /** Whether a request gives the node the transaction. */
  gives(path: string, body: string): boolean;
  refuses(words: string): Answered;
  takes: Answered;
  /** To all other requests, of a node that does not have the transaction. */
  has(path: string, body: string): Answered;
  /** Words of a node, by what they mean. */
  words: { transaction: string[]; node: string[]; funds?: string; over?: string };
}

const rpc = (answer: object): Answered => ({ body: { jsonrpc: '2.0', id: 1, ...answer } });

const EVM: Api = {
  hash: `0x${HASH}`,
  gives: (_, body) => body.includes('eth_sendRawTransaction'),
  refuses: (message) => rpc({ error: { code: -32000, message } }),
  takes: rpc({ result: `0x${HASH}` }),
  has: (_, body) => {
    const calls = [JSON.parse(body)].flat() as { id: number; method: string }[];
    const answers = calls.map(({ id, method }) => ({
      jsonrpc: '2.0',
      id,
      result: method === 'eth_chainId' ? '0x7a69' : null,
    }));
    return { body: answers.length > 1 ? answers : answers[0] };
  },
  words: {
    transaction: ['intrinsic gas too low', 'invalid chain id for signer', 'exceeds block gas limit'],
    node: [
      'txpool is full',
      'transaction underpriced',
      'gas tip cap 1, minimum needed 1000000000',
      'tx fee (1.20 ether) exceeds the configured cap (1.00 ether)',
      'node is syncing',
      'daily request count exceeded, request rate limited',
      'nonce too high',
    ],
    funds: 'insufficient funds for gas * price + value: balance 1, tx cost 2, overshot 1',
    over: 'nonce too low: next nonce 5, tx nonce 4',
  },
};

const esplora = (code: number, message: string): string =>
  `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}`;

const UTXO: Api = {
  hash: HASH,
  gives: (path) => path === '/tx',
  refuses: (words) => ({ status: 400, body: words }),
  takes: { body: HASH },
  has: (path) =>
    path === '/block-height/0' ? { body: 'ab'.repeat(32) } : { status: 404, body: 'Transaction not found' },
  words: {
    transaction: [
      esplora(-26, 'dust'),
      esplora(-26, 'bad-txns-in-belowout'),
      esplora(-26, 'txn-mempool-conflict'),
    ],
    node: [
      esplora(-26, 'min relay fee not met, 100 < 141'),
      esplora(-26, 'mempool min fee not met'),
      esplora(-26, 'mempool full'),
      esplora(-26, 'too-long-mempool-chain, too many descendants'),
      esplora(-28, 'Loading block index...'),
      'Too many requests',
    ],
    over: esplora(-25, 'bad-txns-inputs-missingorspent'),
  },
};

const APIS: Record<SecretType, Api> = {
  ETHEREUM: EVM,
  GOCHAIN: EVM,
  BITCOIN: UTXO,
  LITECOIN: UTXO,
  AETERNITY: {
    hash: 'th_abc',
    gives: (path) => path === '/v3/transactions',
    refuses: (error_code) => ({ status: 400, body: { reason: 'Invalid tx', error_code } }),
    takes: { body: { tx_hash: 'th_abc' } },
    has: (path) =>
      path === '/v3/status'
        ? { body: { network_id: 'ae_dev' } }
        : { status: 404, body: { reason: 'Transaction not found' } },
    words: {
      transaction: ['too_low_fee', 'signature_check_failed', 'account_is_not_payable'],
      node: ['nonce_too_high', 'too_low_gas_price_for_miner', 'already_known', 'tx_pool_full'],
      over: 'nonce_too_low',
    },
  },
  TRON: {
    hash: HASH,
    gives: (path) => path === '/wallet/broadcasthex',
    refuses: (code) => ({ body: { result: false, code, message: 'Words.', txid: HASH } }),
    takes: { body: { result: true, code: 'SUCCESS', txid: HASH } },
    has: (path) => ({ body: path === '/wallet/getblock' ? { blockID: 'ab'.repeat(32) } : {} }),
    words: {
      transaction: ['SIGERROR', 'CONTRACT_VALIDATE_ERROR', 'CONTRACT_EXE_ERROR', 'TOO_BIG_TRANSACTION_ERROR'],
      node: ['SERVER_BUSY', 'NO_CONNECTION', 'BLOCK_UNSOLIDIFIED', 'OTHER_ERROR', 'DUP_TRANSACTION_ERROR'],
      funds: 'BANDWITH_ERROR',
      over: 'TRANSACTION_EXPIRATION_ERROR',
    },
  },
  VECHAIN: {
    hash: `0x${HASH}`,
    gives: (path, body) => path === '/transactions' && body !== '',
    refuses: (words) => ({ status: 403, body: words }),
    takes: { body: { id: `0x${HASH}` } },
    has: (path) =>
      path === '/blocks/0'
        ? { body: { id: `0x${'00'.repeat(32)}`, number: 0 } }
        : path === '/blocks/best'
          ? { body: { id: BLOCK, number: 1000, timestamp: 1_700_000_000, gasLimit: 40_000_000 } }
          : { body: null },
    words: {
      transaction: ['bad tx: chain tag mismatch', 'tx rejected: tx gas exceeds block gas limit'],
      node: [
        'tx rejected: pool is full',
        'tx rejected: account quota exceeded',
        'tx rejected: block ref out of schedule',
        'genesis id mismatch',
      ],
      funds: 'tx rejected: insufficient energy',
      over: 'tx rejected: expired',
    },
  },
};

/** What a node does with the transaction: it refuses in these words, answers with a page, takes it, or the connection breaks. */
type Deed = { says: string } | { answers: string } | 'takes' | 'breaks';

const says = (words: string): Deed => ({ says: words });

for (const [secretType, api] of Object.entries(APIS) as [SecretType, Api][])
  describe(`broadcasting on ${secretType}`, () => {
    /** `deeds`: one for each node. `reads`: whether nodes answer anything else. */
    async function outcome(deeds: Deed[], reads = true, given = false): Promise<string | ConnectError> {
      const chain = await loadChain(secretType);
      const network: Network = {
        id: 'local',
        secretType,
        name: 'Local network',
        kind: 'local',
        nodes: deeds.map((_, i) => `http://node${i}.example`),
        tokens: [],
      };
      const node = chain.node(network, {
        fetch: async (input, init) => {
          const { hostname, pathname } = new URL(String(input));
          const body = String(init?.body ?? '');
          const deed = deeds[Number(hostname.slice(4, 5))]!;
          const isGiven = api.gives(pathname, body);
          if (isGiven ? deed === 'breaks' : !reads) throw new TypeError('Failed to fetch');
          const answered = !isGiven
            ? api.has(pathname, body)
            : typeof deed === 'object'
              ? 'says' in deed
                ? api.refuses(deed.says)
                : { body: deed.answers }
              : api.takes;
          const text = typeof answered.body === 'string' ? answered.body : JSON.stringify(answered.body);
          return new Response(text, { status: answered.status ?? 200 });
        },
      });
      return chain
        .broadcast({ raw: '0x00', hash: api.hash, given }, node)
        .catch((error: unknown) => error as ConnectError);
    }

    /** Of a transaction that may be on its way. */
    function expectUnknown(error: string | ConnectError, why: string): void {
      if (typeof error === 'string') throw new Error(`${why}: it was taken`);
      expect(error.code, why).to.equal('node.unreachable');
      expect(error.details['transactionHash'], why).to.equal(api.hash);
      expect(error.message, why).to.include('Do not make another one');
    }

    const { words } = api;
    const own = [...words.transaction, ...[words.funds ?? []].flat(), ...[words.over ?? []].flat()];

    it('is sent if one node takes it, whatever the others say', async () => {
      expect(await outcome([says(words.transaction[0]!), 'breaks', 'takes'])).to.equal(api.hash);
    });

    for (const said of own) {
      const code = said === words.funds ? 'transaction.insufficient-funds' : 'transaction.refused';
      it(`“${said}” is final if every node says so, and of the transaction`, async () => {
        const error = await outcome([says(said), says(words.transaction[0]!)]);
        expect((error as ConnectError).code).to.equal(code);
        expect((error as ConnectError).details['transactionHash']).to.equal(undefined);
      });

      it(`“${said}” is not known to be the outcome beside a broken connection, or a node that is full`, async () => {
        expectUnknown(await outcome([says(said), 'breaks']), 'broken after it');
        expectUnknown(await outcome(['breaks', says(said)]), 'broken before it');
        expectUnknown(await outcome([says(said), says(words.node[0]!)]), 'full');
      });
    }

    it('is refused again only for what it is: what is used up may be its own effect', async () => {
      for (const said of [words.funds, words.over])
        if (said) expectUnknown(await outcome([says(said), says(said)], true, true), said);
      const never = await outcome([says(words.transaction[0]!)], true, true);
      expect((never as ConnectError).code).to.equal('transaction.refused');
    });

    it('is not taken by a node that answers something else', async () => {
      expectUnknown(await outcome([{ answers: '<!doctype html><title>Welcome</title>' }]), 'HTML');
      expectUnknown(await outcome([{ answers: '' }]), 'nothing');
    });

    for (const said of [...words.node, 'Something that nobody has read before.'])
      it(`“${said}” is of the node: it may take it later`, async () => {
        expectUnknown(await outcome([says(said)]), 'alone');
        expectUnknown(await outcome([says(said), says(said)]), 'twice');
      });

    it('is not known when nobody answers, or something else does', async () => {
      expectUnknown(await outcome(['breaks', 'breaks']), 'broken');
    });

    if (words.over)
      it('is not known if no node tells whether the chain has it', async () => {
        expectUnknown(await outcome([says(words.over!)], false), 'no reads');
      });
  });
