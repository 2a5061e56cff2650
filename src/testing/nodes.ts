/** What nodes answer to the provider: enough for ethers, viem and wagmi to send a transaction and wait for it. */
import type { TransactionState } from '../chains/terms.ts';
import type { RpcAnswer } from '../channel/messages.ts';
import type { NodeAnswers } from './script.ts';

const BLOCK_NUMBER = '0x10';
const BLOCK_HASH = `0x${'b1'.repeat(32)}`;
const NOBODY = `0x${'0'.repeat(40)}`;
const NO_BLOOM = `0x${'0'.repeat(512)}`;

const BLOCK = {
  number: BLOCK_NUMBER,
  hash: BLOCK_HASH,
  parentHash: BLOCK_HASH,
  timestamp: '0x1',
  nonce: '0x0000000000000000',
  difficulty: '0x0',
  gasLimit: '0x1c9c380',
  gasUsed: '0x0',
  miner: NOBODY,
  extraData: '0x',
  baseFeePerGas: '0x3b9aca00',
  transactions: [],
};

const USUAL: NodeAnswers = {
  eth_blockNumber: BLOCK_NUMBER,
  eth_call: '0x',
  eth_estimateGas: '0x5208',
  eth_gasPrice: '0x3b9aca00',
  eth_getBalance: '0x8ac7230489e80000',
  eth_getBlockByHash: BLOCK,
  eth_getBlockByNumber: BLOCK,
  eth_getCode: '0x',
  eth_getLogs: [],
  eth_getTransactionCount: '0x0',
  eth_maxPriorityFeePerGas: '0x3b9aca00',
};

export class Nodes {
  constructor(
    readonly given: NodeAnswers,
    readonly stateOf: (hash: string) => TransactionState | undefined,
  ) {}

  async answer(method: string, params: readonly unknown[], chainId: number): Promise<RpcAnswer> {
    const answer = Object.hasOwn(this.given, method)
      ? this.given[method]
      : this.#usual(method, params, chainId);
    const result = typeof answer === 'function' ? await answer(...params) : answer;
    return result === undefined
      ? { error: { code: -32601, message: `fakeWallet has no answer to ${method}: give it in \`nodes\`.` } }
      : { result };
  }

  #usual(method: string, [hash]: readonly unknown[], chainId: number): unknown {
    const state = this.stateOf(String(hash));
    if (method === 'eth_getTransactionByHash')
      return state ? transaction(String(hash), state, chainId) : null;
    if (method === 'eth_getTransactionReceipt')
      return state === 'confirmed' || state === 'failed' ? receipt(String(hash), state) : null;
    return USUAL[method];
  }
}

function transaction(hash: string, state: TransactionState, chainId: number): object {
  const mined = state === 'confirmed' || state === 'failed';
  return {
    hash,
    from: NOBODY,
    to: NOBODY,
    value: '0x0',
    input: '0x',
    nonce: '0x0',
    gas: '0x5208',
    gasPrice: '0x3b9aca00',
    chainId: `0x${chainId.toString(16)}`,
    type: '0x0',
    blockHash: mined ? BLOCK_HASH : null,
    blockNumber: mined ? BLOCK_NUMBER : null,
    transactionIndex: mined ? '0x0' : null,
    v: `0x${(chainId * 2 + 35).toString(16)}`,
    r: `0x${'11'.repeat(32)}`,
    s: `0x${'22'.repeat(32)}`,
  };
}

function receipt(transactionHash: string, state: TransactionState): object {
  return {
    transactionHash,
    blockHash: BLOCK_HASH,
    blockNumber: BLOCK_NUMBER,
    transactionIndex: '0x0',
    from: NOBODY,
    to: NOBODY,
    status: state === 'confirmed' ? '0x1' : '0x0',
    gasUsed: '0x5208',
    cumulativeGasUsed: '0x5208',
    effectiveGasPrice: '0x3b9aca00',
    logs: [],
    logsBloom: NO_BLOOM,
    contractAddress: null,
    type: '0x0',
  };
}
