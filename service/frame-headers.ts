/**
 * The response headers of the frame's origin: the page that holds keys, and the script that other sites load.
 * Pure, so that the server, the tests and the documentation tell the same.
 */
import type { Networks } from '../src/chains/network.ts';

export interface FramePolicy {
  networks: Pick<Networks, 'networks' | 'customNodes' | 'service'>;
  /** Sites that may embed the frame: the sources of `frame-ancestors`. */
  frameAncestors?: string | undefined;
}

type Headers = Record<string, string>;

/** On every answer. */
export const COMMON_HEADERS: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

function connectSources({ networks, customNodes, service }: FramePolicy['networks']): string[] {
  const services = service ? [new URL(service).origin] : [];
  const nodes = networks.flatMap(({ nodes, delegator }) =>
    [...nodes, ...(delegator ? [delegator] : [])].map((url) => new URL(url).origin),
  );
  // A custom node is named by a request, so its host cannot be listed; plain http stays with the developer's own machine.
  const custom = customNodes ? ['https:', 'http://localhost:*', 'http://127.0.0.1:*'] : [];
  return [...new Set(["'self'", ...nodes, ...services, ...custom])];
}

/** The frame page and everything under `/frame/`: a worker follows the policy that its own script was sent with. */
export function frameHeaders({ networks, frameAncestors = '*' }: FramePolicy): Headers {
  const policy = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${connectSources(networks).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
    "require-trusted-types-for 'script'",
    'trusted-types lit-html carabiner',
  ];
  return {
    ...COMMON_HEADERS,
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'unsafe-none',
    'Origin-Agent-Cluster': '?1',
  };
}

/** `connect.js`, its chunks and `networks.json`: any page may load them. */
export const PUBLIC_HEADERS: Headers = { ...COMMON_HEADERS, 'Access-Control-Allow-Origin': '*' };
