/** Runs in Chromium: a long message as an approval draws it. */
import { LongText } from '../../src/frame/approve/drawing/long-text.ts';

export interface Drawn {
  /** Milliseconds until the beginning can be read. */
  first: number;
  /** Milliseconds of the longest frame while scrolling through it. */
  longest: number;
  /** Frames until the end of the text, or the limit. */
  frames: number;
}

declare global {
  interface Window {
    draw: (text: string, frames: number) => Promise<Drawn>;
  }
}

const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

window.draw = async (text, most) => {
  const box = document.createElement('div');
  box.className = 'body';
  box.style.cssText = 'block-size: 400px; inline-size: 400px; overflow: auto';
  document.body.append(box);
  const element = new LongText();
  element.style.cssText = 'display: block; white-space: pre-wrap; overflow-wrap: anywhere';
  await frame();
  const started = performance.now();
  element.text = text;
  box.append(element);
  box.getBoundingClientRect();
  const first = performance.now() - started;
  let longest = 0;
  let frames = 0;
  for (let before = await frame(); !element.whole && frames < most; frames++) {
    box.scrollTo(0, box.scrollHeight);
    const now = await frame();
    longest = Math.max(longest, now - before);
    before = now;
  }
  box.remove();
  return { first, longest, frames };
};
