/**
 * Announces the provider to the page's code (https://eips.ethereum.org/EIPS/eip-6963). A part of `connect.js`: libraries that restore
 * a session look for its wallet when they start, and not again.
 */
import { RequestInvalidError } from '../base/errors.ts';
import type { Announced, EthereumProvider, ProviderChain } from './types.ts';

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#2351b0"/><path d="M15.7 10.2V8.2a3.7 3.7 0 0 0-7.4 0v7.6a3.7 3.7 0 0 0 7.4 0v-1.4L12.9 10" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)}`;

/** The id by which dApps remember a connect's wallet on this chain. */
export function rdnsOf(
  { hostname }: URL,
  chain: ProviderChain,
  announced: boolean | Announced = false,
): string {
  const { chain: named = 'ETHEREUM', rdns } = announced as Announced;
  // A name such as `localhost` has no domain to reverse.
  const domain = /[a-z]/i.test(hostname) && hostname.includes('.') ? hostname : 'local.carabiner';
  return (
    (chain === named && rdns) ||
    domain.split('.').reverse().join('.') + (chain === 'GOCHAIN' ? '.gochain' : '')
  );
}

/** `url`: of the wallet. Throws for an invalid field. */
export function announce(
  providerOf: (options: { chain: ProviderChain }) => EthereumProvider,
  announced: true | Announced,
  url: URL,
  ended: AbortSignal,
): void {
  const {
    chain = 'ETHEREUM',
    icon = ICON,
    name = chain === 'GOCHAIN' ? 'Carabiner (GoChain)' : 'Carabiner',
  } = announced as Announced;
  const rdns = rdnsOf(url, chain, announced);
  check({ name, icon, rdns });
  // No other fields: web3-onboard refuses an announcement that has any.
  const detail = Object.freeze({
    info: Object.freeze({ uuid: newUuid(), name, icon, rdns }),
    provider: providerOf({ chain }),
  });
  const tell = (): void => {
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  };
  addEventListener('eip6963:requestProvider', tell, { signal: ended });
  tell();
}

function check({ name, icon, rdns }: Required<Omit<Announced, 'chain'>>): void {
  const wrong = (path: string, message: string) => new RequestInvalidError([{ path, message }]);
  if (!name) throw wrong('announce.name', 'must not be empty');
  // dApps show it in an <img>; a remote URL would report every visitor to that server.
  if (!/^data:image\/(svg\+xml|png|webp)[;,]/.test(icon))
    throw wrong('announce.icon', 'must be a data: URI of an SVG, PNG or WebP picture');
  if (!/^([a-z0-9-]+\.)+[a-z0-9-]+$/i.test(rdns))
    throw wrong('announce.rdns', 'must be a domain name, reversed: com.example.wallet');
}

/** Version 4. Not `randomUUID`, which is missing on pages without TLS. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
