/** Whether there is room for an approval: amount, recipient, total and buttons, at a readable size. */

export interface Room {
  width: number;
  height: number;
  /** `devicePixelRatio`, which includes the page's CSS `zoom` of the iframe and the browser's own zoom. */
  ratio: number;
}

/** Minimum sizes with one column, and with two. */
const MIN_SIZES = [
  { width: 320, height: 480 },
  { width: 560, height: 320 },
];
/** In a window of its own, approving takes two steps from this size on: a screen of 1280 × 1024 at 400 %, without the browser's bars. */
export const LEAST = { width: 320, height: 231 };
/**
 * Below this, text of 12 px is drawn with fewer than 9 of the screen's own pixels. On a screen with two of them to a CSS pixel, an embedding
 * page can still make the wallet 0.375 times as large: the browser tells the frame only the product of both.
 */
export const MIN_RATIO = 0.75;

export type View = Pick<
  Window,
  | 'innerWidth'
  | 'innerHeight'
  | 'devicePixelRatio'
  | 'outerWidth'
  | 'outerHeight'
  | 'screenX'
  | 'screenY'
  | 'screen'
  | 'resizeTo'
>;

export function roomOf(view: Pick<View, 'innerWidth' | 'innerHeight' | 'devicePixelRatio'>): Room {
  return { width: view.innerWidth, height: view.innerHeight, ratio: view.devicePixelRatio };
}

export function isEnough(room: Room, sizes = MIN_SIZES): boolean {
  const { width, height, ratio } = room;
  return ratio >= MIN_RATIO && sizes.some((least) => width >= least.width && height >= least.height);
}

export function isEnoughForSteps(room: Room): boolean {
  return isEnough(room, [LEAST]);
}

/** Current and required size or zoom. */
export type Shortage =
  | { kind: 'size'; now: { width: number; height: number }; needed: { width: number; height: number } }
  /** In percent. */
  | { kind: 'zoom'; now: number; needed: number };

export function shortageOf(room: Room): Shortage | undefined {
  if (isEnoughForSteps(room)) return undefined;
  const { width, height, ratio } = room;
  if (isEnoughForSteps({ ...room, ratio: 1 }))
    return { kind: 'zoom', now: Math.floor(ratio * 100), needed: MIN_RATIO * 100 };
  return { kind: 'size', now: { width, height }, needed: LEAST };
}
