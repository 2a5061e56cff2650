/**
 * `npm run service:master-key -- rotate`, `rewrap`, `status`: a new master key without a pause. `rotate` adds a key to MASTER_KEY_FILE (in
 * Vault: `vault write -f transit/keys/<key>/rotate`); `rewrap` brings under it what rests in the database.
 */
import { ConfigError, readConfig, type ServiceConfig } from './config.ts';
import { rewrap, versionsInUse } from './custody/master-key.ts';
import { type Database, joinDatabase } from './database/database.ts';
import { rotateFileKeys } from './keys/file-keys.ts';
import { openKeys } from './keys/open-keys.ts';

const USAGE = 'Usage: npm run service:master-key -- rotate | rewrap | status';

async function rotate({ masterKeyFile, vault }: ServiceConfig): Promise<string> {
  if (vault)
    throw new Error(`the key is in Vault; there, ${vault.mount}/keys/${vault.key}/rotate rotates it.`);
  await rotateFileKeys(masterKeyFile);
  return `${masterKeyFile} has a new key. Give the file to every process of the service, then run rewrap.`;
}

async function withDatabase(config: ServiceConfig, work: (db: Database) => Promise<string>): Promise<string> {
  const { db, close } = await joinDatabase(config, { debug: () => {}, warn: console.error });
  return work(db).finally(close);
}

async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2);
  const config = readConfig();
  const commands: Record<string, () => Promise<string>> = {
    rotate: () => rotate(config),
    rewrap: () =>
      withDatabase(config, async (db) => {
        return `Rewrapped ${await rewrap(db, await openKeys(config), console.error)}.`;
      }),
    status: () =>
      withDatabase(config, async (db) => {
        const versions = await versionsInUse(db);
        return versions
          .map(
            (use) =>
              `version ${use.version}: ${use.pins} PINs, ${use.signingKeys} signing keys${use.webhooks ? `, ${use.webhooks} webhooks` : ''}`,
          )
          .join('\n');
      }),
  };
  const work = command && rest.length === 0 && Object.hasOwn(commands, command) && commands[command];
  if (work) console.log(await work());
  else {
    console.error(USAGE);
    process.exitCode = 1;
  }
}

main().catch((error: unknown) => {
  console.error(
    error instanceof ConfigError ? error.message : `That did not work: ${(error as Error).message}`,
  );
  process.exitCode = 1;
});
