/** What can go wrong with the encrypted copy. No message or detail holds a key, an id or anything of the content. */
export type SyncCode =
  /** Its bytes are not what the holder of the keys wrote. */
  | 'copy.damaged'
  /** It was written by a newer version of the wallet. */
  | 'copy.version'
  /** It is authentic in form, but of another site, kind or owner. */
  | 'copy.foreign'
  /** It was sealed by another key than its header promises. */
  | 'copy.commitment'
  /** The server knows of none. `details.seen`: this device has seen one. */
  | 'copy.unknown'
  /** The server says that it was removed. `details.verified`: a key that may remove it has signed so. */
  | 'copy.removed'
  /** The server returned an older state than this device has seen. `details.counter`, `details.seen`: the two states. */
  | 'copy.rolled-back'
  /** There is one already. */
  | 'copy.exists'
  /** Other devices wrote at each try. */
  | 'copy.busy'
  /** It belongs to another recovery phrase. */
  | 'copy.other-wallet'
  /** More content than a copy can hold, or the server takes no more. */
  | 'copy.too-large'
  /** `details.retryAfter`: seconds, if the server says so. */
  | 'copy.rate-limited'
  /** The server refused a write. `details.status`: its HTTP status. */
  | 'copy.refused'
  /** No answer, or none of a wallet service. `details.status`: its HTTP status, if any. */
  | 'copy.unreachable'
  /** The passkey gives no secret for the copy, or not the same each time. */
  | 'copy.unsteady'
  /** The user picked another passkey than the wallet's own. */
  | 'copy.other-passkey'
  /** This browser lacks X25519. */
  | 'copy.unsupported';

/**
 * ```ts
 * if (error instanceof SyncError && error.code === 'copy.rate-limited') error.details.retryAfter;
 * ```
 */
export class SyncError extends Error {
  override name = 'SyncError';

  constructor(
    readonly code: SyncCode,
    /** One sentence: what happened and what to do. */
    readonly shortMessage: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(`${shortMessage} [${code}]`);
  }
}

export function damaged(): SyncError {
  return new SyncError('copy.damaged', 'The copy is damaged. Nothing in this browser was changed.');
}
