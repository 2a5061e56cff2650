/**
 * The master key in HashiCorp Vault's transit engine, which never reveals it: https://developer.hashicorp.com/vault/api-docs/secret/transit
 * The token needs `read` on `<mount>/keys/<key>` and `update` on `<mount>/hmac/<key>/sha2-256`. The key's `min_encryption_version` stays 0,
 * or below every version still in use.
 */
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { type KeyProvider, UnknownKeyVersion } from './key-provider.ts';

export interface VaultSettings {
  /** `https://vault.example:8200`. */
  url: string;
  /** Path of the transit engine. */
  mount?: string;
  /** Name of the key in it. */
  key: string;
  /** Called for each request, because tokens are renewed. */
  token: () => Promise<string>;
}

/** Read from the file that the Vault agent keeps, otherwise the token itself. */
export function vaultToken({
  VAULT_TOKEN_FILE: file,
  VAULT_TOKEN: token = '',
}: {
  VAULT_TOKEN_FILE?: string | undefined;
  VAULT_TOKEN?: string | undefined;
}): () => Promise<string> {
  return async () => {
    if (!file) return token;
    const text = await readFile(file, 'utf8').catch((error: Error) => {
      throw new Error(`VAULT_TOKEN_FILE cannot be read: ${error.message}`, { cause: error });
    });
    return text.trim();
  };
}

/** A rotated key is noticed within this time. */
const FRESH_MS = 30_000;
const TIMEOUT_MS = 10_000;

const KeyAnswer = z.object({ data: z.object({ keys: z.record(z.string().regex(/^\d+$/), z.unknown()) }) });
const HmacAnswer = z.object({ data: z.object({ hmac: z.string() }) });
const Refusal = z.object({ errors: z.array(z.string()) });

export function vaultKeys({ url, mount = 'transit', key, token }: VaultSettings): KeyProvider {
  let newest: { version: number; readAt: number } | undefined;

  const ask = async <T extends z.ZodType>(path: string, answer: T, body?: object): Promise<z.infer<T>> => {
    const secret = await token();
    const response = await fetch(`${url.replace(/\/+$/, '')}/v1/${mount}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'X-Vault-Token': secret, 'X-Vault-Request': 'true' },
      // A redirect must not take the token elsewhere.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch((error: Error) => {
      const { message } = (error.cause ?? error) as Error;
      throw new Error(`VAULT_ADDR: Vault cannot be reached: ${message}`, { cause: error });
    });
    const json: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw new VaultRefusal(response.status, Refusal.safeParse(json).data?.errors ?? []);
    return answer.parse(json);
  };

  return {
    async current() {
      if (newest && Date.now() - newest.readAt < FRESH_MS) return newest.version;
      const { data } = await ask(`keys/${encodeURIComponent(key)}`, KeyAnswer);
      newest = { version: Math.max(...Object.keys(data.keys).map(Number)), readAt: Date.now() };
      return newest.version;
    },
    async mac(label, version) {
      const input = Buffer.from(label).toString('base64');
      const { data } = await ask(`hmac/${encodeURIComponent(key)}/sha2-256`, HmacAnswer, {
        input,
        key_version: version,
      }).catch((error: unknown) => {
        if (error instanceof VaultRefusal && error.isUnknownVersion) throw new UnknownKeyVersion(version);
        throw error;
      });
      const mac = /^vault:v(\d+):([A-Za-z0-9+/]{43}=)$/.exec(data.hmac);
      if (!mac || Number(mac[1]) !== version)
        throw new Error(`Vault answered no HMAC of version ${version} of the key.`);
      return Buffer.from(mac[2]!, 'base64');
    },
  };
}

class VaultRefusal extends Error {
  override name = 'VaultRefusal';
  constructor(
    readonly status: number,
    readonly errors: readonly string[],
  ) {
    super(`Vault answered ${status}: ${errors.join('; ') || 'no reason given'}`);
  }
  get isUnknownVersion(): boolean {
    return this.status < 500 && this.errors.some((text) => /key version/.test(text));
  }
}
