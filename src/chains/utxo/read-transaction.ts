import { bytesOf, concat, hexOf } from '../../base/bytes.ts';
import { transactionId } from './envelope.ts';

/** Reads Bitcoin's wire format from the front. Throws if the bytes end too early. */
export class ByteReader {
  at = 0;
  readonly #view: DataView;

  constructor(readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  take(length: number): Uint8Array {
    const start = this.at;
    if (start + length > this.bytes.length) throw new Error('cut off');
    this.at += length;
    return this.bytes.subarray(start, this.at);
  }

  varInt(): number {
    const first = this.take(1)[0]!;
    if (first < 253) return first;
    const start = this.at;
    this.take(first === 253 ? 2 : 4);
    if (first === 255) throw new Error('too long');
    return first === 253 ? this.#view.getUint16(start, true) : this.#view.getUint32(start, true);
  }

  /** A length-prefixed byte string. */
  text(): Uint8Array {
    return this.take(this.varInt());
  }

  value(): bigint {
    const start = this.at;
    this.take(8);
    return this.#view.getBigUint64(start, true);
  }
}

// Reading a transaction's bytes (BIP-144), from its version to before its lock time.

export interface ReadInput {
  /** Its script; empty if the witness replaces it. */
  script: Uint8Array;
  witness: readonly Uint8Array[];
}

export interface ReadTransaction {
  /** The bit 0 says that there are witnesses. Litecoin sets flags of its own, whose data comes next. */
  flags: number;
  inputs: ReadInput[];
  outputs: { value: bigint; script: Uint8Array }[];
  /** What is between version and witnesses. */
  body: Uint8Array;
}

export function readParts(reader: ByteReader): ReadTransaction {
  const { bytes } = reader;
  reader.take(4);
  // No inputs: the marker of BIP-144.
  const flags = bytes[reader.at] === 0 ? reader.take(2)[1]! : 0;
  const start = reader.at;
  const scripts = Array.from({ length: reader.varInt() }, () => {
    reader.take(36);
    const script = reader.text();
    reader.take(4);
    return script;
  });
  const outputs = Array.from({ length: reader.varInt() }, () => ({
    value: reader.value(),
    script: reader.text(),
  }));
  const body = bytes.subarray(start, reader.at);
  const inputs = scripts.map((script) => ({
    script,
    witness: flags & 1 ? Array.from({ length: reader.varInt() }, () => reader.text()) : [],
  }));
  return { flags, inputs, outputs, body };
}

/** The public key in an input's witness (P2WPKH, also nested in P2SH); undefined without one. */
export function witnessKey({ witness }: ReadInput): Uint8Array | undefined {
  return witness.length === 2 && witness[1]!.length === 33 ? witness[1] : undefined;
}

// Reading a transaction from a node: its outputs are genuine if its id matches.

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
