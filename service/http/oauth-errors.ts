/** Errors of the token endpoint, and of other calls that take a client's secret (RFC 6749 section 5.2). */
import type { OAuthError } from '../../src/api/token.ts';
import type { ConnectError } from '../../src/base/errors.ts';

/** Goes with `invalid_client`, if the client tried HTTP Basic or must. */
export const BASIC_CHALLENGE = { 'WWW-Authenticate': 'Basic realm="clients"' };

export class OAuthRefusal extends Error {
  override name = 'OAuthRefusal';
  constructor(
    readonly error:
      | 'invalid_request'
      | 'invalid_client'
      | 'unauthorized_client'
      | 'unsupported_grant_type'
      | 'invalid_scope',
    readonly description: string,
    readonly headers?: Record<string, string>,
  ) {
    super(description);
  }

  get status(): number {
    return this.error === 'invalid_client' ? 401 : 400;
  }

  body(): OAuthError {
    return { error: this.error, error_description: this.description };
  }
}

/** An error of the service in that form. A description may contain only printable ASCII without quotes and backslashes. */
export function oauthError({ shortMessage }: ConnectError, status: number): OAuthError {
  const error =
    status >= 500 ? 'server_error' : status === 429 ? 'temporarily_unavailable' : 'invalid_request';
  return { error, error_description: shortMessage.replaceAll(/[^\x20\x21\x23-\x5B\x5D-\x7E]/g, "'") };
}
