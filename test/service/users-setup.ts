/** Users who sign in through an identity provider, and devices that prove their requests. */
import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { readConfig, type ServiceConfig } from '../../service/config.ts';
import type { StartOptions } from '../../service/server.ts';
import type { Problem } from '../../src/api/problem.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import { PIN, QUICK } from './custody-setup.ts';
import { bearer, type Provider, startProvider, startTested, type Tested } from './harness.ts';

export interface Device {
  thumbprint: string;
  /** A proof as the frame makes it; claims and header override the defaults, undefined omits one. */
  prove(
    request: { method: string; url: string; accessToken: string },
    claims?: object,
    header?: object,
  ): Promise<string>;
}

export async function newDevice(): Promise<Device> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk: JWK = await exportJWK(publicKey);
  return {
    thumbprint: await calculateJwkThumbprint(jwk),
    prove({ method, url, accessToken }, claims = {}, header = {}) {
      const defaults = {
        htm: method,
        htu: url,
        iat: Math.floor(Date.now() / 1000),
        jti: randomUUID(),
        ath: createHash('sha256').update(accessToken).digest('base64url'),
      };
      return new SignJWT({ ...defaults, ...claims })
        .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk, ...header })
        .sign(privateKey);
    },
  };
}

/** The service's answer. */
export interface Answered<T = Record<string, unknown>> {
  status: number;
  /** `200`, or status and code with the paths of issues: `403 device.unknown`. */
  outcome: string;
  body: T;
  headers: Headers;
}

export interface User {
  id: string;
  token: string;
  /** The frame's device, unless `as` names another or none. */
  device: Device;
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    as?: { device?: Device | undefined; headers?: Record<string, string> },
  ): Promise<Answered<T>>;
  /** Creates a shared wallet; the first one sets the master PIN. */
  wallet(order?: Record<string, unknown>): Promise<CreatedWallet>;
}

export interface UsersTest {
  service: Tested;
  provider: Provider;
  /** The client through which users sign in, and its own token. */
  clientId: string;
  shop: string;
  /** A new user, with a device that is not enrolled. */
  user(subject?: string, clientId?: string): Promise<User>;
  /** Calls as an application's server. */
  call<T = Record<string, unknown>>(
    token: string,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answered<T>>;
  close(): Promise<void>;
}

export async function startUsers(
  settings: Partial<ServiceConfig> = {},
  options: StartOptions = {},
): Promise<UsersTest> {
  const provider = await startProvider();
  const { identityProviders } = readConfig({
    IDENTITY_PROVIDERS: JSON.stringify([
      { name: 'google', issuer: provider.issuer, audience: 'shop', trustEmail: true },
    ]),
  });
  const service = await startTested(
    { identityProviders, ...settings },
    { pins: { cost: QUICK }, ...options },
  );
  // The URL that callers use, not the one it listens on.
  const { url } = service;
  const reached = `http://localhost:${(service.app.server.address() as AddressInfo).port}`;
  const scopes = ['whitelabel', 'view:wallets', 'sign:wallets', 'use:all-wallets', 'webhooks'] as const;
  const client = await service.client([...scopes]);
  const own = { accountId: client.id, clientId: client.id, scopes };

  const call: UsersTest['call'] = async (token, method, path, body, headers = {}) => {
    const response = await fetch(reached + path, {
      method,
      headers: {
        ...bearer(token),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as never;
    const { code, issues = [] } = answer as Partial<Problem>;
    const paths = issues.map((issue) => issue.path);
    return {
      status: response.status,
      outcome: response.ok ? String(response.status) : [response.status, code, ...paths].join(' '),
      body: answer,
      headers: response.headers,
    };
  };

  const test: UsersTest = {
    service,
    provider,
    clientId: client.id,
    shop: (await service.service.tokens.issue(own)).access_token,
    call,
    async user(subject = randomUUID(), clientId = client.id) {
      const idpToken = await provider.sign({ sub: subject });
      const { body } = await call<{ access_token: string }>('', 'POST', '/auth/exchange', {
        clientId,
        identityProvider: 'google',
        idpToken,
      });
      const token = body.access_token;
      const device = await newDevice();
      const user: User = {
        id: (JSON.parse(atob(token.split('.')[1]!)) as { sub: string }).sub,
        token,
        device,
        async call(method, path, sent, as = {}) {
          const by = 'device' in as ? as.device : device;
          const proof = await by?.prove({ method, url: url + path.split('?', 1)[0]!, accessToken: token });
          return call(token, method, path, sent, { ...(proof ? { DPoP: proof } : {}), ...as.headers });
        },
        async wallet(order = {}) {
          const made = await user.call<CreatedWallet>('POST', '/api/wallets', {
            walletType: 'THREEWAY_SHARED',
            secretType: 'ETHEREUM',
            pincode: PIN,
            ...order,
          });
          if (made.status !== 201) throw new Error(made.outcome);
          return made.body;
        },
      };
      return user;
    },
    async close() {
      await service.close();
      provider.close();
    },
  };
  return test;
}
