/**
 * `npm run service:master-key -- rotate`, `rewrap`, `status`: a new master key without a pause. `rotate` adds a key to MASTER_KEY_FILE (in
 * Vault: `vault write -f transit/keys/<key>/rotate`); `rewrap` encrypts the secrets in the database under it.
 */
import { DATABASE_SETTINGS, runCommand, UsageError, withDatabase } from './command.ts';
import { answerHelp, type Help, usageOf } from './help.ts';
import { readConfig, type ServiceConfig } from './config.ts';
import { rewrap, versionsInUse } from './rewrap.ts';
import { rotateFileKeys } from './keys/file-keys.ts';
import { openKeys } from './keys/open-keys.ts';

const HELP: Help = {
  usage: ['service:master-key -- rotate | rewrap | status'],
  does: 'Rotates the master key: rotate adds a key to the file, rewrap encrypts every secret in the database under it, and status counts the secrets under each version. It can run while the service does.',
  environment: DATABASE_SETTINGS,
};
const USAGE = usageOf(HELP);

async function rotate({ masterKeyFile, vault }: ServiceConfig): Promise<string> {
  if (vault)
    throw new Error(`the key is in Vault; there, ${vault.mount}/keys/${vault.key}/rotate rotates it.`);
  await rotateFileKeys(masterKeyFile);
  return `${masterKeyFile} has a new key. Give the file to every process of the service, then run rewrap.`;
}

async function main(): Promise<string> {
  const [command, ...rest] = process.argv.slice(2);
  const config = readConfig();
  const commands: Record<string, () => Promise<string>> = {
    rotate: () => rotate(config),
    rewrap: () =>
      withDatabase(
        async (db) =>
          `Rewrapped ${await rewrap(db, await openKeys(config, { create: !config.databaseUrl }), console.error)}.`,
        config,
      ),
    status: () =>
      withDatabase(async (db) => {
        const versions = await versionsInUse(db);
        return versions
          .map(
            (use) =>
              `version ${use.version}: ${use.pins} PINs, ${use.signingKeys} signing keys${use.webhooks ? `, ${use.webhooks} webhooks` : ''}${use.auditRows ? `, ${use.auditRows} audit rows` : ''}`,
          )
          .join('\n');
      }, config),
  };
  const work = command && rest.length === 0 && Object.hasOwn(commands, command) && commands[command];
  if (!work) throw new UsageError(USAGE);
  return work();
}

answerHelp(HELP);
await runCommand(main);
