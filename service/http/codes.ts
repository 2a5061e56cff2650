/** The codes of the service's errors, with their status and their meaning for the reference. */

interface Code {
  status: number;
  meaning: string;
}

export const CODES: Readonly<Record<string, Code>> = {
  'request.invalid': {
    status: 400,
    meaning: 'The request is not valid; `issues` names every invalid field.',
  },
  'chain.not-supported': { status: 400, meaning: 'The chain does not support what was requested.' },
  'wallet.balance.not.supported.yet': { status: 400, meaning: 'No node is configured for the chain.' },
  'swap.no-exchange-found': { status: 400, meaning: 'No exchange of that name serves the chain.' },
  'token.missing': { status: 401, meaning: 'There is no access token.' },
  'token.expired': { status: 401, meaning: 'The token has expired: get a new one.' },
  'token.invalid': {
    status: 401,
    meaning:
      'The token is not accepted here, or its client was revoked. With `details.reason` `invalid_client` the call takes a client’s secret, and got a wrong one or a token.',
  },
  'device.proof.invalid': {
    status: 401,
    meaning:
      'The DPoP proof is missing, wrong, too old or used before; `details.now` is the time here in seconds.',
  },
  'token.scope': { status: 403, meaning: 'The token has none of `details.scopes`; one is enough.' },
  'device.unknown': {
    status: 403,
    meaning: 'The device is not enrolled for the account: enrol it with the PIN and the recovery code.',
  },
  'passkey.required': {
    status: 403,
    meaning: 'The account has a passkey, and the request needs its answer in the field `passkey`.',
  },
  'passkey.invalid': {
    status: 403,
    meaning: 'The passkey’s answer does not match this request; `details.check` says why. Nothing was done.',
  },
  'wallet.forbidden': { status: 403, meaning: 'There is no such wallet, or it is not yours.' },
  'wallet.session.ended': {
    status: 403,
    meaning: 'The wallet has no such spending session, or it has ended: open another one with the PIN.',
  },
  'policy.refused': {
    status: 403,
    meaning:
      'A spending policy does not allow it; `details.rule` says which rule. With `four-eyes` another client can approve `details.transactionId`. Nothing was signed.',
  },
  'pincode.wrong': { status: 403, meaning: 'The PIN is wrong; `details` has the attempts left.' },
  'request.not-found': { status: 404, meaning: 'There is nothing at this path.' },
  'recipient.unknown': { status: 404, meaning: 'No wallet was found for the e-mail address.' },
  'checkout.session.unknown': {
    status: 404,
    meaning: 'There is no such checkout session, or it is not yours.',
  },
  'checkout.wallet.unavailable': {
    status: 404,
    meaning: 'The session cannot be paid by wallet, or has no quote for it.',
  },
  'request.method-not-allowed': {
    status: 405,
    meaning: 'The path does not have this method; see `Allow`. A method that no path has may get 501.',
  },
  'request.conflict': {
    status: 409,
    meaning:
      'The `Idempotency-Key` was used with another request, or the state does not allow it; `detail` says which. With `details.reason` `restored` the wallet may have done the same before the service was restored from a back-up, in `details.transactions`; if not, use a key that begins with `details.keyPrefix`.',
  },
  'wallet.archived': { status: 409, meaning: 'The wallet is archived: restore it first.' },
  'checkout.session.complete': {
    status: 409,
    meaning:
      'The session is complete: nothing more can be paid. `details.redirect` is where the customer goes.',
  },
  'checkout.session.expired': {
    status: 409,
    meaning:
      'The time to pay ran out, or the customer went back. `details.redirect` is where the customer goes.',
  },
  'checkout.payment.pending': {
    status: 409,
    meaning:
      'A payment by wallet is in progress: nothing else can be done with the session until it is decided.',
  },
  'checkout.refund.refused': {
    status: 409,
    meaning:
      'The payment cannot be refunded; `details.reason` says why: it is unpaid, less than the amount is left, its provider is no longer in use, or confirmations are missing. Nothing was refunded.',
  },
  'request.too-large': { status: 413, meaning: 'The body is too large.' },
  'request.media-type': { status: 415, meaning: 'The body has a media type that this call does not accept.' },
  'transaction.insufficient-funds': {
    status: 422,
    meaning: 'The wallet does not hold enough for amount and fee.',
  },
  'transaction.refused': {
    status: 422,
    meaning: 'The node refused the transaction, in its own words, or it would fail or cost too much.',
  },
  'wallet.session.limit': {
    status: 422,
    meaning:
      'The spending session does not cover the transaction; `details.reason` says which limit. Nothing was signed.',
  },
  'swap.dex.get-price.failed': {
    status: 422,
    meaning:
      'The exchange has no price for the swap, or a worse one than the slippage allows; `details.reason` says which. In the code, `dex` is its name: `swap.uniswap-v2.get-price.failed`.',
  },
  'swap.dex.allowance-error': {
    status: 422,
    meaning: 'The token does not report the exchange’s allowance, or refuses to set it.',
  },
  'swap.dex.exchange-not-found': {
    status: 422,
    meaning: 'The exchange has no pool for the two tokens, or is not on this network.',
  },
  'swap.dex.sell-only': {
    status: 422,
    meaning: 'The exchange swaps between chains, and can only sell: the output cannot be exact.',
  },
  'swap.dex.unavailable': {
    status: 422,
    meaning:
      'The exchange between chains does not take the swap now; `details.reason` says why. Nothing was built or signed.',
  },
  'checkout.wallet.no-price': {
    status: 422,
    meaning:
      'There is currently no price for the payment by wallet; `details.reason` says why. Nothing was quoted.',
  },
  'checkout.provider.refused': {
    status: 422,
    meaning: 'The payment provider refused the session, in its own words; nothing was stored.',
  },
  'pincode.locked': {
    status: 423,
    meaning:
      'Too many wrong PINs; `details.retryAfter` in seconds, or `details.hard`: the recovery code sets a new PIN.',
  },
  'request.rate-limited': {
    status: 429,
    meaning: 'Too many requests, or too many PINs to check; `Retry-After` in seconds.',
  },
  'internal.error': {
    status: 500,
    meaning: 'Something went wrong in the service; `instance` leads to the entry in its log.',
  },
  'wallet.encrypt.internal-error': {
    status: 500,
    meaning: 'The secret could not be encrypted; nothing was stored.',
  },
  'wallet.decrypt.internal-error': { status: 500, meaning: 'The secret could not be decrypted.' },
  'wallet.secret.not-found': { status: 500, meaning: 'The wallet is known, but its secret is not.' },
  'wallet.secret.internal-error': { status: 500, meaning: 'The secret could not be read.' },
  'service.unreachable': {
    status: 503,
    meaning:
      'The service is overloaded, or its database is unreachable or full; `Retry-After` in seconds. The request may have taken effect: repeat it with the same `Idempotency-Key`. With `details.reason` `restored` the service was restored from a back-up, and only reads for now.',
  },
  'node.unreachable': {
    status: 502,
    meaning:
      'No node of the network answered. With `details.transactionHash` the transaction is signed and will be sent: do not make another one.',
  },
  'checkout.provider.unreachable': {
    status: 502,
    meaning:
      'The payment provider did not answer; nothing was stored. Try again, with the same `Idempotency-Key`.',
  },
  'identity-provider.unreachable': { status: 502, meaning: 'The issuer did not answer with its keys.' },
};

/** The entry that explains a code: one for all exchanges. */
export function entryOf(code: string): string {
  return code.replace(/^swap\.[^.]+\.(?=.)/, 'swap.dex.');
}

export function statusOf(code: string): number {
  const entry = entryOf(code);
  return Object.hasOwn(CODES, entry) ? CODES[entry]!.status : 500;
}
