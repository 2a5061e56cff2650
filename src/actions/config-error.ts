import { FrameBlockedError } from '../base/errors.ts';
import { isEncrypted } from './frame-url.ts';
import type { ConnectOptions } from './types.ts';

/** Why there is no `frameUrl`. */
export function refuse({ frame }: ConnectOptions): never {
  throw new FrameBlockedError(reasonOf(frame), 'config');
}

function reasonOf(frame: string | undefined): string {
  if (typeof window === 'undefined') return 'The wallet opens only in a browser, not on a server.';
  if (window.origin === 'null')
    return 'This page has no origin, so the wallet could not tell its user who asks. It was opened as a file: serve it over http or https. Or it is in an iframe whose sandbox lacks allow-same-origin.';
  let url: URL;
  try {
    url = new URL(frame!);
  } catch {
    return 'createConnect needs `frame`: the URL where connect.js and frame/ are served, such as https://connect.example.';
  }
  if (!isEncrypted(url))
    return `\`frame\` must be an https URL, not ${url.origin}: browsers keep cryptography from pages that came in the clear.`;
  return 'The wallet must be served from another origin than the page, or the page could read its keys.';
}
