/**
 * Descriptions of non-fungible tokens and their collections: JSON that anybody may have written (ERC-721 metadata, ERC-7572, and the
 * fields that marketplaces added). Invalid parts are left out; nothing here throws.
 */
import { fromBase64 } from '../../base/base64.ts';
import type { NonFungible } from '../answers.ts';
import type { HeldNonFungible } from './non-fungibles.ts';

export interface TokenMetadata {
  name: string;
  symbol: string;
  description: string;
  /** A page about it. */
  url: string;
  /** `#rrggbb`. */
  backgroundColor: string | null;
  imageUrl: string;
  imagePreviewUrl: string | null;
  imageThumbnailUrl: string | null;
}

export const NO_METADATA: TokenMetadata = {
  name: '',
  symbol: '',
  description: '',
  url: '',
  backgroundColor: null,
  imageUrl: '',
  imagePreviewUrl: null,
  imageThumbnailUrl: null,
};

/** Where `ipfs:` addresses are read unless the operator says otherwise. */
export const IPFS_GATEWAY = 'https://ipfs.io/ipfs/';
const ARWEAVE = 'https://arweave.net/';

const MAX_URL = 2_048;
/** Characters of an image that is in its address. */
const MAX_INLINE = 131_072;
/** The same for a description that is in its address. */
export const MAX_DATA = 524_288;

/** Pictures that show in an `<img>`, where an SVG runs no script. */
const INLINE_IMAGE = /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]/i;

/** `gateway` ends with a slash. */
export function readMetadata(text: string, gateway: string): TokenMetadata {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return NO_METADATA;
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return NO_METADATA;
  const field = (...names: string[]): unknown =>
    names.map((name) => (json as Record<string, unknown>)[name]).find((value) => typeof value === 'string');
  // One that is empty, or that no page can show, does not hide the next.
  const image = (...names: string[]): string =>
    names.map((name) => imageAddress((json as Record<string, unknown>)[name], gateway)).find(Boolean) ?? '';
  return {
    name: cleanText(field('name'), 256),
    symbol: cleanText(field('symbol'), 64),
    description: cleanText(field('description'), 4_096, true),
    url: webAddress(field('external_url', 'external_link'), gateway),
    backgroundColor: colour(field('background_color')),
    imageUrl: image('image', 'image_url'),
    imagePreviewUrl: image('image_preview_url') || null,
    imageThumbnailUrl: image('image_thumbnail_url') || null,
  };
}

/** The JSON of a `data:` address (RFC 2397); undefined for another kind of address or another type of content. */
export function inlineJson(uri: string): string | undefined {
  const match = uri.length <= MAX_DATA && /^data:([^,]*),(.*)$/is.exec(uri);
  if (!match) return undefined;
  const [type = '', ...parameters] = match[1]!.toLowerCase().split(';');
  if (type !== 'application/json' && type !== 'text/plain' && type !== '') return undefined;
  const body = match[2]!;
  try {
    if (parameters.includes('base64')) return new TextDecoder().decode(fromBase64(decoded(body)));
    return decoded(body);
  } catch {
    return undefined;
  }
}

/** Many contracts write JSON into the address as it is, per cent signs and all. */
function decoded(body: string): string {
  try {
    return decodeURIComponent(body);
  } catch {
    return body;
  }
}

/** Where a description is read over HTTP; undefined for an address that leads nowhere. `ar:` and `ipfs:` go through gateways. */
export function fetchable(uri: string, gateway: string): string | undefined {
  return resolved(uri, gateway)?.href;
}

/** As the wallet API returns it. */
export function nonFungible(
  { contract, tokenId, owner }: HeldNonFungible,
  token: TokenMetadata,
  collection: TokenMetadata,
): NonFungible {
  const { name, description, url, backgroundColor, imageUrl, imagePreviewUrl, imageThumbnailUrl } = token;
  return {
    id: tokenId.toString(),
    tokenId: tokenId.toString(),
    owner,
    name,
    description,
    url,
    backgroundColor,
    imageUrl,
    imagePreviewUrl,
    imageThumbnailUrl,
    contract: {
      // The contract's own value: a description is easier to change.
      name: cleanText(contract.name, 256) || collection.name,
      description: collection.description,
      address: contract.address,
      symbol: cleanText(contract.symbol, 64) || collection.symbol,
      url: collection.url,
      imageUrl: collection.imageUrl,
      type: 'ERC_721',
    },
  };
}

/** Without control characters, marks that turn the reading direction, and halves of characters. */
function cleanText(value: unknown, max: number, lines = false): string {
  if (typeof value !== 'string') return '';
  const kept = lines ? /[^\P{Cc}\n\t]|[\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu : LINE;
  return Array.from(value.slice(0, max * 2).replace(kept, ''))
    .slice(0, max)
    .join('')
    .trim();
}
const LINE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

function colour(value: unknown): string | null {
  const digits = typeof value === 'string' ? /^#?([0-9a-f]{6})$/i.exec(value)?.[1] : undefined;
  return digits === undefined ? null : `#${digits.toLowerCase()}`;
}

export function imageAddress(value: unknown, gateway: string): string {
  if (typeof value === 'string' && value.length <= MAX_INLINE && INLINE_IMAGE.test(value)) return value;
  return webAddress(value, gateway);
}

/** An http or https address on the internet, as its parts are read; empty for any other. */
function webAddress(value: unknown, gateway: string): string {
  const url = typeof value === 'string' ? resolved(value, gateway) : undefined;
  // The page that shows it would ask the visitor's own machine or network. The gateway is the operator's choice.
  return url && (url.href.startsWith(gateway) || !isNearby(url.hostname)) ? url.href : '';
}

function resolved(uri: string, gateway: string): URL | undefined {
  if (uri.length > MAX_URL) return undefined;
  const text = uri.trim();
  const ipfs = ipfsPath(text);
  const arweave = /^ar:\/\/([\w-]+(?:[/?#].*)?)$/is.exec(text)?.[1];
  const address = ipfs ? gateway + ipfs : arweave ? ARWEAVE + arweave : text;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if ((url.protocol !== 'https:' && url.protocol !== 'http:') || url.username || url.password)
    return undefined;
  // `ipfs://a/../../admin` would be another page of the gateway.
  return ipfs && !url.href.startsWith(gateway) ? undefined : url;
}

/** A content id by its length and alphabet: version 0, and version 1 in base 32. */
const CID = /^(Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{50,110})(\/.*)?$/s;

/** `Qm…/1.png` of `ipfs://Qm…/1.png` and of a bare content id. What is not escaped in it is part of a file's name: `#1`, `100%`, `Who?`. */
function ipfsPath(text: string): string | undefined {
  const path = /^ipfs:\/\/(?:ipfs\/)?([a-z0-9]+(?:[/?#].*)?)$/is.exec(text)?.[1] ?? CID.exec(text)?.[0];
  return path?.replace(/[?#]|%(?![0-9a-f]{2})/gi, encodeURIComponent);
}

/**
 * The URL parser has normalised every notation of an IP address. Pictures are not loaded from IP addresses,
 * public or not.
 */
function isNearby(host: string): boolean {
  return /^\[|^[\d.]+$|^[^.]+\.?$|\.(localhost|local|internal|home\.arpa)\.?$/i.test(host);
}
