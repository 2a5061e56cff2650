/** What the commands beside the service share. */
import { ConfigError, readConfig } from '../config.ts';
import { type Database, joinDatabase } from '../database/database.ts';

/** The settings that select the service: the same as those of its processes. */
export const DATABASE_SETTINGS = {
  DATABASE_URL: 'the PostgreSQL of the service; without it the embedded one in DATA_DIR',
  DATA_DIR: 'folder of the embedded PostgreSQL and the master key',
  MASTER_KEY_FILE: 'the master key; master-key.json in DATA_DIR without it',
  VAULT_ADDR: 'Vault with the master key; VAULT_MOUNT, VAULT_KEY and VAULT_TOKEN_FILE as for the service',
};

/** The command line is invalid; the message says how to write it. */
export class UsageError extends Error {}

/** Work of a command on the service's database, beside a running service or without one. Answers what is printed. */
export type DatabaseWork = (db: Database) => Promise<string>;

export async function withDatabase(work: DatabaseWork, config = readConfig()): Promise<string> {
  const { db, close } = await joinDatabase(config, { debug: () => {}, warn: console.error });
  return work(db).finally(close);
}

/** Prints what `work` answers, if anything, or on standard error why there is nothing, and sets the exit code. */
export async function runCommand(work: () => Promise<string>): Promise<void> {
  try {
    const text = await work();
    if (text) console.log(text);
  } catch (error) {
    const usage = error instanceof UsageError || error instanceof ConfigError;
    console.error(usage ? error.message : `That did not work: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
