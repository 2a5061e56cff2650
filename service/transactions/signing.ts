/** Signs data. Signatures are deterministic, so none is stored. */
import type { SigningSummary } from '../../src/chains/approval/signing.ts';
import type { AnySignature, ParsedSigning } from '../../src/chains/terms.ts';
import { loadChain } from '../networks/chains.ts';
import { ConnectError } from '../../src/base/errors.ts';
import type { PinProof } from '../custody/pin-opener.ts';
import { parseUnsigned } from '../../src/chains/evm/raw-transaction.ts';
import { archived } from '../custody/wallet-errors.ts';
import { nodeFor } from '../networks/request-node.ts';
import type { Principal } from '../http/principal.ts';
import type { StoredWallet } from '../wallets/stored-wallets.ts';
import { type OtherNetwork, requireUsable } from '../wallets/wallet-network.ts';
import { type KeyedRequest, findAnswered, takeKey } from '../idempotency/request-keys.ts';
import { type CheckedOrder, checkOrder } from './order-check.ts';
import type { Spender } from './spending.ts';

export interface SigningRequest {
  wallet: StoredWallet;
  network: OtherNetwork | undefined;
  pincode: PinProof;
  principal: Principal;
  keyedRequest: KeyedRequest;
  request: ParsedSigning;
}

/** Throws as `Custody.withKey` does, `policy.refused`, `request.conflict`, `chain.not-supported`, and what the chain refuses to sign. */
export async function sign(
  { db, custody, guard, networks, outbound }: Omit<Spender, 'exclusive'>,
  { wallet, network, pincode, principal, keyedRequest, request }: SigningRequest,
): Promise<{ success: true; result: AnySignature }> {
  const { secret_type: secretType, address } = wallet;
  await findAnswered(db, keyedRequest);
  if (wallet.archived_at) throw archived();
  await requireUsable({ db }, principal, network);
  const { describeSigning, signData } = await loadChain(secretType);
  if (!describeSigning || !signData)
    throw new ConnectError('chain.not-supported', `${secretType} wallets do not sign data.`, { secretType });
  const node = await nodeFor({ networks, outbound }, { ...wallet, network: network?.id ?? wallet.network });
  // What an approval could not show is not signed. Only transactions need the node.
  const shown = await describeSigning(request, address, node, { used: [], own: [], reported: [] });
  const order = await orderIn(shown, { networks, node, sender: address });
  const result = await custody.withKey(wallet.id, pincode, (key) =>
    guard.run(db, async (tx) => {
      await guard.admitSignature(tx, {
        wallet,
        network: node.network,
        byDefault: network === undefined,
        clientId: principal.applicationId,
        request,
      });
      await order?.assertOpen();
      return signData(request, key);
    }),
  );
  await takeKey(db, keyedRequest, null);
  return { success: true, result };
}

/** Of a raw transaction of Ethereum, also where it is signed as mere bytes. */
async function orderIn(
  shown: SigningSummary,
  source: Parameters<typeof checkOrder>[1],
): Promise<CheckedOrder | undefined> {
  if (source.node.network.secretType !== 'ETHEREUM') return undefined;
  if (shown.kind === 'blind' && shown.reason === 'transaction') {
    const fields = parseUnsigned(shown.hex);
    return fields && checkOrder({ to: fields.to, value: fields.value, data: fields.data }, source);
  }
  if (shown.kind !== 'transaction' || !shown.summary.call) return undefined;
  const { to, amount, call } = shown.summary;
  return checkOrder({ to, value: amount.token === undefined ? amount.raw : 0n, data: call.data }, source);
}
