/** Reading a transaction's bytes (BIP-144), from its version to before its lock time. */
import { ByteReader } from './byte-reader.ts';

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
