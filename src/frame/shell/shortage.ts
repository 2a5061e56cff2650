/** What an approval in a window lacks room for. Separate from `room.ts`, because only the guard view needs it. */
import { isEnoughForSteps, LEAST, MIN_RATIO, type Room } from './room.ts';

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
