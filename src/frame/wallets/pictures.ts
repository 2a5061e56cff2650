/**
 * Pictures of non-fungible tokens. They come from the one source that `networks.json` names, or lie in the contract; never from wherever
 * a contract says, which would tell a stranger who looks. They are asked for once the user wants to see them, wallet by wallet.
 */
import type { NonFungible } from '../../api/non-fungible.ts';

const ITEM = 'carabiner:pictures';

/** Ids of the wallets whose pictures the user wants to see. */
function wanted(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(ITEM) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    // Storage is denied, or holds something else: nobody wanted to see any.
    return [];
  }
}

export const showsPictures = (walletId: string): boolean => wanted().includes(walletId);

export function showPictures(walletId: string, show: boolean): void {
  const others = wanted().filter((id) => id !== walletId);
  try {
    localStorage.setItem(ITEM, JSON.stringify(show ? [...others, walletId] : others));
  } catch {
    // Storage is full: it holds for this view.
  }
}

/** As in the contract; an SVG in an `<img>` runs no script and loads nothing. */
const INLINE = /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]/i;

/** Undefined where there is none that the wallet may show. `source` ends with a slash. */
export function pictureOf(
  { imageUrl, tokenId, contract }: NonFungible,
  source: string | undefined,
  network: string,
): string | undefined {
  if (INLINE.test(imageUrl)) return imageUrl;
  return source && source + [network, contract.address, tokenId].map(encodeURIComponent).join('/');
}
