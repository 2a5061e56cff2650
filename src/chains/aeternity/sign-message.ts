/** Messages as Aeternity's SDK signs them: https://github.com/aeternity/aepp-sdk-js/blob/develop/src/account/Memory.ts */
import { blake2b } from '@noble/hashes/blake2.js';
import type { SigningScene, SigningSummary } from '../chain.ts';
import type { MessageSignature, PrivateKey } from '../terms.ts';
import { hexOf } from '../../base/bytes.ts';
import { describeMessage } from '../messages/describe-message.ts';
import { sizedMessage } from '../messages/signed-message.ts';
import { signBytes } from './account.ts';
import type { AeternitySignRequest } from './payload.ts';

const MARK = 'aeternity Signed Message:\n';

export async function signMessage(
  { data }: AeternitySignRequest,
  key: PrivateKey,
): Promise<MessageSignature> {
  const digest = blake2b(sizedMessage(MARK, data), { dkLen: 32 });
  return { signature: hexOf(await signBytes(digest, key)) };
}

export function describeSigning({ data }: AeternitySignRequest, scene?: SigningScene): SigningSummary {
  return describeMessage(data, scene);
}
