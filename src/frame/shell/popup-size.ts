/** The size of the wallet's own window. */
import type { View } from './room.ts';

/** A smaller window is enlarged once, when it opens. */
const POPUP_LEAST = { width: 360, height: 560 };
const POPUP = { width: 420, height: 720 };

/** Enlarges the wallet's own window to its intended size. Browsers allow this in windows that a page opened. */
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
