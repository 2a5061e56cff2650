/** The page's default connect, for elements without a `<connect-provider>` around them, and where its wallet is. */
import { FrameBlockedError } from '../base/errors.ts';
import type { Connect, ConnectOptions } from './types.ts';

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

/**
 * The frame's page. Undefined where no wallet can work: `config-error.ts` says why, so that `connect.js` need not hold the
 * explanations.
 */
export function frameUrl({ frame }: ConnectOptions): URL | undefined {
  try {
    const url = new URL(`${frame!.replace(/\/+$/, '')}/frame/`);
    // On a server there is no `window`; DOMs of tests have one without `origin`.
    return window.origin !== 'null' && url.origin !== location.origin && isEncrypted(url) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Browsers deny WebCrypto to pages loaded over plain HTTP. */
export function isEncrypted({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(hostname);
}

/**
 * Base URL of the frame's origin, from its script's URL: `https://connect.example/` for
 * `https://connect.example/connect.js`, and for one that names a release (`/v1.4.0/connect.js`, `/v1.4.0-rc.1/connect.js`)
 * or a release line (`/v1/connect.js`).
 */
export function frameOf(script: string): string {
  return new URL('.', script).href.replace(/\/v[\d.]+(\.\d+-[\w.-]+)?\/$/, '/');
}
