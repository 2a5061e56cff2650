/**
 * Who is paid, and for what: an order signed by the operator's own service (JWS, RFC 7515), compared field by field with the transaction on
 * screen. Loaded only for payments that carry one.
 */
import { fromBase64Url } from '../../base/base64.ts';
import * as z from 'zod/mini';
import { ORDER_TYPE, SignedOrder } from '../../api/signed-order.ts';
import { caution } from '../../chains/approval/warnings.ts';
import type { Draft } from '../../chains/terms.ts';
import type { PaidOrder, Summary } from '../../chains/approval/summary.ts';
import { RequestInvalidError } from '../../base/errors.ts';
import type { Frame } from '../frame.ts';
import { inTime } from '../../base/clock.ts';

const KeySet = z.object({
  keys: z.array(z.looseObject({ kid: z.string(), kty: z.string(), crv: z.optional(z.string()) })),
});
/** `crit` would name what has to be understood before it is trusted (RFC 7515 section 4.1.11), and nothing here is. */
const Header = z.object({
  alg: z.literal('ES256'),
  typ: z.literal(ORDER_TYPE),
  kid: z.string(),
  crit: z.optional(z.never()),
});

/** The result of verifying the order alone, before it is compared with the transaction. */
export type OrderCheck =
  | { state: 'good'; order: SignedOrder }
  /** The service did not sign it. */
  | { state: 'forged' }
  /** The keys could not be read, or the wallet has no service. */
  | { state: 'unchecked' };

const TIMEOUT = 5000;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Throws `request.invalid` at `order` if it is not an order. */
export async function readOrder(
  { clock, networks: { service } }: Pick<Frame, 'networks' | 'clock'>,
  jws: string,
): Promise<OrderCheck> {
  const [head = '', body = '', signature = ''] = jws.split('.');
  const header = Header.safeParse(parse(head));
  const claims = SignedOrder.safeParse(parse(body));
  if (!header.success || !claims.success)
    throw new RequestInvalidError([{ path: 'order', message: 'is not a signed order of checkout' }]);
  const order = claims.data;
  if (service === undefined) return { state: 'unchecked' };
  // Only the service's own issuers are trusted: anyone else could sign anything.
  const realms = `${service.replace(/\/$/, '')}/auth/realms/`;
  if (!order.iss.startsWith(realms) || !/^[\w-]+$/.test(order.iss.slice(realms.length)))
    return { state: 'forged' };
  let keys: z.infer<typeof KeySet>['keys'];
  try {
    // The approval waits for it.
    const answer = await inTime(clock, TIMEOUT, async (signal) => {
      const url = `${order.iss}/protocol/openid-connect/certs`;
      const response = await fetch(url, { credentials: 'omit', signal });
      return response.ok ? response.json() : undefined;
    });
    ({ keys } = KeySet.parse(answer));
  } catch {
    return { state: 'unchecked' };
  }
  const jwk = keys.find(({ kid, kty, crv }) => kid === header.data.kid && kty === 'EC' && crv === 'P-256');
  if (!jwk) return { state: 'forged' };
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  try {
    const key = await crypto.subtle.importKey('jwk', jwk as JsonWebKey, algorithm, false, ['verify']);
    const signed = new TextEncoder().encode(`${head}.${body}`);
    const fits = await crypto.subtle.verify(algorithm, key, fromBase64Url(signature), signed);
    return fits ? { state: 'good', order } : { state: 'forged' };
  } catch {
    return { state: 'forged' };
  }
}

/**
 * The summary with the result for its order. The merchant is named only if the service signed the order, everything it signed matches the
 * transaction, and the requesting page is one of the order's origins. `now` is in epoch milliseconds.
 */
export function withOrder(
  summary: Summary,
  check: OrderCheck,
  { network, secretType }: Pick<Draft, 'network' | 'secretType'>,
  { origin, now }: { origin: string; now: number },
): Summary {
  if (check.state === 'forged') return { ...summary, order: { state: 'wrong', reason: 'signature' } };
  if (check.state === 'unchecked') return unsigned(summary);
  const { order } = check;
  const { amount, to, kind } = summary;
  const wrong = (reason: Wrong['reason']): Summary => ({
    ...summary,
    order: {
      state: 'wrong',
      reason,
      reference: order.reference,
      signed: {
        to: order.to,
        ...(sameToken(order.token, amount.token) && { amount: { ...amount, raw: BigInt(order.amount) } }),
      },
    },
  });
  if (
    order.secretType !== secretType ||
    order.network !== network.id ||
    (order.chainId !== null && summary.chainId !== undefined && order.chainId !== summary.chainId)
  )
    return wrong('network');
  if (kind !== 'transfer' || summary.parts || to === null || !sameAddress(order.to, to))
    return wrong('recipient');
  if (!sameToken(order.token, amount.token) || BigInt(order.amount) !== amount.raw) return wrong('amount');
  if (order.exp * 1000 <= now) return wrong('expired');
  if (!order.origins.includes(origin)) return unsigned(summary);
  const { merchant, total, currency, items, exp } = order;
  const reference = order.reference === order.session ? undefined : order.reference;
  return {
    ...summary,
    order: { state: 'signed', merchant, total, currency, reference, items, expires: exp * 1000 },
  };
}

type Wrong = Extract<PaidOrder, { state: 'wrong' }>;

function unsigned(summary: Summary): Summary {
  return {
    ...summary,
    order: { state: 'unsigned' },
    warnings: [...summary.warnings, caution('order-unsigned')],
  };
}

/** Ignores case, which hex addresses have as a checksum only; in others (Tron, Aeternity), whose checksum covers it, it leads to no address. */
function sameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function sameToken(signed: string | null, sent: string | undefined): boolean {
  return signed === null ? sent === undefined : sent !== undefined && sameAddress(signed, sent);
}

function parse(part: string): unknown {
  try {
    return JSON.parse(decoder.decode(fromBase64Url(part)));
  } catch {
    return undefined;
  }
}
