/** Signs data. Signatures are deterministic, so none is stored. */
import type { AnySignature, ParsedSigning } from '../../src/chains/terms.ts';
import { loadChain } from '../networks/chains.ts';
import { ConnectError } from '../../src/base/errors.ts';
import type { PinProof } from '../custody/pin-opener.ts';
import { archived } from '../custody/wallet-errors.ts';
import { nodeFor } from '../networks/request-node.ts';
import type { StoredWallet } from '../wallets/stored-wallets.ts';
import { type KeyedRequest, findAnswered, takeKey } from '../idempotency/request-keys.ts';
import type { Spender } from './spending.ts';

export interface SigningRequest {
  wallet: StoredWallet;
  pincode: PinProof;
  /** The application that makes the request, for itself or for a user: the client in policies. */
  applicationId: string;
  keyedRequest: KeyedRequest;
  request: ParsedSigning;
}

/** Throws as `Custody.withKey` does, `policy.refused`, `request.conflict`, `chain.not-supported`, and what the chain refuses to sign. */
export async function sign(
  { db, custody, guard, networks, outbound }: Omit<Spender, 'exclusive'>,
  { wallet, pincode, applicationId, keyedRequest, request }: SigningRequest,
): Promise<{ success: true; result: AnySignature }> {
  const { secret_type: secretType, address } = wallet;
  await findAnswered(db, keyedRequest);
  if (wallet.archived_at) throw archived();
  const { describeSigning, signData } = await loadChain(secretType);
  if (!describeSigning || !signData)
    throw new ConnectError('chain.not-supported', `${secretType} wallets do not sign data.`, { secretType });
  const node = await nodeFor({ networks, outbound }, wallet);
  // What an approval could not show is not signed. Only transactions need the node.
  await describeSigning(request, address, node, { used: [], own: [], reported: [] });
  const result = await custody.withKey(wallet.id, pincode, (key) =>
    guard.run(db, async (tx) => {
      await guard.admitSignature(tx, { wallet, clientId: applicationId, request });
      return signData(request, key);
    }),
  );
  await takeKey(db, keyedRequest, null);
  return { success: true, result };
}
