/** Reading a transaction that a node gave: its outputs are true if its id is right. */
import { bytesOf, concat, hexOf } from '../hex.ts';
import { transactionId } from './envelope.ts';

export interface Previous {
  outputs: { value: bigint; script: string }[];
  /** Public keys that the inputs showed in their witnesses, `0x…`; undefined for an input that shows none. */
  spenders: (string | undefined)[];
}

/** BIP-144 bytes, with or without witnesses. Throws unless they have this id. */
export function readPrevious(hex: string, txid: string): Previous {
  if (!/^([0-9a-f]{2})+$/.test(hex)) throw new Error('not bytes');
  const bytes = bytesOf(`0x${hex}`);
  const view = new DataView(bytes.buffer);
  let at = 4;
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new Error('cut off');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const varInt = (): number => {
    const first = take(1)[0]!;
    if (first < 253) return first;
    const start = at;
    take(first === 253 ? 2 : 4);
    if (first === 255) throw new Error('too long');
    return first === 253 ? view.getUint16(start, true) : view.getUint32(start, true);
  };
  // No inputs: the marker of BIP-144. Litecoin sets flags of its own, whose data comes last.
  const flags = bytes[4] === 0 ? take(2)[1]! : 0;
  const start = at;
  const inputs = varInt();
  for (let i = 0; i < inputs; i++) {
    take(36);
    take(varInt());
    take(4);
  }
  const outputs = Array.from({ length: varInt() }, () => {
    const value = view.getBigUint64(at, true);
    take(8);
    return { value, script: hexOf(take(varInt())) };
  });
  const body = bytes.subarray(start, at);
  if (transactionId(concat(bytes.subarray(0, 4), body, bytes.subarray(-4))) !== txid)
    throw new Error('another transaction');
  const spenders = Array.from({ length: inputs }, () => {
    if (!(flags & 1)) return undefined;
    const items = Array.from({ length: varInt() }, () => take(varInt()));
    return items.length === 2 && items[1]!.length === 33 ? hexOf(items[1]!) : undefined;
  });
  return { outputs, spenders };
}
