/**
 * Pictures of non-fungible tokens. They come from the one source in `networks.json`, or inline from the contract; never from a URL in a
 * contract, which would reveal the viewer to a stranger. They load once the user has asked for them, per wallet.
 */
import type { NonFungible } from '../../api/wallet.ts';

const ITEM = 'carabiner:pictures';

/** Ids of the wallets whose pictures the user wants to see. */
function wanted(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(ITEM) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    // Storage is denied, or its content invalid: as if nobody had asked for any.
    return [];
  }
}

export const showsPictures = (walletId: string): boolean => wanted().includes(walletId);

export function showPictures(walletId: string, show: boolean): void {
  const others = wanted().filter((id) => id !== walletId);
  try {
    localStorage.setItem(ITEM, JSON.stringify(show ? [...others, walletId] : others));
  } catch {
    // Storage is full: the choice applies to this view only.
  }
}

/** Inline in the contract. An SVG in an `<img>` runs no scripts and loads nothing. */
const INLINE = /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]/i;

/** Undefined if there is none that the wallet may show. `source` ends with a slash. */
export function pictureOf(
  { imageUrl, tokenId, contract }: NonFungible,
  source: string | undefined,
  network: string,
): string | undefined {
  if (INLINE.test(imageUrl)) return imageUrl;
  return source && source + [network, contract.address, tokenId].map(encodeURIComponent).join('/');
}
