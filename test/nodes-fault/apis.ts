/** What the nodes' APIs differ in, for faults that have to speak a node's language. */
import type { SecretType } from '../../src/chains/secret-type.ts';
import type { Answer, Asked } from './proxy.ts';

export interface Api {
  isRpc: boolean;
  /** Whether the node is given a transaction. */
  isSending(asked: Asked): boolean;
  /** A refusal of a transaction. */
  refuses(words: string): Answer;
  /** Words of a pool that takes nothing more, of a wallet that holds too little, and of a nonce, coin or time that is used up. */
  full: readonly string[];
  funds: string;
  over: string;
  /** Whether this is asked about a transaction by its hash. */
  isLookUp(asked: Asked): boolean;
  /** What a node says to that of a transaction that it does not have. */
  nothing: Answer;
}

export interface RpcCall {
  id: number;
  method: string;
  params: unknown[];
}

export const rpcCalls = ({ body }: Asked): RpcCall[] => [JSON.parse(body) as RpcCall | RpcCall[]].flat();

export const isBatch = ({ body }: Asked): boolean => body.startsWith('[');

const json = (body: unknown, status = 200): Answer => ({ status, text: JSON.stringify(body) });

const rpcError = (message: string): Answer =>
  json({ jsonrpc: '2.0', id: 1, error: { code: -32000, message } });

const EVM: Api = {
  isRpc: true,
  isSending: ({ body }) => body.includes('"eth_sendRawTransaction"'),
  refuses: rpcError,
  full: ['txpool is full', 'transaction underpriced'],
  funds: 'insufficient funds for gas * price + value: balance 1, tx cost 2, overshot 1',
  over: 'nonce too low: next nonce 5, tx nonce 4',
  isLookUp: ({ body }) => /"eth_getTransaction(ByHash|Receipt)"/.test(body),
  nothing: json({ jsonrpc: '2.0', id: 1, result: null }),
};

const electrs = (code: number, message: string): string =>
  `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}`;

const UTXO: Api = {
  isRpc: false,
  isSending: ({ method, path }) => method === 'POST' && path === '/tx',
  refuses: (text) => ({ status: 400, text }),
  full: [electrs(-26, 'mempool full'), electrs(-26, 'mempool min fee not met, 141 < 1000')],
  // Who has too little names coins that are not there.
  funds: electrs(-25, 'bad-txns-inputs-missingorspent'),
  over: electrs(-25, 'bad-txns-inputs-missingorspent'),
  isLookUp: ({ method, path }) => method === 'GET' && path.startsWith('/tx/') && !path.endsWith('/hex'),
  nothing: { status: 404, text: 'Transaction not found' },
};

export const APIS: Record<SecretType, Api> = {
  ETHEREUM: EVM,
  GOCHAIN: { ...EVM, full: ['transaction pool limit reached', 'transaction underpriced'] },
  BITCOIN: UTXO,
  LITECOIN: UTXO,
  AETERNITY: {
    isRpc: false,
    isSending: ({ method, path }) => method === 'POST' && path === '/v3/transactions',
    refuses: (error_code) => json({ reason: 'Invalid tx', error_code }, 400),
    full: ['tx_pool_full', 'too_low_gas_price_for_miner'],
    funds: 'insufficient_balance',
    over: 'nonce_too_low',
    isLookUp: ({ path }) => path.startsWith('/v3/transactions/'),
    nothing: json({ reason: 'Transaction not found' }, 404),
  },
  TRON: {
    isRpc: false,
    isSending: ({ path }) => path === '/wallet/broadcasthex',
    refuses: (code) => json({ result: false, code, message: Buffer.from('Words.').toString('hex') }),
    full: ['SERVER_BUSY', 'NOT_ENOUGH_EFFECTIVE_CONNECTION'],
    funds: 'BANDWITH_ERROR',
    over: 'TRANSACTION_EXPIRATION_ERROR',
    isLookUp: ({ path }) => path.startsWith('/wallet/gettransaction'),
    nothing: json({}),
  },
  VECHAIN: {
    isRpc: false,
    isSending: ({ method, path }) => method === 'POST' && path === '/transactions',
    refuses: (text) => ({ status: 403, text }),
    full: ['tx rejected: pool is full', 'tx rejected: account quota exceeded'],
    funds: 'tx rejected: insufficient energy',
    over: 'tx rejected: expired',
    isLookUp: ({ method, path }) => method === 'GET' && path.startsWith('/transactions/'),
    nothing: json(null),
  },
};
