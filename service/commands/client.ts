/**
 * `npm run service:client -- create --name <name> --scope "<scopes>" [--network <id>]… [--json]`, `list [--json]`, `revoke <client id>`,
 * `networks <client id> [<network>]…`, and `verify <client id> --merchant <name> [--origin <origin>]…`: the applications that may get
 * tokens, the networks on which they may use wallets, and the merchants among them;
 * `secret create <client id>`, `secret list <client id>` and `secret revoke <client id> <secret id>`: their secrets. It can run while the
 * service does, and while it does not.
 */
import { parseArgs } from 'node:util';
import type { Transaction } from 'kysely';
import { SCOPES } from '../../src/api/scopes.ts';
import {
  createClient,
  listClients,
  readScopes,
  revokeClient,
  setNetworks,
  verifyMerchant,
} from '../auth/clients.ts';
import { type Beside, createSecret, listSecrets, revokeSecret } from '../auth/client-secrets.ts';
import { type AuditAction, audit } from '../audit/audit-log.ts';
import { DATABASE_SETTINGS, type DatabaseWork, runCommand, UsageError, withDatabase } from './command.ts';
import { answerHelp, type Help, usageOf } from '../help.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { openKeys } from '../keys/open-keys.ts';

const HELP: Help = {
  usage: [
    'service:client -- create --name <name> --scope "<scope> <scope>" [--network <network> …] [--json]',
    'service:client -- list [--json]',
    'service:client -- revoke <client id>',
    'service:client -- networks <client id> <network> …',
    'service:client -- networks <client id> --none',
    'service:client -- secret create <client id> [--json]',
    'service:client -- secret list <client id> [--json]',
    'service:client -- secret revoke <client id> <secret id>',
    'service:client -- verify <client id> --merchant <name> [--origin <https://shop.example> …]',
    'service:client -- verify <client id> --none',
  ],
  does: 'Creates, lists and revokes the applications that may get tokens, and their secrets, which are shown once. It can run while the service does.',
  options: {
    '--name': 'for the list, and for customers on the payment page',
    '--scope': `what its tokens allow: ${SCOPES.join(', ')}; manage:policies not together with sign:wallets or whitelabel`,
    '--network':
      'an id of networks.json: wallets may be used there through the client, besides their default network',
    '--json': 'prints JSON, for programs',
    '--merchant': 'the name in signed orders: verify the merchant first',
    '--origin': 'a page that may request its payments, besides the payment page',
    '--none': 'its payments are no longer signed; or, its networks are as if they had never been chosen',
  },
  environment: { ...DATABASE_SETTINGS, NETWORKS: 'path of networks.json' },
};
const USAGE = usageOf(HELP);

function commandOf(args: string[]): DatabaseWork {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      scope: { type: 'string' },
      network: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      merchant: { type: 'string' },
      origin: { type: 'string', multiple: true, default: [] },
      none: { type: 'boolean', default: false },
    },
  });
  if (positionals[0] === 'secret') return secretWork(positionals.slice(1), values.json);
  const [command, id, ...rest] = positionals;
  if (command === 'networks') return chooseNetworks(id, rest, values.none);
  if (rest.length || (command !== 'revoke' && command !== 'verify' && id)) throw new UsageError(USAGE);
  switch (command) {
    case 'create':
      return create(values);
    case 'list':
      return list(values.json);
    case 'revoke':
      return revoke(id);
    case 'verify':
      return verify(id, values.none ? null : values.merchant, values.origin);
    default:
      throw new UsageError(USAGE);
  }
}

/** Writes a row to the audit log. */
async function noteIn(
  tx: Transaction<Schema>,
  client: string,
  action: AuditAction,
  details: object,
): Promise<void> {
  const config = readConfig();
  const keys = await openKeys(config, { create: !config.databaseUrl });
  await audit(tx, keys, { actor: 'command', action, subject: `client:${client}`, details });
}

function noting(client: string, action: AuditAction): Beside {
  return (tx, secretId) => noteIn(tx, client, action, { secretId });
}

/** `change` and its row in the audit log, together. Throws if `change` returns false: there is no such client. */
function noted(
  db: Database,
  client: string,
  { action, details }: { action: AuditAction; details: object },
  change: (tx: Transaction<Schema>) => Promise<boolean>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    if (!(await change(tx))) throw new Error(`There is no client ${client}.`);
    await noteIn(tx, client, action, details);
  });
}

/** Throws for one that `networks.json` does not have with nodes. */
function checkNetworks(ids: readonly string[]): void {
  const { networks } = readConfig().networks;
  const usable = networks.filter(({ nodes }) => nodes.length > 0).map(({ id }) => id);
  const unknown = ids.find((id) => !usable.includes(id));
  if (unknown === undefined) return;
  throw new UsageError(
    usable.length > 0
      ? `There is no network ${unknown} with nodes in networks.json. There are: ${usable.join(', ')}.`
      : 'Set NETWORKS to the path of networks.json, which says what networks there are.',
  );
}

