/** Pictures of every view, for `npm run gallery`: the scenes that other tests check, in each look. Elsewhere nothing of it runs. */
import { executeServerCommand, setViewport } from '@web/test-runner-commands';
import { systemClock } from '../../src/base/clock.ts';
import { install } from '../../src/base/localize.ts';
import { redraw, speak } from '../../src/ui/languages.ts';
import { writeAmountsIn } from '../../src/ui/amount-text.ts';
import { violationsIn } from './axe.ts';
import { frames, idle } from './turns.ts';

/** How a view is looked at; `scripts/gallery.ts` lists them. */
export interface Look {
  name: string;
  theme: 'light' | 'dark';
  /** Of a view of the wallet, and of a page with an element. */
  frame: { width: number; height: number };
  page: { width: number; height: number };
  /** The browser's zoom. */
  zoom: number;
  forcedColors: boolean;
  locale: string;
  /** Only these, as `group, scene`, and without the space around an element: for the docs, and to compare. */
  scenes?: string[];
}

/** What is known of a picture. */
export interface Picture {
  group: string;
  scene: string;
  look: string;
  file: string;
  /** What is below the fold is in it, too. */
  whole: boolean;
  /** The part of the page that is in it. */
  clip?: { x: number; y: number; width: number; height: number } | undefined;
  /** Nothing in it was about to change. */
  isSettled: boolean;
  /** Custom elements in it. */
  elements: string[];
  /** axe's findings: rule and element. */
  findings: string[];
}

/** A view of the wallet, an element in a page, or the payment page, of which all is pictured, below the fold too. */
type Kind = 'frame' | 'page' | 'pay';

/** Set by `web-test-runner.config.mjs` while the gallery is made. */
const looks = (globalThis as { GALLERY?: Look[] }).GALLERY;

/** Pictures for the docs, and those that are compared, are of some scenes, which others check by axe. */
const isOfSome = looks?.some(({ scenes }) => scenes) ?? false;

/** One moment: waits of up to two seconds are over, longer ones do not end. */
function standStill(): void {
  const now = Date.UTC(2031, 0, 1, 8);
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given: unknown[]) {
      super(...((given.length ? given : [now]) as [number]));
    }
    static override now(): number {
      return now;
    }
  } as DateConstructor;
  let passed = 0;
  const { after } = systemClock;
  systemClock.date = () => now;
  systemClock.now = () => passed;
  systemClock.every = () => () => {};
  systemClock.after = (milliseconds, work) => {
    if (milliseconds > 2000) return () => {};
    return after(0, () => {
      passed += milliseconds;
      work();
    });
  };
}

/** Animations end where they end, else stay at their beginning; and no caret blinks. */
function stopMotion(): void {
  document.documentElement.style.caretColor = 'transparent';
  const stopIn = (tree: Document | ShadowRoot): void => {
    for (const animation of tree.getAnimations()) {
      if (animation.effect?.getComputedTiming().iterations === Infinity) animation.cancel();
      else animation.finish();
    }
    for (const { shadowRoot } of tree.querySelectorAll('*')) if (shadowRoot) stopIn(shadowRoot);
  };
  stopIn(document);
}

/** The tests' page has no heading and no landmark of its own. */
const OFF = [
  'region',
  'landmark-one-main',
  'page-has-heading-one',
  'heading-order',
  'bypass',
  'document-title',
];

