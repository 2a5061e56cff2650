/** Messages (TIP-191, `signMessageV2` of TronWeb): https://github.com/tronprotocol/tips/blob/master/tip-191.md */
import { keccak256 } from 'ethers/crypto';
import type { SigningScene, SigningSummary } from '../chain.ts';
import type { MessageSignature, PrivateKey } from '../terms.ts';
import { bytesOf } from '../../base/bytes.ts';
import { describeMessage } from '../messages/describe-message.ts';
import { isHash, prefixedMessage } from '../messages/signed-message.ts';
import { signDigest } from '../keys/secp256k1.ts';
import type { TronSignRequest } from './payload.ts';

export function signMessage({ data }: TronSignRequest, key: PrivateKey): MessageSignature {
  const { r, s, yParity } = signDigest(bytesOf(messageHash(data)), key);
  return { signature: r + s.slice(2) + (27 + yParity).toString(16) };
}

export function describeSigning({ data }: TronSignRequest, scene?: SigningScene): SigningSummary {
  return isHash(data) ? { kind: 'blind', hex: data, reason: 'hash' } : describeMessage(data, scene);
}

export function messageHash(data: string): string {
  return keccak256(prefixedMessage(data, 'TRON'));
}
