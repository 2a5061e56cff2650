/** Build bodies (spec 4.3.1) to native requests (spec 2.9). */
import type { ChainRequest, Node } from '../chain.ts';
import { intentOf } from './intent.ts';
import { type EthereumRequest, payloads } from './payload.ts';
import { decodeCall } from './calls.ts';
import { onItsChain } from './transaction.ts';

/**
 * `value` is decimal text in smallest units. Nonce, gas and price are left to the moment of signing.
 * A native request comes back as it is.
 */
export async function build(body: ChainRequest, from: string, node: Node): Promise<ChainRequest> {
  const request = payloads.parse(body) as EthereumRequest;
  if (request.type === 'ETH_TRANSACTION' || request.type === 'ETHEREUM_ERC20_TRANSACTION')
    return request as ChainRequest;
  const { to, value, data } = await onItsChain(node, (rpc) => intentOf(request, from, rpc));
  const common = { walletId: request.walletId, ...(request.network ? { network: request.network } : {}) };
  if (request.type === 'TOKEN_TRANSFER' && request.tokenId === undefined) {
    const { effect } = decodeCall(data);
    if (effect.kind === 'token')
      return {
        type: 'ETHEREUM_ERC20_TRANSACTION',
        ...common,
        to: effect.to,
        value: effect.amount.toString(),
        tokenAddress: request.tokenAddress,
      };
  }
  return {
    type: 'ETH_TRANSACTION',
    ...common,
    to,
    value: value.toString(),
    ...(data === '0x' ? {} : { data }),
  };
}
