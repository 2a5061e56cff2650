/**
 * `npm run service:master-key -- prepare`, `rotate`, `rewrap`, `status`: a new master key without a pause. `prepare` adds a key to
 * MASTER_KEY_FILE, and `rotate` uses it (in Vault: `vault write -f transit/keys/<key>/rotate`); `rewrap` encrypts the secrets in the database
 * under it.
 */
import { DATABASE_SETTINGS, runCommand, UsageError, withDatabase } from './command.ts';
import { answerHelp, type Help, usageOf } from '../help.ts';
import { readConfig, type ServiceConfig } from '../config.ts';
import { rewrap, versionsInUse } from './rewrap.ts';
import { prepareFileKeys, rotateFileKeys } from '../keys/file-keys.ts';
import { openKeys } from '../keys/open-keys.ts';

const HELP: Help = {
  usage: ['service:master-key -- prepare | rotate | rewrap | status'],
  does: 'Rotates the master key: prepare adds a key to the file, which every machine must have before one uses it; rotate uses it, or adds one; rewrap encrypts every secret in the database under it, and status counts the secrets under each version. It can run while the service does.',
  environment: DATABASE_SETTINGS,
};
const USAGE = usageOf(HELP);

function requireFile({ vault }: ServiceConfig): void {
  if (vault)
    throw new Error(`the key is in Vault; there, ${vault.mount}/keys/${vault.key}/rotate rotates it.`);
}

async function prepare(config: ServiceConfig): Promise<string> {
  requireFile(config);
  await prepareFileKeys(config.masterKeyFile);
  return `${config.masterKeyFile} has a new key, which is not used yet. Give the file to every machine, then run rotate.`;
}

async function rotate(config: ServiceConfig): Promise<string> {
  requireFile(config);
  await rotateFileKeys(config.masterKeyFile);
  return `The newest key of ${config.masterKeyFile} is used. Give the file to every machine, then run rewrap.`;
}

async function main(): Promise<string> {
  const [command, ...rest] = process.argv.slice(2);
  const config = readConfig();
  const commands: Record<string, () => Promise<string>> = {
    prepare: () => prepare(config),
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
              `version ${use.version}: ${use.pins} PINs, ${use.signingKeys} signing keys${use.webhooks ? `, ${use.webhooks} webhooks` : ''}${use.receivingKeys ? `, ${use.receivingKeys} receiving keys` : ''}${use.auditRows ? `, ${use.auditRows} audit rows` : ''}`,
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