/** `draw` puts a scene on the page, and answers its outermost element. `kind`: what its size is of. */
export function pictures(
  group: string,
  kind: Kind,
  scenes: readonly string[],
  draw: (scene: string, look: Look) => Promise<Element>,
): void {
  if (!looks) return;
  // The payment page's scenes have a clock of their own.
  if (isOfSome && kind !== 'pay') standStill();
  describe(`pictures of ${group}`, () => {
    before(() => {
      for (const { locale } of looks) hasLetters(locale);
    });
    for (const look of looks)
      for (const scene of scenes.filter((each) => look.scenes?.includes(`${group}, ${each}`) ?? true))
        it(`${scene}, ${look.name}`, async () => {
          const size = { ...look[kind === 'frame' ? kind : 'page'], deviceScaleFactor: look.zoom };
          await setViewport(size);
          // A colour in transition has a contrast of its own.
          await executeServerCommand('media', {
            'prefers-reduced-motion': 'reduce',
            'prefers-color-scheme': look.theme,
            'forced-colors': look.forcedColors ? 'active' : 'none',
          });
          document.body.style.background = look.theme === 'dark' ? '#0d1015' : '#f5f6f8';
          Object.assign(document.documentElement, { lang: 'en', dir: 'ltr' });
          install({ lang: 'en', dir: 'ltr' }, undefined);
          writeAmountsIn(undefined);
          const root = await draw(scene, look);
          // A view's scene has set a window of its size, without the zoom.
          if (kind === 'frame' && look.zoom !== 1) await setViewport(size);
          if (look.locale !== 'en') await translate(root, kind, look.locale);
          const rules = Object.fromEntries(OFF.map((id) => [id, { enabled: false }]));
          const violations = isOfSome ? [] : await violationsIn(root, { rules });
          if (isOfSome) {
            await idle();
            await frames(6);
            stopMotion();
          }
          await executeServerCommand('picture', {
            group,
            scene,
            look: look.name,
            // A page from right to left that does not scroll would be pictured beside its place.
            whole: kind === 'pay' && document.documentElement.scrollHeight > innerHeight,
            clip: look.scenes && kind === 'page' ? around(root) : undefined,
            isSettled: isOfSome,
            elements: elementsIn(root),
            findings: violations.flatMap(({ id, nodes }) =>
              nodes.map(({ target }) => `${id}: ${String(target)}`),
            ),
          } satisfies Omit<Picture, 'file'>);
        });
  });
}

/** An element, or the dialog that it has opened. */
function around(root: Element): Picture['clip'] {
  const margin = 16;
  const drawn = root.shadowRoot?.querySelector('dialog[open]') ?? root;
  const { left, top, width, height } = drawn.getBoundingClientRect();
  const [x, y] = [Math.max(0, left - margin), Math.max(0, top - margin)];
  return { x, y, width: left + width + margin - x, height: top + height + margin - y };
}

/** Without a font, letters are empty boxes, which look alike. */
function hasLetters(locale: string): void {
  const drawn = (letter: string): string => {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d')!;
    context.font = '40px system-ui, sans-serif';
    context.fillText(letter, 20, 60);
    return canvas.toDataURL();
  };
  const [one, other] = new Intl.DisplayNames(locale, { type: 'language' }).of(locale)!;
  if (drawn(one!) === drawn(other!))
    throw new Error(`No font here has the letters of ${locale}. On Debian: apt-get install fonts-noto-cjk`);
}

const CATALOGUES = {
  frame: async () => (await import('../../src/locales/frame.ts')).frame,
  page: async () => (await import('../../src/locales/elements.ts')).elements,
  pay: async () => (await import('../../src/locales/pay.ts')).pay,
};

/** Scenes find controls by their English names, so they are translated once they are drawn. */
async function translate(root: Element, kind: Kind, locale: string): Promise<void> {
  const texts = await speak([locale], await CATALOGUES[kind](), locale);
  // Elements hear of it and draw themselves again; the wallet's own page is redrawn by its settings.
  Object.assign(document.documentElement, texts);
  redraw(root);
  await frames(6);
}

function elementsIn(root: Element): string[] {
  const found = new Set<string>();
  const walk = (node: Element | ShadowRoot): void => {
    if (node instanceof Element && node.localName.includes('-')) found.add(node.localName);
    if (node instanceof Element && node.shadowRoot) walk(node.shadowRoot);
    for (const child of node.children) walk(child);
  };
  walk(root);
  return [...found];
}
