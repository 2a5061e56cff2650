/** What a page's provider may ask nodes, through the hidden frame for reads. Neither end relies on the other's check. */
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

/** Methods that the wallet answers itself, from `networks.json`, and those that pages call on behalf of external wallets. */
export const OWN_METHODS = [
  /** The networks that wallets of the chain can be on: `ChainNetworks`. */
  'carabiner_networks',
  /** `[request, from]`: the transaction, complete but for its signatures, as external wallets take it (`Chain.handover`). */
  'carabiner_unsigned',
  /** `[unsigned, signed]`: sends what such a wallet has signed, if it is that transaction. Returns the hash. */
  'carabiner_send',
  /** Whether the network lists the token at an address. */
  'carabiner_listed',
  /** `[message, signature]` in hex: the account that signed it (`personal_sign`). */
  'carabiner_signer',
  /** `[request, signature, address]`: whether an external wallet's signature of a message is by that address. */
  'carabiner_signed',
] as const;

/** Maximum length of the parameters as JSON; MetaMask's limit. */
export const MAX_PARAMS = 200 * 1024;

export interface ChainNetworks {
  /** `chainId`: for ETHEREUM and GOCHAIN. `genesis`: for the others, if `networks.json` has it. */
  networks: { id: string; chainId: number; genesis?: string; name: string; kind: NetworkKind }[];
  /** Whether requests may name their own node. */
  customNodes: boolean;
  /**
   * Wallets are on all of these, at one address, and each request names its own. Absent: a wallet of 0.1.0, in which each is on one, and
   * no request names any.
   */
  portable?: true;
}
