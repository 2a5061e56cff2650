/** What an approval lacks room for. Separate from `room.ts`, because only the guard view needs it. */
import { isEnough, MIN_SIZES, MIN_RATIO, type Room } from './room.ts';

/** Current and required size or zoom. */
export type Shortage =
  | { kind: 'size'; now: { width: number; height: number }; needed: { width: number; height: number } }
  /** In percent. */
  | { kind: 'zoom'; now: number; needed: number };

export function shortageOf(room: Room): Shortage | undefined {
  if (isEnough(room)) return undefined;
  const { width, height, ratio } = room;
  if (isEnough({ ...room, ratio: 1 }))
    return { kind: 'zoom', now: Math.floor(ratio * 100), needed: MIN_RATIO * 100 };
  // The nearer of the two: for a wide, low window that is the wide one.
  const [tall, wide] = MIN_SIZES as [{ width: number; height: number }, { width: number; height: number }];
  const missing = (least: { width: number; height: number }) =>
    Math.max(0, least.width - width) + Math.max(0, least.height - height);
  return { kind: 'size', now: { width, height }, needed: missing(wide) < missing(tall) ? wide : tall };
}
