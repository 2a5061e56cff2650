/** A stand-in for Vault's transit engine. */
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';

export const VAULT_TOKEN = 'hvs.the-token-of-the-service';

export interface Vault {
  url: string;
  /** Method, path and body of each request. */
  requests: string[];
  rotate(): void;
  /** Overrides the next answer. */
  next: { status: number; body: string } | undefined;
}

/** The part of Vault's transit API that the service uses, as documented: paths, token header, shapes, error messages. */
export function vaultStandIn(): { vault: Vault; server: Server } {
  const keys = [randomBytes(32)];
  const answer = async (request: IncomingMessage): Promise<[number, object]> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    vault.requests.push(`${request.method} ${request.url} ${body}`);
    if (request.headers['x-vault-token'] !== VAULT_TOKEN) return [403, { errors: ['permission denied'] }];
    if (request.method === 'GET' && request.url === '/v1/transit/keys/wallet%20keys') {
      const versions = Object.fromEntries(keys.map((_, i) => [i + 1, 1442851412]));
      return [200, { request_id: 'x', data: { type: 'hmac', name: 'wallet keys', keys: versions } }];
    }
    if (request.method !== 'POST' || request.url !== '/v1/transit/hmac/wallet%20keys/sha2-256')
      return [404, { errors: [] }];
    const { input, key_version, ...more } = JSON.parse(body) as Record<string, unknown>;
    assert.deepEqual(more, {});
    assert.match(input as string, /^[A-Za-z0-9+/]+=*$/);
    const key = keys[(key_version as number) - 1];
    if (!key) return [400, { errors: [`key version does not exist; latest key version is ${keys.length}`] }];
    const mac = createHmac('sha256', key)
      .update(Buffer.from(input as string, 'base64'))
      .digest('base64');
    return [200, { data: { hmac: `vault:v${key_version as number}:${mac}` } }];
  };
  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) => {
      const { next } = vault;
      vault.next = undefined;
      response.writeHead(next?.status ?? status, { 'Content-Type': 'application/json' });
      response.end(next?.body ?? JSON.stringify(body));
    });
  });
  const vault: Vault = {
    url: '',
    requests: [],
    rotate: () => void keys.push(randomBytes(32)),
    next: undefined,
  };
  return { vault, server };
}
