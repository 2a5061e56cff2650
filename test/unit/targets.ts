/** What can be pressed, and how large it is: WCAG 2.5.8 wants 24 px, fingers want 44. */
import { deepAll } from './frame/scene.ts';

const PRESSED = 'a[href], button, input:not([type=hidden]), select, textarea, summary';

/** Names of those that are smaller than `least` in height or width. */
export function tooSmall(root: Element | ShadowRoot, least: number): string[] {
  return deepAll<HTMLElement>(root, PRESSED)
    .filter((target) => target.checkVisibility({ visibilityProperty: true }) && !target.closest('.sr'))
    .flatMap((target) => {
      const { width, height } = area(target);
      // Half a pixel is rounding.
      if (Math.min(width, height) >= least - 0.5) return [];
      const name = target.ariaLabel ?? target.textContent?.trim() ?? target.localName;
      return [`${name || target.outerHTML.slice(0, 60)}: ${Math.round(width)} × ${Math.round(height)}`];
    });
}

/** For the tests of a `describe`: there is no mouse. */
export function onTouchScreen(): void {
  const real = window.matchMedia;
  before(() => {
    window.matchMedia = (query) => real.call(window, query === '(pointer: coarse)' ? 'all' : query);
  });
  after(() => {
    window.matchMedia = real;
  });
}

/** With its labels, which press it too, and with what extends it invisibly. */
function area(target: HTMLElement): { width: number; height: number } {
  const boxes = [target, ...((target as HTMLInputElement).labels ?? [])].map((each) => extended(each));
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  return {
    width: Math.max(...boxes.map((box) => box.right)) - left,
    height: Math.max(...boxes.map((box) => box.bottom)) - top,
  };
}

function extended(element: HTMLElement): { left: number; right: number; top: number; bottom: number } {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const after = getComputedStyle(element, '::after');
  if (after.content === 'none' || after.position !== 'absolute') return { left, right, top, bottom };
  const grown = (side: string): number => Math.max(0, -Number.parseFloat(side) || 0);
  return {
    left: left - grown(after.left),
    right: right + grown(after.right),
    top: top - grown(after.top),
    bottom: bottom + grown(after.bottom),
  };
}
