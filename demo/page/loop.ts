/** The start page's pictures of one payment, one after another. They can be stopped, and stand still for those who want less motion. */
import { h, icon } from './dom.ts';

const STEPS = ['Connect', 'Approve', 'Sent'];
/** Milliseconds that a step is shown. */
const SHOWN = 3000;
const PAUSE = 'M9 6v12M15 6v12';
const PLAY = 'M8 5.5v13l10.5-6.5z';

export class Loop {
  readonly #shots: readonly HTMLElement[];
  readonly #steps: readonly HTMLInputElement[];
  readonly #label = h('span', { class: 'sr' });
  readonly #button = h('button', { type: 'button', class: 'btn secondary', click: () => this.#toggle() });
  #timer: ReturnType<typeof setInterval> | undefined;
  #step = 0;

  constructor(shots: Iterable<HTMLElement>, controls: HTMLElement) {
    this.#shots = [...shots];
    this.#steps = STEPS.map((name, step) =>
      h('input', {
        type: 'radio',
        name: 'loop',
        value: name,
        checked: step === 0,
        change: () => this.#choose(step),
      }),
    );
    const labels = this.#steps.map((input) => h('label', {}, input, input.value));
    controls.append(
      h('div', { class: 'seg grow', role: 'radiogroup', 'aria-label': 'Steps of a payment' }, ...labels),
      this.#button,
    );
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) this.#stop();
    else this.#play();
  }

  #play(): void {
    this.#timer = setInterval(() => {
      if (!document.hidden) this.#show((this.#step + 1) % STEPS.length);
    }, SHOWN);
    this.#nameButton('Pause the pictures', PAUSE);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#nameButton('Play the pictures', PLAY);
  }

  #toggle(): void {
    if (this.#timer === undefined) this.#play();
    else this.#stop();
  }

  /** Whoever chooses a step wants to look at it. */
  #choose(step: number): void {
    this.#stop();
    this.#show(step);
  }

  #show(step: number): void {
    this.#step = step;
    this.#steps[step]!.checked = true;
    for (const [place, shot] of this.#shots.entries()) shot.toggleAttribute('data-current', place === step);
  }

  #nameButton(name: string, path: string): void {
    this.#label.textContent = name;
    this.#button.replaceChildren(icon(path), this.#label);
  }
}
