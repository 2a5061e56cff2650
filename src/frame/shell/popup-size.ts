/** How large a window of the wallet's own is. */
import type { View } from './room.ts';

/** A window below it is made larger once, when it opens. */
const POPUP_LEAST = { width: 360, height: 560 };
const POPUP = { width: 420, height: 720 };

/** Makes a window of its own as large as it is meant to be. Browsers allow it in windows that a page opened. */
export function enlarge(view: View): void {
  view.resizeTo(
    Math.max(view.outerWidth, POPUP.width + view.outerWidth - view.innerWidth),
    Math.max(view.outerHeight, POPUP.height + view.outerHeight - view.innerHeight),
  );
}

export function opensTooSmall({
  innerWidth,
  innerHeight,
}: Pick<View, 'innerWidth' | 'innerHeight'>): boolean {
  return innerWidth < POPUP_LEAST.width || innerHeight < POPUP_LEAST.height;
}
