/** The live log: every event of the elements, and how each promise settled. Newest last. */
import { h } from './dom.ts';

export type Tone = 'plain' | 'error' | 'done';

const LIMIT = 500;

function replacer(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

/** Compact JSON without quotes around names. */
export function brief(value: unknown): string {
  if (value === undefined) return '';
  const text = JSON.stringify(value, replacer)
    .replace(/"([a-zA-Z]\w*)":/g, '$1: ')
    .replace(/,(?=[\w"{[])/g, ', ');
  return text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text;
}

export class EventLog {
  readonly #list = h('ol', { class: 'log' });
  readonly element = h(
    'div',
    { role: 'log', 'aria-label': 'Event log', tabindex: '0', class: 'log-box' },
    this.#list,
  );

  add(name: string, details = '', tone: Tone = 'plain'): void {
    const now = new Date();
    const time = h('time', { datetime: now.toISOString() }, now.toTimeString().slice(0, 8));
    const text = h('span', { class: 'ev', dir: 'ltr' }, h('b', { class: tone }, name), ` ${details}`);
    this.#list.append(h('li', {}, time, text));
    this.element.scrollTop = this.element.scrollHeight;
  }

  clear(): void {
    this.#list.replaceChildren();
  }
}

/** An error as the log shows it: code, message, and the fields it names. */
export function failure(error: unknown): string {
  const { code, shortMessage, details, message } = error as {
    code?: string;
    shortMessage?: string;
    details?: Record<string, unknown>;
    message?: string;
  };
  if (!code) return String(message ?? error);
  const rest = details && Object.keys(details).length ? ` ${brief(details)}` : '';
  return `${code}: ${shortMessage ?? message}${rest}`;
}
