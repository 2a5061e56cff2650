/** Settings for the issuers whose tokens the service accepts, and for those whose tokens it exchanges. */
import * as z from 'zod';
import { SecureUrl } from '../settings/fields.ts';

/** Only algorithms with public keys. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

const issuerFields = {
  /** Exactly as in the `iss` claim. */
  issuer: SecureUrl,
  /** Found by OpenID discovery when absent. */
  jwksUri: SecureUrl.optional(),
  audience: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  algorithms: z.array(z.enum(ALGORITHMS)).min(1).default(['RS256', 'PS256', 'ES256', 'EdDSA']),
};

export const TrustedIssuer = z.strictObject({
  ...issuerFields,
  /** Claim with the scopes: text with spaces, or a list. Dots lead into objects. */
  scopeClaim: z.string().default('scope'),
  /** Claim with the id of the application. */
  clientClaim: z.string().default('azp'),
  /** Claim that only tokens of an application itself have. Absent: such a token's `sub` is its client id. */
  applicationClaim: z.string().optional(),
  /** The header's `typ`, when the issuer sets one. */
  type: z.string().optional(),
  /** Ids of the networks, besides the default ones of wallets, on which wallets may be used through its applications. */
  networks: z.array(z.string().min(1)).optional(),
  /** Its applications' tokens have the scopes of checkout, whatever they say: it does not issue these scopes yet. */
  legacyCheckout: z.boolean().default(false),
});
export type TrustedIssuer = z.infer<typeof TrustedIssuer>;

export const IdentityProvider = z.strictObject({
  ...issuerFields,
  name: z.string().min(1).max(128),
  /** Client ids that may exchange its tokens; every client when absent. */
  clients: z.array(z.string()).optional(),
  /** A verified e-mail of this provider proves whose it is. */
  trustEmail: z.boolean().default(false),
  /** Seconds after which a token is too old to exchange, whatever its own expiry. */
  maxAge: z.int().min(1).max(86_400).default(3600),
});
export type IdentityProvider = z.infer<typeof IdentityProvider>;
