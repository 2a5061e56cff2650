/** What a page's provider may ask nodes, through the page for reads. Neither end relies on the other's check. */
import type { NetworkKind } from '../chains/network.ts';

/**
 * Reads of https://github.com/ethereum/execution-apis: nothing that keeps state at the node, and nothing that
 * changes a chain.
 */
export const NODE_METHODS = [
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_call',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'web3_clientVersion',
] as const;

/** What the wallet answers itself, from `networks.json`, and what pages ask for external wallets. */
export const OWN_METHODS = [
  /** The networks that wallets of the chain can be on: `ChainNetworks`. */
  'carabiner_networks',
  /** `[request, from]`: the transaction, complete but for its signatures, as external wallets take it (`Chain.handover`). */
  'carabiner_unsigned',
  /** `[unsigned, signed]`: sends what such a wallet has signed, if it is that transaction. Returns the hash. */
  'carabiner_send',
  /** Whether the network lists the token at an address. */
  'carabiner_listed',
] as const;

/** Of JSON; MetaMask's limit. */
export const MAX_PARAMS = 200 * 1024;

export interface ChainNetworks {
  /** `chainId`: of ETHEREUM and GOCHAIN. `genesis`: of the others, where `networks.json` has it. */
  networks: { id: string; chainId: number; genesis?: string; name: string; kind: NetworkKind }[];
  /** Requests may name a node of their own. */
  customNodes: boolean;
}
