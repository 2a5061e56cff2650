/** Messages that wallets sign, prefixed so that a signature of one is never valid for a transaction. */
import { bytesOf, concat } from '../../base/bytes.ts';

/**
 * "\x19Ethereum Signed Message:\n" ‖ length ‖ message: ERC-191, version 0x45 ("personal_sign"). VeChain takes it over; Tron puts its own
 * name in it (TIP-191).
 * https://github.com/ethereum/ERCs/blob/master/ERCS/erc-191.md
 * https://github.com/tronprotocol/tips/blob/master/tip-191.md
 */
export function prefixedMessage(data: string, chain: 'Ethereum' | 'TRON' = 'Ethereum'): Uint8Array {
  const message = bytesOf(data);
  return concat(new TextEncoder().encode(`\u0019${chain} Signed Message:\n${message.length}`), message);
}

/** Bitcoin, Litecoin and Aeternity: prefix and message, each length-prefixed. */
export function sizedMessage(mark: string, data: string): Uint8Array {
  return concat(sized(new TextEncoder().encode(mark)), sized(bytesOf(data)));
}

/** Bitcoin's variable-length integer, which Aeternity's SDK uses too. */
function sized(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  const size =
    length < 0xfd
      ? [length]
      : length <= 0xffff
        ? [0xfd, length, length >>> 8]
        : [0xfe, length, length >>> 8, length >>> 16, length >>> 24];
  return concat(Uint8Array.from(size), bytes);
}

/** Whether it has the size of a hash, where contracts accept a signed message of one, as Safes do: it may be ground until it reads as text. */
export function isHash(data: string): boolean {
  return data.length === 66;
}

/**
 * UTF-8 text as it is: the view draws invisible characters. Undefined for other bytes, and for mostly control
 * characters, which are numbers that happen to be UTF-8.
 */
export function readable(data: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOf(data));
    const controls = text.match(CONTROL)?.length ?? 0;
    return controls * 2 < text.length ? text : undefined;
  } catch {
    return undefined;
  }
}

/** All but tabs and line breaks. */
const CONTROL = /[^\P{Cc}\t\n\r]/gu;
