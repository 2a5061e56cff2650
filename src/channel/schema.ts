/**
 * The messages between host page and frame, as schemas. The frame parses every message with them;
 * the host end imports only the types and has small guards of its own (`guards.ts`).
 *
 * 1. frame → host, by `window.postMessage` to `*`: `ready`, with the protocols that the frame speaks. Anybody may read that.
 * 2. host → frame, by `window.postMessage` to the pinned frame origin: `init`, with the newest protocol that both speak and one
 *    MessagePort.
 * 3. everything else goes over that port.
 */
import * as z from 'zod/mini';
import { type Action, type Ask, ASK_NAMES, type Read, READ_NAMES } from '../action-names.ts';
import type { AskParams } from './ask-schema.ts';
import type { ReadParams } from './read-schema.ts';

export const READY = 'carabiner:ready';
export const INIT = 'carabiner:init';
/** What a host speaks. */
export const PROTOCOL = 1;
/** What a frame speaks: that of pages that are older, too. A frame of 0.1.0 names none in its `ready`, and speaks 1. */
export const PROTOCOLS: readonly number[] = [PROTOCOL];

export const Init = z.strictObject({
  type: z.literal(INIT),
  protocol: z.literal(PROTOCOLS),
  /** `approve` has a visible surface; `read` is a hidden iframe that never approves. */
  mode: z.enum(['approve', 'read']),
  locale: z.optional(z.string().check(z.maxLength(35))),
  /** The page gives access tokens of the wallet service, when it is asked. */
  tokens: z.optional(z.boolean()),
  /** Wallets that the page unlinked while the vault could not be reached. */
  unlinked: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(1000))),
});

/** Made by the host if the caller gives none. */
export const RequestId = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/));
export const WalletId = z.string().check(z.minLength(1), z.maxLength(64));

/** Checked in full where the request is answered. */
export const AnyParams = z.looseObject({});

export type ParamsOf<A extends Action> = A extends Ask
  ? AskParams<A>
  : A extends Read
    ? ReadParams<A>
    : never;

// Not by `discriminatedUnion`, which would cost every frame 0.4 KiB for better messages that nobody reads: no page writes these by hand.
export const FromHost = z.union([
  z.strictObject({
    type: z.literal('request'),
    id: RequestId,
    action: z.enum([...ASK_NAMES, ...READ_NAMES]),
    params: z.unknown(),
  }),
  z.strictObject({ type: z.literal('abort'), id: RequestId }),
  /** What the frame asked for: an access token of the wallet service; without one, the page has none to give. */
  z.strictObject({
    type: z.literal('token'),
    id: RequestId,
    token: z.optional(z.string().check(z.regex(/^[\w.~+/=-]{1,16384}$/))),
  }),
  /** The page has the answer: the frame may forget it. */
  z.strictObject({ type: z.literal('ack'), id: RequestId }),
  /** The page shows the frame as a sheet at its lower edge, or no longer does. */
  z.strictObject({ type: z.literal('sheet'), on: z.boolean() }),
  /** In answer to `close`: another request comes as soon as the page has written it down. */
  z.strictObject({ type: z.literal('stay') }),
  /** The page goes away; a popup announces itself again. */
  z.strictObject({ type: z.literal('bye') }),
]);
export type FromHost = z.infer<typeof FromHost>;
