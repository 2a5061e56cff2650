/** Bounds what callers make the service ask of a network's nodes about swaps. */
import { Turns } from '../custody/turns.ts';

/** On one network: a slow one keeps nobody from the others. */
const AT_ONCE = 16;
const WAITING = 200;
const SAME_MS = 1_000;

export class Questions {
  readonly #turns = new Map<string, Turns>();
  readonly #answers = new Map<string, Promise<unknown>>();

  /** In its turn. Throws `request.rate-limited` where too many wait. */
  ask<T>(place: string, question: () => Promise<T>): Promise<T> {
    let turns = this.#turns.get(place);
    if (!turns) {
      turns = new Turns(AT_ONCE, WAITING);
      this.#turns.set(place, turns);
    }
    return turns.run(question);
  }

  /** Once for all who ask the same while it is under way, and for a second after. A failure is nobody else's. */
  askOnce<T>(place: string, about: unknown, question: () => Promise<T>): Promise<T> {
    const key = `${place} ${JSON.stringify(about)}`;
    const known = this.#answers.get(key) as Promise<T> | undefined;
    if (known) return known;
    const answer = this.ask(place, question);
    this.#answers.set(key, answer);
    const forget = () => void this.#answers.delete(key);
    answer.then(() => setTimeout(forget, SAME_MS).unref(), forget);
    return answer;
  }
}
