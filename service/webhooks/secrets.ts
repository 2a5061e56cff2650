/** Credentials and signing secret of receivers. They are stored encrypted under the master key and never shown again. */
import type { ReceiverCredentials } from '../../src/api/webhook.ts';
import { type Rewrapped, rewrapRows } from '../keys/rewrap-rows.ts';
import { seal, unseal, wrappingKey } from '../keys/sealing.ts';
import type { Database } from '../database/database.ts';
import type { KeyProvider } from '../keys/key-provider.ts';

export type Credentials = ReceiverCredentials;

export interface Secrets {
  credentials: Credentials;
  /** `whsec_` and base64 (Standard Webhooks). */
  signingSecret: string;
}

export interface SealedSecrets {
  credentials: Buffer;
  signing_secret: Buffer;
  master_version: number;
}

const labels = (id: string) => ({
  credentials: `webhook:${id}:credentials`,
  signing_secret: `webhook:${id}:signing-secret`,
});

async function keyOf(keys: KeyProvider, id: string, version: number): Promise<Buffer> {
  return wrappingKey([await keys.mac(`webhook:${id}`, version)], 'carabiner webhook');
}

export async function sealSecrets(
  keys: KeyProvider,
  id: string,
  { credentials, signingSecret }: Secrets,
): Promise<SealedSecrets> {
  const version = await keys.current();
  const key = await keyOf(keys, id, version);
  const label = labels(id);
  return {
    credentials: seal(key, label.credentials, Buffer.from(JSON.stringify(credentials))),
    signing_secret: seal(key, label.signing_secret, Buffer.from(signingSecret)),
    master_version: version,
  };
}

export async function openSecrets(keys: KeyProvider, id: string, sealed: SealedSecrets): Promise<Secrets> {
  const key = await keyOf(keys, id, sealed.master_version);
  const label = labels(id);
  const credentials = unseal(key, label.credentials, sealed.credentials);
  const signingSecret = unseal(key, label.signing_secret, sealed.signing_secret);
  if (!credentials || !signingSecret)
    throw new Error(
      `The secrets of webhook ${id} cannot be decrypted: the master key or the row has changed.`,
    );
  return {
    credentials: JSON.parse(credentials.toString()) as Credentials,
    signingSecret: signingSecret.toString(),
  };
}

/** Re-encrypts every receiver's secrets under the current master key. */
export async function rewrapWebhooks(
  db: Database,
  keys: KeyProvider,
  warn: (message: string) => void,
): Promise<Rewrapped> {
  const old = await db
    .selectFrom('webhooks')
    .select(['id', 'credentials', 'signing_secret', 'master_version'])
    .where('master_version', '<', await keys.current())
    .execute();
  const renew = async ({ id, ...sealed }: (typeof old)[number]) =>
    db
      .updateTable('webhooks')
      .set(await sealSecrets(keys, id, await openSecrets(keys, id, sealed)))
      .where('id', '=', id)
      .where('master_version', '=', sealed.master_version)
      .executeTakeFirst();
  return rewrapRows(old, renew, warn);
}
