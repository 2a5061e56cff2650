/**
 * Every call of the service × every scope: a token with this scope alone, and one with every scope but those that the call takes, of an
 * application and of a user. A call that is added later fails the first test until it is listed here.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { noteOf } from '../../src/api/notes/route-notes.ts';
import type { Route } from '../../src/api/route.ts';
import * as contract from '../../src/api/routes.ts';
import { type Scope, SCOPES } from '../../src/api/scopes.ts';
import type { TokenResponse } from '../../src/api/token.ts';
import { basic, bearer, TOKEN_PATH } from './harness.ts';
import { startUsers, type User, type UsersTest } from './users-setup.ts';

/** Alternatives; `a+b` takes both. */
type Scopes = readonly string[];

interface Access {
  /** What a token of the application itself needs, and what a user's. */
  application: Scopes;
  user: Scopes;
  calls: string;
}

const VIEW = ['view:wallets', 'use:all-wallets'];
const BUILD = ['save:transaction', 'sign:wallets'];
const NONE: Scopes = [];

const ACCESS: readonly Access[] = [
  {
    application: VIEW,
    user: VIEW,
    calls: `listWallets readWallet readBalance listTokenBalances readTokenBalance listNonFungibles listTransactions readTransaction
      readTransactionStatus swapPairs swapRates`,
  },
  {
    application: BUILD,
    user: BUILD,
    calls: 'buildTransaction estimateTransaction createSwap findRecipient',
  },
  {
    application: ['sign:wallets'],
    user: ['sign:wallets'],
    calls: `executeTransaction executeBatch executeApproved speedUpTransaction cancelTransaction createSignature setOwnPincode`,
  },
  {
    application: ['sign:wallets'],
    user: NONE,
    calls: 'openSpendingSession listSpendingSessions endSpendingSession',
  },
  {
    application: ['whitelabel'],
    user: ['sign:wallets'],
    calls: `createWallet importWallet updateWallet exportWallet changePincode recoverPincode renewRecoveryCode`,
  },
  {
    application: NONE,
    user: ['sign:wallets'],
    calls: 'enrolDevice listDevices removeDevice readPasskey addPasskey removePasskey',
  },
  { application: NONE, user: ['view:wallets'], calls: 'readAccount readLinks putLinks' },
  { application: ['view:profile'], user: ['view:profile'], calls: 'readProfile' },
  {
    application: ['manage:policies'],
    user: NONE,
    calls: 'listPolicies readPolicy putPolicy withdrawPolicy',
  },
  { application: ['approve:transactions'], user: NONE, calls: 'listHeldTransactions approveTransaction' },
  {
    application: ['checkout'],
    user: NONE,
    calls:
      'createSession readSession listSessions expireSession readReceipt acceptPayments searchPayments listWalletPayments',
  },
  {
    application: ['refund'],
    user: NONE,
    calls:
      'createRefund listRefunds readRefund createRefundLink listRefundLinks readRefundLink cancelRefundLink',
  },
  {
    application: ['receiving-wallet'],
    user: NONE,
    calls:
      'setReceivingWallets readReceivingWallets setReceivingWallet readReceivingWallet deleteReceivingWallet',
  },
  {
    application: ['checkout+refund+receiving-wallet'],
    user: NONE,
    calls: 'openTestDashboard openStripeDashboard',
  },
  { application: ['branding'], user: NONE, calls: 'uploadIcon setBranding' },
  {
    application: ['webhooks'],
    user: NONE,
    calls: 'createWebhook listWebhooks readWebhook deleteWebhook listDeliveries redeliver',
  },
  {
    application: ['webhooks+view:wallets', 'webhooks+use:all-wallets'],
    user: NONE,
    calls: `createWalletWebhook listWalletWebhooks readWalletWebhook deleteWalletWebhook listWalletDeliveries redeliverWalletEvent
      watchWallet readWatch unwatchWallet`,
  },
  // No token at all, and so no scope: the client's secret.
  {
    application: NONE,
    user: NONE,
    calls: 'createClientSecret listClientSecrets revokeClientSecret setReceivingKey deleteReceivingKey',
  },
];

/** Calls for everybody. The payment page's have the page's id, which nobody can guess. */
const OPEN = `issueToken readJwks readDiscovery exchangeToken readPayPage readPayReceipt mailReceipt readRefundRequest giveRefundAddress payByCard answerChallenge quoteWalletPayment
  tellWalletPayment completeOrder extendPage cancelPayment`;

const namesIn = (text: string): string[] => text.split(/\s+/);

