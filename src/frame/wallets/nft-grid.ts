/** Non-fungible tokens as a grid: pictures if the user wants them, otherwise a glyph, with name and number. */
import { css, html, svg, type TemplateResult } from 'lit';
import { icon } from '../../ui/icons.ts';
import { iconSend } from '../../ui/list-icons.ts';
import { msg, str } from '../../base/localize.ts';

export interface Item {
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
  return html`<img src=${picture} alt="" loading="lazy" decoding="async" crossorigin="anonymous" referrerpolicy="no-referrer" @error=${failed}>`;
}

export function nftGrid(
  items: readonly Item[],
  pictures: boolean,
  send: (item: Item) => void,
): TemplateResult {
  return html`<ul class="nfts" aria-label=${msg('NFTs')}>
    ${items.map(
      (item) => html`<li class="nft">
        <div class="art">${icon(iconPicture())}${pictures && item.picture !== undefined ? art(item.picture) : ''}</div>
        <p><span class="strong trunc">${itemName(item)}</span><span class="muted trunc found">${item.collection}</span><span class="muted trunc lost">${msg('Picture not loaded')}</span></p>
        <button type="button" class="btn quiet" @click=${() => send(item)}>${icon(iconSend(), 's')}<span>${msg('Send')}</span> <span class="sr">${itemName(item)}</span></button>
      </li>`,
    )}
  </ul>`;
}
