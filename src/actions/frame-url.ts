/** Where the wallet is. Kept short, because it is in `connect.js`; the explanations are in `config-error.ts`. */
import type { ConnectOptions } from './types.ts';

/** The frame's page. Undefined where no wallet can work: `config-error.ts` says why. */
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
