/** Checks that hold for every view, in every state that renders differently. */
import { expect } from '@open-wc/testing';
import type { FrameView } from '../../../src/frame/ui/view.ts';
import { type Look, pictures } from '../gallery.ts';
import { tooSmall } from '../targets.ts';
import { speakEnglish, speakPseudo, untranslated } from '../pseudo.ts';
import { deepAll, show } from './scene.ts';
import { wish } from '../media.ts';

/** `act` brings a view to its state. */
export type Scenes = Record<string, { view: () => FrameView; act?: (view: FrameView) => unknown }>;

/** `views`: "approvals and wallet views". */
export function checkScenes(views: string, scenes: Scenes): void {
  pictureScenes(views, scenes);
  describe(`${views} are accessible`, () => {
    // A colour in transition has a contrast of its own.
    before(() => wish({ reducedMotion: 'reduce' }));
    after(() => wish({ reducedMotion: 'no-preference' }));
    for (const [name, { view, act }] of Object.entries(scenes))
      for (const theme of ['light', 'dark'] as const)
        it(`${name}, ${theme}`, async () => {
          const scene = await show(view(), theme);
          await act?.(scene.view);
          await scene.settle();
          await expect(scene.shell).to.be.accessible();
        });
  });

  describe(`all ${views}`, () => {
    for (const [name, { view, act }] of Object.entries(scenes))
      for (const dir of ['ltr', 'rtl'])
        it(`${name}: one title, focus inside, ${dir === 'rtl' ? 'all translated, ' : ''}nothing cut off at 360 px, ${dir}`, async () => {
          try {
            const scene = await show(view(), 'light', 360);
            await act?.(scene.view);
            await scene.settle();
            if (dir === 'rtl') {
              speakPseudo(dir, scene.shell);
              await scene.settle();
              expect(untranslated(scene.shell, scene.view)).to.deep.equal([]);
            }
            const root = scene.view.shadowRoot as ShadowRoot;
            expect(root.querySelectorAll('h1')).to.have.length(1);
            expect(root.querySelector('h1')?.getAttribute('tabindex')).to.equal('-1');
            expect(scene.view.contains(scene.shell.shadowRoot?.activeElement as Element)).to.equal(true);
            for (const body of root.querySelectorAll('.body'))
              expect(body.scrollWidth, 'body').to.be.at.most(body.clientWidth);
            for (const button of deepAll<HTMLElement>(root, 'button:not(.mini)'))
              expect(button.getBoundingClientRect().height, button.textContent ?? '').to.be.at.least(44);
            expect(tooSmall(root, 24)).to.deep.equal([]);
          } finally {
            speakEnglish();
          }
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
