import { FrameBlockedError } from '../base/errors.ts';
import type { Blocked } from './host-link.ts';

type FrameReason = ConstructorParameters<typeof FrameBlockedError>[1];

/** The error that explains why the wallet could not open, loaded when it happens. `base`: the frame's URL, as the page gave it. */
export function blockedError(why: Blocked | 'popup' | 'window', base: string): FrameBlockedError {
  const texts: Record<typeof why, [text: string, reason: FrameReason]> = {
    popup: [
      'The browser blocked the wallet’s window. Call this inside a click, or allow pop-ups for this site.',
      'popup',
    ],
    window: ['The browser blocked the wallet’s window. Allow pop-ups for this site.', 'popup'],
    csp: [
      `This page’s Content-Security-Policy blocks the wallet: add ${new URL(base).origin} to frame-src.`,
      'csp',
    ],
    silent: [
      `The wallet at ${base} does not answer. An ad blocker may keep it out, or the network is slow.`,
      'silent',
    ],
    coop: [
      'This page’s Cross-Origin-Opener-Policy cuts off the wallet’s window: send same-origin-allow-popups, or get the page on the wallet’s `embed` list.',
      'coop',
    ],
    down: [`Nothing answers at ${base}: the wallet’s server is down, or \`frame\` is a wrong URL.`, 'silent'],
    unreadable: [
      `The server at ${base} answers, but no page may read its embed.json: let it send Access-Control-Allow-Origin: *, or correct \`frame\`.`,
      'unreadable',
    ],
    missing: [`There is no wallet at ${base}: \`frame\` must be the URL of connect.js and frame/.`, 'config'],
  };
  return new FrameBlockedError(...texts[why]);
}
