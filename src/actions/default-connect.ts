/** The page's default, for elements without a `<connect-provider>` around them. */
import { FrameBlockedError } from '../base/errors.ts';
import type { Connect } from './types.ts';

let connect: Connect | undefined;
let frame: string | undefined;

/** Throws `frame.blocked` with reason `config` when nothing set one. */
export function defaultConnect(): Connect {
  if (connect) return connect;
  throw new FrameBlockedError(
    'There is no connect on this page: load connect.js, or put the element in a <connect-provider frame="…">.',
    'config',
  );
}

/** The first one stays: loading the script twice changes nothing. `base` is for connects created without `frame`. */
export function setDefaultConnect(make: () => Connect, base?: string): Connect {
  frame ??= base;
  return (connect ??= make());
}

export function defaultFrame(): string | undefined {
  return frame;
}
