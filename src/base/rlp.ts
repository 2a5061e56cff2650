/** RLP, written as text: ethers' encoder goes byte by byte, and takes 50 ms for the longest transaction that nodes take. */

/** Bytes as `0x…`, or a list. */
export type RlpItem = string | readonly RlpItem[];

export function encodeRlp(item: RlpItem): string {
  return `0x${encoded(item)}`;
}

function encoded(item: RlpItem): string {
  if (typeof item !== 'string') {
    const items = item.map(encoded).join('');
    return head(0xc0, items) + items;
  }
  const bytes = item.slice(2).toLowerCase();
  if (bytes.length % 2) throw new RangeError('not whole bytes');
  // A byte below 0x80 stands for itself.
  return bytes.length === 2 && bytes < '80' ? bytes : head(0x80, bytes) + bytes;
}

function head(kind: number, bytes: string): string {
  const size = bytes.length / 2;
  if (size < 56) return hex(kind + size);
  const length = hex(size);
  return hex(kind + 55 + length.length / 2) + length;
}

/** In whole bytes. */
function hex(value: number): string {
  const digits = value.toString(16);
  return digits.length % 2 ? `0${digits}` : digits;
}
