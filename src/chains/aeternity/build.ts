/** Build bodies, which approvals do not need. */
import type { NativeTransaction } from '../requests.ts';
import { inJson } from '../requests/build-body.ts';
import type { AeternityRequest } from './payload.ts';
import { spendOf } from './transaction.ts';

/** Build body to native request: `value` is decimal text in aettos. A native request comes back the same, in that form. */
export async function build(body: AeternityRequest): Promise<NativeTransaction> {
  return inJson(spendOf(body));
}
