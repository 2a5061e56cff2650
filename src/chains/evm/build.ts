/** Build bodies to native requests. A profile's `type` and the fields that its chain allows are not tied by types. */
import { inJson } from '../requests/build-body.ts';
import type { Node } from '../terms.ts';
import { isCustom } from '../nodes/networks.ts';
import { planOf } from './intent.ts';
import type { EvmRequest } from './payload.ts';
import type { EvmProfile } from './profile.ts';
import { onItsChain } from './transaction.ts';
import type { NativeTransaction } from '../requests.ts';

/**
 * `value` is decimal text in smallest units. Nonce, gas and price are left to the moment of signing.
 * A native request comes back the same, in that form.
 */
export async function build(
  request: EvmRequest,
  from: string,
  node: Node,
  profile: EvmProfile,
): Promise<NativeTransaction> {
  const { coinRequest, tokenRequest } = profile;
  if (request.type === coinRequest || request.type === tokenRequest)
    return inJson(request) as NativeTransaction;
  const { to, value, data } = await onItsChain(node, async (rpc) => {
    const { intent, scaled } = await planOf(request, from, rpc, profile);
    // A node that the request names is first heard of here; the client compares its chain id with every first answer.
    const named = isCustom(rpc.network) && rpc.network.chainId !== undefined;
    const [final] = await Promise.all([scaled?.() ?? intent, named && rpc.call('eth_chainId')]);
    return final;
  });
  const common = { walletId: request.walletId, ...(request.network ? { network: request.network } : {}) };
  if (request.type === 'TOKEN_TRANSFER' && request.tokenId === undefined) {
    const { transferOf } = await import('../contracts/abi.ts');
    const [recipient, amount] = transferOf(data);
    return {
      type: tokenRequest,
      ...common,
      to: recipient,
      value: amount.toString(),
      tokenAddress: request.tokenAddress,
    } as NativeTransaction;
  }
  return {
    type: coinRequest,
    ...common,
    to,
    value: value.toString(),
    ...(data === '0x' ? {} : { data }),
  } as NativeTransaction;
}
