/** Reading a transaction from a node: its outputs are genuine if its id matches. */
import { bytesOf, concat, hexOf } from '../../base/bytes.ts';
import { ByteReader } from './byte-reader.ts';
import { transactionId } from './envelope.ts';
import { readParts, witnessKey } from './read-transaction.ts';

export interface Previous {
  outputs: { value: bigint; script: string }[];
  /** Public keys in the inputs' witnesses, `0x…`; undefined for an input without one. */
  spenders: (string | undefined)[];
}

/** BIP-144 bytes, with or without witnesses. Throws unless they have this id. */
export function readPrevious(hex: string, txid: string): Previous {
  if (!/^([0-9a-f]{2})+$/.test(hex)) throw new Error('not bytes');
  const bytes = bytesOf(`0x${hex}`);
  const { inputs, outputs, body } = readParts(new ByteReader(bytes));
  // The lock time comes last, whatever Litecoin has before it.
  if (transactionId(concat(bytes.subarray(0, 4), body, bytes.subarray(-4))) !== txid)
    throw new Error('another transaction');
  return {
    outputs: outputs.map(({ value, script }) => ({ value, script: hexOf(script) })),
    spenders: inputs.map((input) => {
      const key = witnessKey(input);
      return key && hexOf(key);
    }),
  };
}
