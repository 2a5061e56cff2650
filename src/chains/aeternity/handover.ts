/** Transactions for external wallets: https://github.com/aeternity/aepp-sdk-js/blob/develop/src/account/Rpc.ts */
import { decodeRlp } from 'ethers/utils';
import { ConnectError } from '../../base/errors.ts';
import type { Signed } from '../terms.ts';
import { bytesOf, hexOf } from '../../base/bytes.ts';
import { encodeRlp } from '../../base/rlp.ts';
import type { AeternityDraft } from './draft.ts';
import { decode64, encode58, encode64 } from './encoding.ts';
import { hash, serialize, SIGNED, VERSION } from './spend.ts';

export async function unsigned(draft: AeternityDraft): Promise<string> {
  const { amount, fee, facts } = draft;
  if (facts.balance < amount + fee)
    throw new ConnectError(
      'transaction.insufficient-funds',
      'The wallet does not hold enough for the amount and the fee.',
    );
  return encode64('tx', bytesOf(serialize(draft)));
}

/** The node checks the signature; what was signed must be what was requested. */
export async function signed(given: string, answer: string): Promise<Signed> {
  try {
    const bytes = decode64(answer);
    const [, , signatures] = decodeRlp(bytes) as [string, string, string[]];
    // Nothing else passes, not even what nodes would ignore: the hash is that of these bytes.
    const expected = encodeRlp([SIGNED, VERSION, [signatures[0]!], hexOf(decode64(given))]);
    if (hexOf(bytes) === expected && encode64('tx', bytes) === answer)
      return { raw: answer, hash: encode58('th', hash(bytes)) };
  } catch {
    // Not even the form of a transaction.
  }
  throw new ConnectError(
    'transaction.refused',
    'The other wallet signed something else than this transaction. It was not sent.',
    { reason: 'changed' },
  );
}
