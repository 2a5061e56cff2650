/** The client's secret, and its access token: requested once, however many calls wait for it, and renewed a minute before it expires. */
import { jsonOf } from '../api/client.ts';
import { pathWith } from '../api/route.ts';
import { issueToken, TokenResponse } from '../api/token.ts';
import { repeating, send, type SendSettings, wrongAnswer } from './send.ts';

export interface Credentials {
  clientId: string;
  /** A function is called whenever the secret is needed: it may come from a vault, and change. */
  clientSecret: string | (() => string | Promise<string>);
  realm: string;
  /** Fewer scopes than the client has, separated by spaces. */
  scope: string | undefined;
}

/** Seconds before it expires, or half of its lifetime if that is shorter. */
const EARLY = 60;
const NAME = `${issueToken.method} ${issueToken.path}`;

export class Tokens {
  readonly #url: string;
  readonly #credentials: Credentials;
  readonly #settings: SendSettings;
  #current: { value: string; renewAt: number } | undefined;
  #asked: Promise<string> | undefined;

  constructor(base: string, credentials: Credentials, settings: SendSettings) {
    this.#url = base + pathWith(issueToken.path, () => encodeURIComponent(credentials.realm));
    this.#credentials = credentials;
    this.#settings = settings;
  }

  get(): Promise<string> {
    const { value, renewAt = 0 } = this.#current ?? {};
    if (value !== undefined && this.#settings.clock.date() < renewAt) return Promise.resolve(value);
    this.#asked ??= this.#ask().finally(() => (this.#asked = undefined));
    return this.#asked;
  }

  /** The header for calls that take the client's secret and no token (RFC 6749 section 2.3.1). */
  async basic(): Promise<string> {
    const both = [this.#credentials.clientId, await this.#secret()].map(encodeURIComponent).join(':');
    return `Basic ${btoa(both)}`;
  }

  async #secret(): Promise<string> {
    const { clientSecret } = this.#credentials;
    return typeof clientSecret === 'function' ? clientSecret() : clientSecret;
  }

  /** The service refused it. A newer token is kept. */
  drop(refused: string): void {
    if (this.#current?.value === refused) this.#current = undefined;
  }

  async #ask(): Promise<string> {
    const { clientId, scope } = this.#credentials;
    const body = JSON.stringify({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: await this.#secret(),
      ...(scope === undefined ? {} : { scope }),
    });
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
    // Safe to retry: a token that got lost does no harm.
    const answer = await repeating(
      () =>
        send(
          { method: issueToken.method, url: this.#url, name: NAME, headers, body },
          this.#settings,
          undefined,
        ),
      this.#settings,
      undefined,
    );
    const { data } = TokenResponse.safeParse(jsonOf(answer.text));
    if (!data) throw wrongAnswer(answer, NAME);
    const life = data.expires_in;
    const renewAt = this.#settings.clock.date() + Math.max(life - EARLY, life / 2) * 1000;
    this.#current = { value: data.access_token, renewAt };
    return data.access_token;
  }
}
