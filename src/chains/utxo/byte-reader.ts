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
