/** The wallet's own window: its size, and whether it is on screen. */
import type { Clock } from '../../base/clock.ts';
import type { View } from './room.ts';
import type { Shell } from './shell.ts';

/** Moving a window fires no event, so its position is polled. */
const LOOK_MS = 1000;

export function watchWindow(shell: Shell, clock: Clock): void {
  if (opensTooSmall(window)) enlarge(window);
  const look = () => (shell.outside = isOutside(window));
  look();
  clock.every(LOOK_MS, look);
}

/** Frames of maximised windows extend beyond the screen by this much. */
const FRAME_EDGE = 16;

/** Whether part of the window is off screen. With several screens only the current one is known, so the answer is false. */
export function isOutside(view: View): boolean {
  const { screen, screenX, screenY, outerWidth, outerHeight } = view;
  const {
    availLeft = 0,
    availTop = 0,
    isExtended,
  } = screen as Screen & {
    availLeft?: number;
    availTop?: number;
    isExtended?: boolean;
  };
  if (isExtended) return false;
  return (
    screenX < availLeft - FRAME_EDGE ||
    screenY < availTop - FRAME_EDGE ||
    screenX + outerWidth > availLeft + screen.availWidth + FRAME_EDGE ||
    screenY + outerHeight > availTop + screen.availHeight + FRAME_EDGE
  );
}

// The size of the wallet's own window.

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
