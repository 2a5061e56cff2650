/** Checks that hold for every view, in every state that renders differently. */
import { expect } from '@open-wc/testing';
import type { FrameView } from '../../../src/frame/ui/view.ts';
import { CONTRAST, expectAccessible } from '../axe.ts';
import { type Look, pictures } from '../gallery.ts';
import { tooSmall } from '../targets.ts';
import { speakEnglish, speakPseudo, untranslated } from '../pseudo.ts';
import { deepAll, show } from './scene.ts';
import { wish } from '../media.ts';

/** `act` brings a view to its state. */
export type Scenes = Record<string, { view: () => FrameView; act?: (view: FrameView) => unknown }>;

/** The views in which a newcomer would ask: each says once what it is. */
const EXPLAINED = new Set(
  ['portfolio', 'activity', 'book', 'swap', 'manage', 'receive'].map((name) => `cbf-${name}`),
);

/** `views`: "approvals and wallet views". */
export function checkScenes(views: string, scenes: Scenes): void {
  pictureScenes(views, scenes);
  checkAccessible(views, scenes);

  describe(`all ${views}`, () => {
    for (const [name, { view, act }] of Object.entries(scenes))
      it(`${name}: one title, focus inside, all translated, nothing cut off at 360 px, in both directions`, async () => {
        const scene = await show(view(), 'light', 360);
        await act?.(scene.view);
        await scene.settle();
        const root = scene.view.shadowRoot as ShadowRoot;
        const check = (): void => {
          expect(root.querySelectorAll('h1')).to.have.length(1);
          expect(root.querySelector('h1')?.getAttribute('tabindex')).to.equal('-1');
          expect(scene.view.contains(scene.shell.shadowRoot?.activeElement as Element)).to.equal(true);
          for (const body of root.querySelectorAll('.body'))
            expect(body.scrollWidth, 'body').to.be.at.most(body.clientWidth);
          for (const button of deepAll<HTMLElement>(root, 'button:not(.mini, .pill)'))
            expect(button.getBoundingClientRect().height, button.textContent ?? '').to.be.at.least(44);
          expect(tooSmall(root, 24)).to.deep.equal([]);
        };
        check();
        try {
          speakPseudo('rtl', scene.shell);
          await scene.settle();
          expect(untranslated(scene.shell, scene.view)).to.deep.equal([]);
          check();
        } finally {
          speakEnglish();
        }
      });
  });
}

/** By axe, in light and in dark. */
export function checkAccessible(views: string, scenes: Scenes): void {
  describe(`${views} are accessible`, () => {
    // A colour in transition has a contrast of its own.
    before(() => wish({ reducedMotion: 'reduce' }));
    after(() => wish({ reducedMotion: 'no-preference' }));
    for (const [name, { view, act }] of Object.entries(scenes))
      it(`${name}, light and dark`, async () => {
        const scene = await show(view());
        await act?.(scene.view);
        await scene.settle();
        const summaries = deepAll<HTMLElement>(scene.view, 'details > summary').map((one) => one.textContent);
        expect(summaries.filter((text) => text === 'What is this?')).to.have.length(
          EXPLAINED.has(scene.view.localName) ? 1 : 0,
        );
        await expectAccessible(scene.shell);
        scene.shell.theme = 'dark';
        await scene.settle();
        await expectAccessible(scene.shell, CONTRAST);
      });
  });
}

export function pictureScenes(views: string, scenes: Scenes): void {
  pictures(views, 'frame', Object.keys(scenes), async (name, { theme, frame }: Look) => {
    const { view, act } = scenes[name]!;
    const scene = await show(view(), theme, frame.width, frame.height);
    await act?.(scene.view);
    await scene.settle();
    return scene.shell;
  });
}
