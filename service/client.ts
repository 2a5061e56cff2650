/**
 * `npm run service:client -- create --name <name> --scope "<scopes>" [--json]`, `list [--json]`, `revoke <client id>`: the applications
 * that may get tokens. It works beside a running service and without one.
 */
import { parseArgs } from 'node:util';
import { createClient, listClients, readScopes, revokeClient } from './auth/clients.ts';
import { type DatabaseWork, runCommand, UsageError, withDatabase } from './command.ts';

const USAGE = `Usage:
  npm run service:client -- create --name <name> --scope "<scope> <scope>" [--json]
  npm run service:client -- list [--json]
  npm run service:client -- revoke <client id>`;

function commandOf(args: string[]): DatabaseWork {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      scope: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const [command, id, ...rest] = positionals;
  if (rest.length || (command !== 'revoke' && id)) throw new UsageError(USAGE);
  switch (command) {
    case 'create':
      return create(values.name, values.scope, values.json);
    case 'list':
      return list(values.json);
    case 'revoke':
      return revoke(id);
    default:
      throw new UsageError(USAGE);
  }
}

function create(name: string | undefined, scope: string | undefined, json: boolean): DatabaseWork {
  if (!name || name.length > 128 || /\p{Cc}/u.test(name))
    throw new UsageError(`--name is missing or unusable.\n${USAGE}`);
  const scopes = readScopes(scope ?? '');
  if (scopes.length === 0) throw new UsageError(`--scope is missing.\n${USAGE}`);
  return async (db) => {
    const { id, secret } = await createClient(db, { name, scopes });
    if (json) return JSON.stringify({ client_id: id, client_secret: secret });
    return `client_id      ${id}\nclient_secret  ${secret}\nThe secret is not shown again.`;
  };
}

function list(json: boolean): DatabaseWork {
  return async (db) => {
    const clients = await listClients(db);
    if (json)
      return JSON.stringify(
        clients.map(({ id, name, scopes, createdAt, revokedAt }) => ({
          client_id: id,
          name,
          scope: scopes.join(' '),
          created_at: createdAt,
          revoked_at: revokedAt,
        })),
      );
    if (clients.length === 0) return 'There are no clients.';
    return clients
      .map(
        ({ id, name, scopes, revokedAt }) =>
          `${id}  ${revokedAt ? 'revoked' : 'active '}  ${name}  (${scopes.join(' ')})`,
      )
      .join('\n');
  };
}

function revoke(id: string | undefined): DatabaseWork {
  if (!id) throw new UsageError(USAGE);
  return async (db) => {
    if (!(await revokeClient(db, id))) throw new Error(`There is no client ${id}.`);
    return `Revoked ${id}. Its tokens are no longer accepted.`;
  };
}

await runCommand(() => withDatabase(commandOf(process.argv.slice(2))));
