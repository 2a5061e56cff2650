/** What opens a key at the wallet service: the PIN, and the answer of the account's passkey if it has one. */
import type { PasskeyAnswer } from '../../api/passkey.ts';
import type { Answer, Input, Route } from '../../api/route.ts';
import type { AccountCache } from './account-state.ts';
import type { CallService } from './calls.ts';
import { answerTo } from './passkey.ts';

/** A route whose call opens a key. */
export type OpeningRoute = Route & { passkey: 'required' | 'optional' };
/** Its input without what opens the key. */
export type ClosedInput<R extends OpeningRoute> = Omit<Input<R>, 'body'> & {
  body: Omit<BodyOf<R>, 'pincode' | 'passkey'>;
};
type BodyOf<R extends OpeningRoute> = Input<R> extends { body: infer B } ? B : never;

export class Openings {
  readonly #call: CallService;
  readonly #cache: AccountCache;

  constructor(call: CallService, cache: AccountCache) {
    this.#call = call;
    this.#cache = cache;
  }

  /**
   * Adds to a call what opens a key; without a PIN, the passkey stands for the master PIN. Call it in a user gesture. `key`: the call's
   * `Idempotency-Key`. Throws `user.rejected`, `wallet.secret.internal-error`.
   */
  async inputOf<R extends OpeningRoute>(
    route: R,
    input: ClosedInput<R>,
    pin: string | undefined,
    { key = '', signal }: { key?: string; signal?: AbortSignal | undefined } = {},
  ): Promise<Input<R>> {
    const body = { ...input.body, ...(pin !== undefined && { pincode: pin }) };
    const { account } = await this.#cache.load();
    const passkey =
      account?.passkeyRequired &&
      (await this.answer(
        route,
        { ...input, body },
        { key: route.idempotencyKey ? key : '', opens: pin === undefined, signal },
      ));
    return { ...input, body: { ...body, ...(passkey && { passkey }) } } as unknown as Input<R>;
  }

  /** Makes a call that is not retried under the same key. */
  async call<R extends OpeningRoute>(
    route: R,
    input: ClosedInput<R>,
    pin: string | undefined,
  ): Promise<Answer<R>> {
    return this.#call(route, await this.inputOf(route, input, pin));
  }

  /** The passkey's answer to exactly this call. */
  async answer(
    { method, path }: OpeningRoute,
    { params = {}, body }: { params?: Record<string, string>; body: object },
    { key, opens, signal }: { key: string; opens: boolean; signal?: AbortSignal | undefined },
  ): Promise<PasskeyAnswer> {
    const question = { method, path, params, body: body as Record<string, unknown>, key };
    return answerTo(await this.#cache.passkey(), question, { at: this.#call.now(), opens, signal });
  }
}
