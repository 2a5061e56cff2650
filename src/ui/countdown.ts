import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type Clock, systemClock } from '../base/clock.ts';

/** Counts whole seconds down to a point in time, updating its host each second. Runs only while the host is connected. */
export class Countdown implements ReactiveController {
  /** Epoch milliseconds; 0 while nothing is counted. */
  until = 0;
  #cancel = (): void => {};

  constructor(
    private readonly host: ReactiveControllerHost,
    /** Called every second, the last time with 0. */
    private readonly onSecond: (seconds: number) => void,
    private readonly clock: () => Clock = () => systemClock,
  ) {
    host.addController(this);
  }

  get seconds(): number {
    return Math.max(0, Math.ceil((this.until - this.clock().date()) / 1000));
  }

  /** `until` in epoch milliseconds. */
  start(until: number): void {
    this.until = until;
    this.#schedule();
  }

  stop(): void {
    this.until = 0;
    this.#cancel();
  }

  hostConnected(): void {
    if (this.until) this.#schedule();
  }

  hostDisconnected(): void {
    this.#cancel();
  }

  #schedule(): void {
    this.#cancel();
    const left = this.until - this.clock().date();
    if (Number.isFinite(left))
      this.#cancel = this.clock().after(left <= 0 ? 0 : left % 1000 || 1000, this.#tick);
  }

  readonly #tick = (): void => {
    const { seconds } = this;
    if (seconds > 0) this.#schedule();
    else this.until = 0;
    this.host.requestUpdate();
    this.onSecond(seconds);
  };
}

/** `4:32`, or `1:04:32` from one hour on. */
export function clock(seconds: number): string {
  const pad = (n: number): string => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
}
