/** For a page whose `connect.js` is of another release. */
import { FrameBlockedError } from '../errors.ts';
import { PROTOCOL } from './schema.ts';

export function otherRelease(protocol: number): FrameBlockedError {
  return new FrameBlockedError(
    `This page speaks protocol ${protocol}, the wallet protocol ${PROTOCOL}. Reload the page; if that does not help, update connect.js or the npm package there, or the wallet.`,
    'version',
  );
}
