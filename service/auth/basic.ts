/** HTTP Basic by a client with its id and a secret (RFC 7617, RFC 6749 section 2.3.1). */
import { ConnectError } from '../../src/base/errors.ts';
import type { Database } from '../database/database.ts';
import { formDecoded } from '../http/bodies.ts';
import type { Principal } from '../http/principal.ts';
import { checkSecret } from './clients.ts';

/** Id and secret are form-encoded before they are joined. */
export function basicCredentials(
  authorization: string | undefined,
): { id: string; secret: string } | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '') ?? [];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  try {
    return { id: formDecoded(id), secret: formDecoded(secret) };
  } catch {
    return undefined;
  }
}

/** The client itself, which has no scopes here: a call that takes its secret takes no token. Throws `token.invalid`. */
export async function readClient(db: Database, authorization: string | undefined): Promise<Principal> {
  const credentials = basicCredentials(authorization);
  const client = credentials && (await checkSecret(db, credentials.id, credentials.secret));
  if (!client)
    throw new ConnectError(
      'token.invalid',
      credentials
        ? 'The client is unknown, its secret is wrong, or it was revoked.'
        : 'This call takes no token: send the id and a secret of a client made here, by HTTP Basic.',
      { reason: 'invalid_client' },
    );
  const { id, secretId } = client;
  return { accountId: id, applicationId: id, isApplication: true, scopes: new Set(), secretId };
}