function chooseNetworks(client: string | undefined, ids: string[], none: boolean): DatabaseWork {
  if (client === undefined || none === ids.length > 0) throw new UsageError(USAGE);
  const networks = none ? null : [...new Set(ids)];
  checkNetworks(networks ?? []);
  return async (db) => {
    await noted(db, client, { action: 'client.networks', details: { networks } }, (tx) =>
      setNetworks(tx, client, networks),
    );
    if (networks)
      return `Through ${client}, wallets are used on their default network and on ${networks.join(', ')}.`;
    return `The client’s own wallets are used on their default network only, and those of its users on every network.`;
  };
}

function create({
  name,
  scope,
  network: networks,
  json,
}: {
  name?: string | undefined;
  scope?: string | undefined;
  network?: string[] | undefined;
  json: boolean;
}): DatabaseWork {
  if (!isName(name)) throw new UsageError(`--name is missing or unusable.\n${USAGE}`);
  const scopes = readScopes(scope ?? '');
  if (scopes.length === 0) throw new UsageError(`--scope is missing.\n${USAGE}`);
  checkNetworks(networks ?? []);
  return async (db) => {
    // Together: the secret of a client that was made would not be shown if the row could not be written.
    const { id, secret } = await createClient(db, { name, scopes, networks }, (tx, made) =>
      noteIn(tx, made, 'client.created', { name, scopes, ...(networks && { networks }) }),
    );
    if (json) return JSON.stringify({ client_id: id, client_secret: secret });
    return `client_id      ${id}\nclient_secret  ${secret}\nThe secret is not shown again.`;
  };
}

function secretWork([command, client, id, ...rest]: string[], json: boolean): DatabaseWork {
  if (client === undefined || rest.length || (command === 'revoke') !== (id !== undefined))
    throw new UsageError(USAGE);
  switch (command) {
    case 'create':
      return async (db) => {
        const { id: made, secret } = await createSecret(db, client, noting(client, 'secret.created'));
        if (json) return JSON.stringify({ secret_id: made, client_secret: secret });
        return `secret_id      ${made}\nclient_secret  ${secret}\nThe secret is not shown again. The one before stays valid until it is revoked.`;
      };
    case 'list':
      return async (db) => {
        const { rows } = await listSecrets(db, client, {});
        if (json) return JSON.stringify(rows);
        if (rows.length === 0) throw new Error(`There is no client ${client}.`);
        return rows
          .map(
            (one) =>
              `${one.id}  ${one.revokedAt ? 'revoked' : 'valid  '}  made ${one.createdAt}  last used ${one.lastUsedAt ?? 'never'}`,
          )
          .join('\n');
      };
    case 'revoke':
      return async (db) => {
        await revokeSecret(db, client, id!, noting(client, 'secret.revoked'), { evenLast: true });
        return `Revoked ${id}. Tokens issued for it are no longer accepted.`;
      };
    default:
      throw new UsageError(USAGE);
  }
}

function isName(name: string | undefined): name is string {
  return !!name?.trim() && name.length <= 128 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
}

/** The merchant's name is shown to customers as the one they pay. It means that the operator has verified who that is. */
function verify(
  id: string | undefined,
  merchant: string | null | undefined,
  origins: string[],
): DatabaseWork {
  if (!id) throw new UsageError(USAGE);
  if (merchant !== null && !isName(merchant))
    throw new UsageError(`--merchant is missing or unusable.\n${USAGE}`);
  const wrong = origins.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong !== undefined)
    throw new UsageError(`--origin must be an origin such as https://shop.example, not ${wrong}.`);
  if (merchant === null && origins.length) throw new UsageError(`--none takes no --origin.\n${USAGE}`);
  return async (db) => {
    const note = { action: 'client.verified' as const, details: { merchant: merchant ?? null, origins } };
    await noted(db, id, note, (tx) => verifyMerchant(tx, id, { merchant, origins }));
    if (merchant === null) return `Payments to ${id} are no longer signed.`;
    const asking = ['the payment page', ...origins].join(', ');
    return `Payments to ${id} are signed as “${merchant}” when requested by ${asking}.`;
  };
}

function list(json: boolean): DatabaseWork {
  return async (db) => {
    const clients = await listClients(db);
    if (json)
      return JSON.stringify(
        clients.map(({ id, name, scopes, createdAt, revokedAt, merchant, origins, networks }) => ({
          client_id: id,
          name,
          scope: scopes.join(' '),
          created_at: createdAt,
          revoked_at: revokedAt,
          merchant,
          origins,
          networks,
        })),
      );
    if (clients.length === 0) return 'There are no clients.';
    return clients
      .map(
        ({ id, name, scopes, networks, revokedAt }) =>
          `${id}  ${revokedAt ? 'revoked' : 'active '}  ${name}  (${scopes.join(' ')})${networks ? `  on ${networks.join(', ')}` : ''}`,
      )
      .join('\n');
  };
}

function revoke(id: string | undefined): DatabaseWork {
  if (!id) throw new UsageError(USAGE);
  return async (db) => {
    await noted(db, id, { action: 'client.revoked', details: {} }, (tx) => revokeClient(tx, id));
    return `Revoked ${id}. Its tokens are no longer accepted.`;
  };
}

answerHelp(HELP);
await runCommand(() => withDatabase(commandOf(process.argv.slice(2))));
