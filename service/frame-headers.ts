/**
 * The response headers of the frame's origin: the page that holds keys, the page for reads, and the script that other sites load.
 * Pure, so that the server, the tests and the documentation agree.
 */
import type { Networks } from '../src/chains/network.ts';
import { readFiat } from '../src/prices/entry.ts';
import { readCrossChain } from '../src/swaps/cross-chain/entry.ts';

export interface FramePolicy {
  networks: Pick<
    Networks,
    'networks' | 'customNodes' | 'service' | 'embed' | 'redirects' | 'fiat' | 'pictures' | 'crossChain'
  >;
}

/** `frame`: the wallet, for listed pages alone. `read`: what nodes know, for any page. `wallet`: the wallet by itself, for its user alone. */
export type FramePage = 'frame' | 'read' | 'wallet';

type Headers = Record<string, string>;

/** Headers of every answer. */
const COMMON: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The wallet by itself: no other page gets hold of its window, or of anything in its folder. */
const ALONE: Headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * What the wallet uses: the camera scans codes, the clipboard is read by Paste and written by Copy, credentials are passkeys, and
 * `window-management` lets a window detect a second screen; the wallet never prompts for it.
 */
const USED = [
  'camera',
  'clipboard-read',
  'clipboard-write',
  'publickey-credentials-get',
  'publickey-credentials-create',
  'window-management',
];
/**
 * Everything else that today's Chromium can switch off everywhere, whatever its default. Absent are names that it knows only on some systems,
 * where the others would warn (`bluetooth`, `web-share`, which the wallet uses, `nfc`), and what no page needs permission for.
 */
const UNUSED = [
  'accelerometer',
  'aria-notify',
  'autoplay',
  'browsing-topics',
  'captured-surface-control',
  'compute-pressure',
  'deferred-fetch',
  'deferred-fetch-minimal',
  'digital-credentials-create',
  'digital-credentials-get',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'interest-cohort',
  'keyboard-map',
  'language-detector',
  'language-model',
  'local-fonts',
  'magnetometer',
  'media-playback-while-not-visible',
  'microphone',
  'midi',
  'on-device-speech-recognition',
  'otp-credentials',
  'payment',
  'picture-in-picture',
  'private-state-token-issuance',
  'private-state-token-redemption',
  'screen-wake-lock',
  'serial',
  'speaker-selection',
  'storage-access',
  'summarizer',
  'sync-xhr',
  'translator',
  'unload',
  'usb',
  'xr-spatial-tracking',
];

function permissions(page: FramePage): string {
  const used = page === 'read' ? [] : USED;
  const off = page === 'read' ? [...UNUSED, ...USED] : UNUSED;
  return [...used.map((name) => `${name}=(self)`), ...off.map((name) => `${name}=()`)].join(', ');
}

function connectSources(
  { networks, customNodes, service, redirects, fiat, pictures, crossChain }: FramePolicy['networks'],
  page: FramePage,
): string[] {
  const services = service ? [new URL(service).origin] : [];
  // The picture source also supplies names.
  const names = pictures !== undefined && page !== 'read' ? [new URL(pictures).origin] : [];
  // Where a page that asks by redirect has registered its return addresses.
  const sites = (page === 'frame' && redirects) || [];
  const prices = fiat !== undefined ? [readFiat(fiat).url('USD').origin] : [];
  const nodes = networks.flatMap(({ nodes, delegator }) =>
    [...nodes, ...(delegator ? [delegator] : [])].map((url) => new URL(url).origin),
  );
  const exchanges = readCrossChain({ networks, crossChain }).entries.flatMap((entry) =>
    entry.nodes.map(({ url }) => new URL(url).origin),
  );
  // A custom node is named by a page's request, so its host cannot be listed; plain http stays with the developer's own machine.
  const custom =
    customNodes && page !== 'wallet' ? ['https:', 'http://localhost:*', 'http://127.0.0.1:*'] : [];
  return [
    ...new Set(["'self'", ...nodes, ...services, ...names, ...sites, ...prices, ...exchanges, ...custom]),
  ];
}

/** `data:` is for pictures inside the wallet and in contracts. The page for reads draws nothing. */
function imageSources({ pictures }: FramePolicy['networks'], page: FramePage): string[] {
  const source = pictures !== undefined && page !== 'read' ? [new URL(pictures).origin] : [];
  return ["'self'", 'data:', ...source];
}

/** Pages that may show it in a frame. */
function ancestorsOf({ embed }: FramePolicy['networks'], page: FramePage): string {
  if (page === 'read') return '*';
  return (page === 'frame' && embed?.join(' ')) || "'none'";
}

/** A page and everything in its folder: a worker follows the policies that its own script was sent with. Errors get them too. */
export function frameHeaders({ networks }: FramePolicy, page: FramePage = 'frame'): Headers {
  const policy = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self'",
    `img-src ${imageSources(networks, page).join(' ')}`,
    `connect-src ${connectSources(networks, page).join(' ')}`,
    ...(page === 'wallet' ? ["manifest-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestorsOf(networks, page)}`,
    "require-trusted-types-for 'script'",
    'trusted-types lit-html carabiner',
  ];
  return {
    ...COMMON,
    'Content-Security-Policy': policy.join('; '),
    'Permissions-Policy': permissions(page),
    // Cross-origin isolated pages embed only pages that send this. Nothing here loads from elsewhere except by CORS.
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Opener-Policy': 'unsafe-none',
    'Origin-Agent-Cluster': '?1',
    ...(page === 'wallet' && ALONE),
  };
}

/** For errors before the page or its networks are known. */
export const ERROR_HEADERS: Headers = {
  ...COMMON,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** `connect.js`, its chunks, `networks.json` and `embed.json`: any page may load them. */
export function publicHeaders(policy: FramePolicy): Headers {
  return { ...frameHeaders(policy), 'Access-Control-Allow-Origin': '*' };
}
