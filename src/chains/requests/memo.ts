/** A transfer's public memo, as the approval shows it. */
import { bytesOf } from '../../base/bytes.ts';

/** As it was written; bytes that are not text, and text with invisible characters, as `0x…`. */
export function memoText(memo: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOf(memo));
    return /[\p{C}\p{Zl}\p{Zp}]/u.test(text.replaceAll('\n', '')) ? memo : text;
  } catch {
    return memo;
  }
}
