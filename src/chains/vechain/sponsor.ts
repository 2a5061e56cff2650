/**
 * A service that pays the gas. It signs the exact transaction before the wallet does (VIP-191 lets either
 * sign first), so that who pays is settled before the user approves, and cannot change afterwards.
 * https://github.com/vechain/VIPs/blob/master/vips/VIP-201.md
 */
import type { Node, NodeOptions } from '../terms.ts';
import { addressOf } from '../contracts/evm-address.ts';
import { bytesOf } from '../../base/bytes.ts';
import { type HttpAnswer, request } from '../nodes/http.ts';
import { restOf } from '../nodes/rest.ts';
import { recoverKey } from '../keys/secp256k1.ts';
import { GAS_COIN, type VechainDraft } from './draft.ts';
import { type Body, idOf, overSize, serialize, signingHash } from './envelope.ts';
import { readAccount } from './node.ts';

/** Milliseconds: the approval waits for it. */
const TIMEOUT = 4_000;

type Sponsored =
  /** `payer` is the account that pays. */
  { signature: string; payer: string } | { reason: string };

/** The same transaction at the sponsor's cost, or at the wallet's own if the sponsor declines. */
export async function sponsored(draft: VechainDraft, url: string, node: Node): Promise<VechainDraft> {
  const { host } = new URL(url);
  if (!draft.facts.delegation) return draft;
  const body = { ...draft, delegated: true };
  if (overSize(body) > 0) return declined('the transaction is too long for a second signature');
  const answer = await askSponsor(url, body, draft.from, restOf(node).http);
  if ('reason' in answer) return declined(answer.reason);
  // Nodes accept a sponsored transaction only if the sponsor can pay.
  const { vtho } = await readAccount(node, answer.payer);
  if (vtho < draft.gas * draft.facts.gasPrice) return declined(`it does not hold enough ${GAS_COIN.symbol}`);
  return { ...body, sponsor: { host, signature: answer.signature } };

  function declined(reason: string): VechainDraft {
    return { ...draft, facts: { ...draft.facts, declined: { host, reason } } };
  }
}

/** Asks the service to pay for `body`, whose `delegated` is set. */
async function askSponsor(url: string, body: Body, origin: string, http: NodeOptions): Promise<Sponsored> {
  const raw = serialize(body);
  let answer: HttpAnswer;
  try {
    answer = await request(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ origin, raw }),
      },
      { ...http, timeout: Math.min(http.timeout ?? TIMEOUT, TIMEOUT) },
    );
  } catch (error) {
    http.signal?.throwIfAborted();
    return { reason: (error as Error).message };
  }
  const { signature, message } = read(answer);
  if (answer.status !== 200) return { reason: message ?? `HTTP ${answer.status}` };
  const payer = signature && payerOf(signature, bytesOf(idOf(signingHash(raw), origin)));
  return payer ? { signature: signature!, payer } : { reason: 'it answered no valid signature' };
}

function read({ text }: HttpAnswer): { signature?: string; message?: string } {
  try {
    const { signature, message } = JSON.parse(text) as Record<string, unknown>;
    return {
      ...(typeof signature === 'string' && { signature: signature.toLowerCase() }),
      ...(typeof message === 'string' && message && { message: message.slice(0, 200) }),
    };
  } catch {
    return {};
  }
}

/** Undefined unless it is a signature that nodes accept: r ‖ s ‖ 00 or 01, with the lower s. */
function payerOf(signature: string, digest: Uint8Array): string | undefined {
  const [, r, s, v] = /^0x([0-9a-f]{64})([0-9a-f]{64})0([01])$/.exec(signature) ?? [];
  if (!v) return undefined;
  const key = recoverKey(digest, { r: `0x${r}`, s: `0x${s}`, yParity: Number(v) });
  return key && addressOf(key);
}
