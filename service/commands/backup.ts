/** `npm run service:backup -- <file or folder> [--keep <number>]`: backs up the built-in database while the service runs, and checks it. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { keepNewest, makeBackup } from '../backup/make-backup.ts';
import { readConfig } from '../config.ts';
import { answerHelp, type Help, usageOf } from '../help.ts';
import { openKeys } from '../keys/open-keys.ts';
import { DATABASE_SETTINGS, runCommand, UsageError } from './command.ts';

const HELP: Help = {
  usage: ['service:backup -- <new file or folder> [--keep <number>]'],
  does: 'Backs up the built-in PostgreSQL in one file, without the master key, while the service runs or not. The file is there once it was loaded into an empty PostgreSQL in DATA_DIR, and every table compared.',
  options: { '--keep': 'of the back-ups in the folder, only so many of the newest stay' },
  environment: DATABASE_SETTINGS,
};
const USAGE = usageOf(HELP);

async function main(): Promise<string> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { keep: { type: 'string' } },
  });
  const [target, ...rest] = positionals;
  const { keep } = values;
  if (target === undefined || rest.length || (keep !== undefined && !/^[1-9]\d{0,5}$/.test(keep)))
    throw new UsageError(USAGE);
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (keep !== undefined && !isFolder) throw new UsageError(`--keep needs a folder.\n${USAGE}`);
  const config = readConfig();
  if (config.databaseUrl)
    throw new Error(
      'DATABASE_URL names a PostgreSQL of your own: back that up with its tools, such as pg_dump or pgBackRest (docs/operating.md).',
    );
  const keys = await openKeys(config, { create: false });
  const { path, bytes, rows, tables } = await makeBackup(
    { dataFolder: config.dataFolder, keys },
    target,
    console.error,
  );
  const removed = keep === undefined ? [] : keepNewest(dirname(path), Number(keep));
  const masterKey = config.vault ? 'in Vault' : config.masterKeyFile;
  return [
    `${path}: ${tables} tables, ${rows} rows, ${bytes} bytes. It was loaded into an empty PostgreSQL, and every table compared.`,
    ...removed.map((name) => `${name} is removed: ${keep} are kept.`),
    `The master key (${masterKey}) is not in it, and without that key it is worthless: keep a copy elsewhere, apart from the back-ups.`,
  ].join('\n');
}

answerHelp(HELP);
await runCommand(main);
