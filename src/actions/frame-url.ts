/** Where the wallet is, and in `connect.js` no more words about it than that takes. */
import type { ConnectOptions } from './types.ts';

/** The frame's page. None where no wallet can work: `config-error.ts` says why. */
export function frameUrl({ frame }: ConnectOptions): URL | undefined {
  if (typeof window === 'undefined' || origin === 'null') return undefined;
  try {
    const url = new URL(`${frame!.replace(/\/+$/, '')}/frame/`);
    return url.origin !== location.origin && isEncrypted(url) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Browsers keep cryptography from pages that came over a network in the clear. */
export function isEncrypted({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(hostname);
}

/**
 * Base URL of the frame's origin, from the URL of its script: `https://connect.example/` of `https://connect.example/connect.js`, and of
 * one that names a release (`/v1.4.0/connect.js`) or a line of them (`/v1/connect.js`).
 */
export function frameOf(script: string): string {
  return new URL('.', script).href.replace(/\/v[\d.]+\/$/, '/');
}
