/** Whether there is room for an approval: amount, recipient, total and buttons, at a readable size. */

export interface Room {
  width: number;
  height: number;
  /** `devicePixelRatio`, which includes the page's CSS `zoom` of the iframe and the browser's own zoom. */
  ratio: number;
}

/** The least size with one column, and with two. */
const LEAST = [
  { width: 320, height: 480 },
  { width: 560, height: 320 },
];
/** Below this, text is smaller than 9 px on the screen. */
const LEAST_RATIO = 0.75;

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

export function isEnough({ width, height, ratio }: Room): boolean {
  return ratio >= LEAST_RATIO && LEAST.some((least) => width >= least.width && height >= least.height);
}

/** What is too small, and what is needed. */
export type Shortage =
  | { kind: 'size'; now: { width: number; height: number }; needed: { width: number; height: number } }
  /** In percent. */
  | { kind: 'zoom'; now: number; needed: number };

export function shortageOf(room: Room): Shortage | undefined {
  if (isEnough(room)) return undefined;
  const { width, height, ratio } = room;
  if (isEnough({ ...room, ratio: 1 }))
    return { kind: 'zoom', now: Math.floor(ratio * 100), needed: LEAST_RATIO * 100 };
  // The nearer of the two: a wide, low window had better become wider.
  const [tall, wide] = LEAST as [{ width: number; height: number }, { width: number; height: number }];
  const missing = (least: { width: number; height: number }) =>
    Math.max(0, least.width - width) + Math.max(0, least.height - height);
  return { kind: 'size', now: { width, height }, needed: missing(wide) < missing(tall) ? wide : tall };
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
