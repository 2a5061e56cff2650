/** The part of W3C WebDriver that our tests use, for a browser without BiDi. */

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

export interface Reference {
  [ELEMENT]: string;
}

/** One browser with a profile of its own, which ends with it. */
export class WebDriverSession {
  readonly #url: string;
  readonly version: string;

  private constructor(url: string, version: string) {
    this.#url = url;
    this.version = version;
  }

  static async start(driver: string, capabilities: object): Promise<WebDriverSession> {
    const { sessionId, capabilities: got } = await command<{
      sessionId: string;
      capabilities: { browserVersion: string };
    }>('POST', `${driver}/session`, { capabilities: { alwaysMatch: capabilities } });
    return new WebDriverSession(`${driver}/session/${sessionId}`, got.browserVersion);
  }

  get<T>(path: string): Promise<T> {
    return command('GET', `${this.#url}/${path}`);
  }

  post<T = null>(path: string, body: object = {}): Promise<T> {
    return command('POST', `${this.#url}/${path}`, body);
  }

  /** `work` answers plain data, an element or a promise of them. */
  execute<T>(work: string, given: readonly unknown[] = []): Promise<T> {
    return this.post('execute/sync', { script: `return (${work})(...arguments)`, args: given });
  }

  async press(element: Reference): Promise<void> {
    await this.post(`element/${element[ELEMENT]}/click`);
  }

  async type(element: Reference, text: string): Promise<void> {
    await this.post(`element/${element[ELEMENT]}/value`, { text });
  }

  /** Keys by name, and single characters: each is pressed and released, unless `only` names one of the two. */
  async keys(names: readonly string[], only?: 'keyDown' | 'keyUp'): Promise<void> {
    const ways = only ? [only] : (['keyDown', 'keyUp'] as const);
    const actions = names.flatMap((name) => ways.map((type) => ({ type, value: KEYS[name] ?? name })));
    await this.post('actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  async mouse(...actions: object[]): Promise<void> {
    await this.post('actions', { actions: [{ type: 'pointer', id: 'mouse', actions }] });
  }

  /** The window that commands go to. */
  async close(): Promise<void> {
    await command('DELETE', `${this.#url}/window`);
  }

  async end(): Promise<void> {
    await command('DELETE', this.#url);
  }
}

/** None of our commands waits for anything. */
const LONGEST = 20_000;

/** Names that tests use, as WebDriver writes them. */
const KEYS: Record<string, string> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  Space: ' ',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
  Meta: '\uE03D',
};

async function command<T>(method: string, url: string, body?: object): Promise<T> {
  const signal = AbortSignal.timeout(LONGEST);
  const response = await fetch(url, { method, signal, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
  if (!response.ok) throw new WebDriverError(value.error ?? `HTTP ${response.status}`, value.message ?? '');
  return value;
}

export class WebDriverError extends Error {
  constructor(
    /** Of the specification: `no such window`. */
    readonly code: string,
    message: string,
  ) {
    super(`${code}: ${message}`);
  }
}
