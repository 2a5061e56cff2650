/** Build bodies to native requests. */
import { parseUnits } from '../../base/amount.ts';
import { inJson, recipientOf } from '../requests/build-body.ts';
import type { Node } from '../terms.ts';
import { COIN } from './draft.ts';
import { tokenValue } from './intent.ts';
import type { TronRequest } from './payload.ts';
import type { NativeTransaction } from '../requests.ts';

/** `value` is decimal text in smallest units. A native request comes back the same, in that form. */
export async function build(request: TronRequest, _from: string, node: Node): Promise<NativeTransaction> {
  const { walletId } = request;
  switch (request.type) {
    case 'TRANSFER':
    case 'GAS_TRANSFER': {
      const data = request.type === 'TRANSFER' ? request.data : undefined;
      return {
        type: 'TRX_TRANSACTION',
        walletId,
        to: recipientOf(request.to),
        value: parseUnits(request.value, COIN.decimals).toString(),
        ...(data && data !== '0x' ? { data } : {}),
      };
    }
    case 'TOKEN_TRANSFER':
      return {
        type: 'TRC10_TRANSACTION',
        walletId,
        to: recipientOf(request.to),
        value: (await tokenValue(request.tokenAddress, request.value, node)).toString(),
        token: request.tokenAddress,
        ...memoOf(request),
      };
    case 'CONTRACT_EXECUTION': {
      const { to, value, functionName, inputs } = request;
      return {
        type: 'TRON_CONTRACT_EXECUTION',
        walletId,
        to,
        value: (value ?? 0n).toString(),
        functionName,
        inputs: inJson(inputs),
        ...memoOf(request),
      };
    }
    default:
      return inJson(request);
  }
}

function memoOf({ memo }: { memo?: string | undefined }): { memo?: string } {
  return memo && memo !== '0x' ? { memo } : {};
}
