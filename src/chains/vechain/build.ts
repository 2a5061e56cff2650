/** Build bodies to native requests. */
import { inJson } from '../requests/build-body.ts';
import type { Node } from '../terms.ts';
import { planOf } from './intent.ts';
import type { VechainRequest } from './payload.ts';
import type { NativeTransaction } from '../requests.ts';

/**
 * `amount` is decimal text in smallest units. Block reference, gas, price and nonce are left to the moment of signing.
 * A native request comes back the same, in that form.
 */
export async function build(request: VechainRequest, _from: string, node: Node): Promise<NativeTransaction> {
  if ('clauses' in request) return inJson(request);
  const { intent, scaled } = await planOf(request, node);
  const { clauses } = (await scaled?.()) ?? intent;
  const { to, value, data } = clauses[0]!;
  const { walletId } = request;
  if (request.type !== 'GAS_TRANSFER' && request.type !== 'TOKEN_TRANSFER')
    return {
      type: 'VET_TRANSACTION',
      walletId,
      clauses: [{ to: to!, amount: value.toString(), ...(data === '0x' ? {} : { data }) }],
    };
  const { transferOf } = await import('../contracts/abi.ts');
  const [recipient, amount] = transferOf(data);
  const transfer = { to: recipient, amount: amount.toString() };
  return request.type === 'GAS_TRANSFER'
    ? { type: 'VTHO_TRANSACTION', walletId, clauses: [transfer] }
    : {
        type: 'VECHAIN_VIP180_TRANSACTION',
        walletId,
        clauses: [{ ...transfer, tokenAddress: request.tokenAddress }],
      };
}