let at: UsersTest;
let user: User;
const routes = new Map<string, Route>();
before(async () => {
  at = await startUsers();
  user = await at.user();
  // Enrols the device.
  await user.wallet();
  const names = new Map(Object.entries(contract).map(([name, route]) => [route as Route, name]));
  for (const route of at.service.app.served)
    routes.set(route.name ?? names.get(route) ?? `${route.method} ${route.path}`, route);
});
after(() => at.close());

test('every call is listed here with what it takes', () => {
  const listed = [...ACCESS.map(({ calls }) => calls), OPEN].flatMap(namesIn);
  assert.deepEqual([...routes.keys()].sort(), listed.sort());
});

type Holder = 'application' | 'user';

/** The reference's example of the call, with nothing that would be looked up elsewhere. */
function requestOf(name: string, holder: Holder) {
  const { method, path } = routes.get(name)!;
  const { params = {}, query = {}, body } = noteOf(name) ?? {};
  const example = body as object | undefined;
  return {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, part: string) => params[part] ?? 'none'),
    query,
    headers: { 'idempotency-key': name },
    ...(example && {
      payload: {
        ...example,
        ...('url' in example && { url: 'http://127.0.0.1:1/' }),
        ...('walletType' in example && holder === 'user' && { walletType: 'THREEWAY_SHARED' }),
      },
    }),
  };
}

/** Whether the token's scopes are enough; what the call then says of the example does not matter. */
async function isLetIn(name: string, holder: Holder, token: string): Promise<boolean> {
  const { path, headers, ...request } = requestOf(name, holder);
  const proof =
    holder === 'user' &&
    (await user.device.prove({
      method: request.method,
      url: at.service.service.url() + path,
      accessToken: token,
    }));
  const answer = await at.service.app.inject({
    ...request,
    path,
    headers: { ...headers, ...bearer(token), ...(proof ? { dpop: proof } : {}) },
  });
  const { code } = answer.statusCode < 400 ? { code: '' } : answer.json<{ code: string }>();
  if (routes.get(name)!.clientSecret) {
    assert.equal(`${answer.statusCode} ${code}`, '401 token.invalid', name);
    return false;
  }
  assert.ok(![500, 401].includes(answer.statusCode), `${name}: ${answer.statusCode} ${code}`);
  return code !== 'token.scope';
}

/** Tokens by their scopes: an application's as it reduces its own, by `scope`; a user's as another issuer might. */
async function tokensOf(holder: Holder): Promise<(scopes: readonly Scope[]) => Promise<string>> {
  const { tokens } = at.service.service;
  if (holder === 'user')
    return async (scopes) =>
      (await tokens.issue({ accountId: user.id, clientId: at.clientId, scopes })).access_token;
  // Nobody has all scopes.
  const spender = await at.service.client(SCOPES.filter((scope) => scope !== 'manage:policies'));
  const manager = await at.service.client(['manage:policies', 'view:profile']);
  return async (scopes) => {
    const client = scopes.includes('manage:policies') ? manager : spender;
    const body = { grant_type: 'client_credentials', scope: scopes.join(' ') };
    const answer = (await (await at.service.post(TOKEN_PATH, body, basic(client))).json()) as TokenResponse;
    assert.equal(answer.scope.split(' ').sort().join(' '), [...scopes].sort().join(' '));
    return answer.access_token;
  };
}

for (const holder of ['application', 'user'] as const)
  test(`a token of the ${holder} does what its scopes say, and no more`, async () => {
    const tokenFor = await tokensOf(holder);
    const alone = new Map<string, string>();
    for (const scope of SCOPES) alone.set(scope, await tokenFor([scope]));
    for (const { calls, [holder]: alternatives } of ACCESS) {
      const taken = alternatives.flatMap((one) => one.split('+'));
      const others = await tokenFor(
        SCOPES.filter((scope) => !taken.includes(scope) && scope !== 'manage:policies'),
      );
      const together = alternatives.filter((one) => one.includes('+'));
      for (const name of namesIn(calls)) {
        const letIn: string[] = [];
        for (const [scope, token] of alone) if (await isLetIn(name, holder, token)) letIn.push(scope);
        assert.deepEqual(
          letIn.sort(),
          alternatives.filter((one) => !one.includes('+')).sort(),
          `${name}, by one scope`,
        );
        assert.equal(await isLetIn(name, holder, others), false, `${name}, by all other scopes`);
        for (const both of together) {
          const parts = both.split('+') as Scope[];
          assert.equal(await isLetIn(name, holder, await tokenFor(parts)), true, `${name}, by ${both}`);
          for (const missing of parts) {
            const rest = parts.filter((scope) => scope !== missing);
            assert.equal(
              await isLetIn(name, holder, await tokenFor(rest)),
              false,
              `${name}, without ${missing}`,
            );
          }
        }
      }
    }
  });
