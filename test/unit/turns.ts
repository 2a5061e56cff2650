/** Lets what waits for nobody else run: promises, messages, timers that are due, and what a frame brings. None of it is an amount of time. */
import { pause } from '../waiting.ts';

/** Messages within the page take turns with these. */
export async function turns(count: number): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  for (let turn = 0; turn < count; turn++) {
    const turned = new Promise((resolve) => {
      port1.onmessage = resolve;
    });
    port2.postMessage(0);
    await turned;
  }
  port1.close();
}

/** Everything that waits for nobody has run, also timers of 0 ms that set others. */
export async function idle(): Promise<void> {
  for (let times = 0; times < 10; times++) {
    await turns(1);
    await pause(0);
  }
}

/** The next frame, in which sizes and what is in view are observed. */
export const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

/** Some frames: observers report in one, elements draw themselves in the next. */
export async function frames(count: number): Promise<void> {
  for (let times = 0; times < count; times++) await frame();
}
