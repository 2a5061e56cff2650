/** Non-fungible tokens as a grid: pictures if the user wants them, otherwise a glyph, with name and number. */
import { css, html, nothing, svg, type TemplateResult } from 'lit';
import type { NonFungible } from '../../api/wallet.ts';
import type { Network } from '../../chains/network.ts';
import { type Clock, inTime } from '../../base/clock.ts';
import { msg, str } from '../../base/localize.ts';
import { inertText } from '../../base/text.ts';
import { icon } from '../../ui/icons.ts';
import { iconSend } from '../../ui/list-icons.ts';

export interface Item {
  network: Network;
  /** `Ticket #214`; empty if its contract has none. */
  name: string;
  /** Its token id, shortened. */
  number: string;
  /** `Harbour Tickets`. */
  collection: string;
  /** The URL from which the wallet may load its picture. */
  picture?: string | undefined;
  /** Address of its contract. */
  contract: string;
  tokenId: string;
}

export function itemName({ name, number }: Item): string {
  return name || msg(str`Item #${number}`);
}

/** The grid queries the `frame` container, which `<cbf-shell>` defines. */
export const nftStyles = css`
  .nfts { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: var(--_s3); }
  @container frame (min-width: 440px) { .nfts { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
  .nft { overflow: hidden; border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface); }
  .art { position: relative; display: grid; place-items: center; aspect-ratio: 1; background: var(--_surface-3); color: var(--_text-3); }
  .art img { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; object-fit: cover; background: var(--_surface-3); forced-color-adjust: none; }
  .nft p { padding: 7px 10px 9px; font-size: var(--_fs-sm); line-height: 1.3; }
  .nft p > * { display: block; }
  .nft .lost, .nft.failed .found, .nft.failed img { display: none; }
  .nft.failed .lost { display: block; }
  .nft .btn { inline-size: 100%; border-radius: 0; border-block-start: 1px solid var(--_border); }
  .nft .btn:focus-visible { outline-offset: -3px; border-radius: var(--_r-md); }
`;

export const iconPicture = () =>
  svg`<rect x="3.5" y="5" width="17" height="14" rx="2.5"/><circle cx="8.5" cy="10" r="1.5"/><path d="m5 17 4.5-4 3 2.5 3-3 4 4"/>`;

/** Loaded without referrer or cookies; the URL is used only as an image. */
function art(picture: string): TemplateResult {
  const failed = ({ target }: Event): void =>
    (target as HTMLElement).closest('.nft')?.classList.add('failed');
  return html`<img
    src=${picture}
    alt=""
    loading="lazy"
    decoding="async"
    crossorigin="anonymous"
    referrerpolicy="no-referrer"
    @error=${failed}
  >`;
}

/** `named`: with the network of each, as the wallet is on several. */
export function nftGrid(
  items: readonly Item[],
  pictures: boolean,
  named: boolean,
  send: (item: Item) => void,
): TemplateResult {
  return html`<ul class="nfts" aria-label=${msg('NFTs')}>
    ${items.map(
      (item) => html`<li class="nft">
        <div class="art">${icon(iconPicture())}${pictures && item.picture !== undefined ? art(item.picture) : ''}</div>
        <p><span class="strong trunc">${itemName(item)}</span><span class="muted trunc found">${item.collection}</span>${named ? html`<span class="muted trunc">${item.network.name}</span>` : nothing}<span class="muted trunc lost">${msg('Picture not loaded')}</span></p>
        <button
          type="button"
          class="btn quiet"
          @click=${() => send(item)}
        >${icon(iconSend(), 's')}<span>${msg('Send')}</span> <span class="sr">${itemName(item)}</span></button>
      </li>`,
    )}
  </ul>`;
}

// Pictures of non-fungible tokens. They come from the one source in `networks.json`, or inline from the contract; never from a URL in a
// contract, which would reveal the viewer to a stranger. They load once the user has asked for them, per wallet.

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

// Names of non-fungible tokens whose metadata is not in the contract. They come from the picture source in `networks.json`, once the user
// has asked for pictures: names reveal nothing more to it.

/** The service's limit per request. */
const AT_ONCE = 50;
const MAX_LETTERS = 64;
const MAX_CHARACTERS = 65_536;
const TIME = 8_000;

export interface Unnamed {
  tokenId: string;
  contract: { address: string };
}

export const nameKey = ({ contract, tokenId }: Unnamed): string => `${contract.address} ${tokenId}`;

/** By `nameKey`. Names that the source does not return in time are omitted. `source` ends with a slash. */
export async function itemNames(
  source: string,
  network: string,
  unnamed: readonly Unnamed[],
  clock: Clock,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const contracts = new Map<string, Unnamed[]>();
  for (const one of unnamed)
    contracts.set(one.contract.address, [...(contracts.get(one.contract.address) ?? []), one]);
  const parts = [...contracts].flatMap(([address, all]) =>
    Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, i) => ({
      address,
      some: all.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
    })),
  );
  const reads = parts.map(async ({ address, some }) => {
    const path = [network, address].map(encodeURIComponent).join('/');
    const url = `${source}${path}?tokens=${some.map(({ tokenId }) => tokenId).join()}`;
    const text = await inTime(clock, TIME, async (signal) => {
      const answer = await fetch(url, {
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        redirect: 'error',
        signal,
      });
      return answer.ok ? answer.text() : '{}';
    });
    if (text.length > MAX_CHARACTERS) return;
    // No zod schema: its record type would add to the PIN field's bundle, which contains all of zod that the wallet uses.
    const answers = JSON.parse(text) as Record<string, unknown> | null;
    for (const one of some) {
      const answer = answers && Object.hasOwn(answers, one.tokenId) ? answers[one.tokenId] : undefined;
      const name = typeof answer === 'string' ? inertText(answer, MAX_LETTERS).trim() : '';
      if (name) names.set(nameKey(one), name);
    }
  });
  await Promise.allSettled(reads);
  return names;
}
