import { FrameBlockedError } from '../errors.ts';
import type { ConnectOptions } from './types.ts';

/** The frame's page. Throws `frame.blocked` with reason `config` when there is no page, or no wallet of another origin to open. */
export function frameUrl({ frame }: ConnectOptions): URL {
  if (typeof window === 'undefined')
    throw new FrameBlockedError('The wallet opens only in a browser, not on a server.', 'config');
  let url: URL;
  try {
    url = new URL(`${frame!.replace(/\/+$/, '')}/frame/`);
  } catch {
    throw new FrameBlockedError(
      'createConnect needs `frame`: the URL where connect.js and frame/ are served, such as https://connect.example.',
      'config',
    );
  }
  if (url.origin !== location.origin) return url;
  throw new FrameBlockedError(
    'The wallet must be served from another origin than the page, or the page could read its keys.',
    'config',
  );
}

/**
 * Base URL of the frame's origin, from the URL of its script: `https://connect.example/` of `https://connect.example/connect.js`, and of
 * one that names a release (`/v1/connect.js`, `/1.4.0/connect.js`).
 */
export function frameOf(script: string): string {
  return new URL('.', script).href.replace(/\/(v\d+(\.\d+)?|\d+\.\d+\.\d+)\/$/, '/');
}
