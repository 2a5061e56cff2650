/** `npm run service:psql -- [--write] [<argument of psql> …]`: psql in the service's database, which only reads without `--write`. */
import { spawn } from 'node:child_process';
import type pg from 'pg';
import { readConfig } from '../config.ts';
import { runningCluster, startCluster } from '../database/embedded/cluster.ts';
import { requireData } from '../database/embedded/data-folder.ts';
import { answerHelp, type Help } from '../help.ts';
import { DATABASE_SETTINGS, runCommand } from './command.ts';

const HELP: Help = {
  usage: ['service:psql -- [--write] [<argument of psql> …]'],
  does: 'Runs psql in the built-in database of the service, while that runs or not. The built-in PostgreSQL has no psql: install one (Debian: postgresql-client).',
  options: { '--write': 'may change the database; without it every transaction only reads' },
  environment: DATABASE_SETTINGS,
};

const READ_ONLY = '-c default_transaction_read_only=on';
/** Of our own environment: nothing that the service keeps secret. */
const PASSED = ['EDITOR', 'HOME', 'LANG', 'PAGER', 'PATH', 'PSQL_PAGER', 'TERM'];

/** The password is in no argument, which other users of the machine can read. */
function environmentOf({ host, port, user, password, database }: pg.ClientConfig): Record<string, string> {
  return {
    ...Object.fromEntries(PASSED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    PGHOST: String(host),
    PGPORT: String(port),
    PGUSER: String(user),
    PGPASSWORD: String(password),
    PGDATABASE: String(database),
    PGAPPNAME: 'operator',
  };
}

function run(args: string[], env: Record<string, string>): Promise<number> {
  const child = spawn('psql', args, { stdio: 'inherit', env });
  // psql handles Ctrl-C itself.
  process.on('SIGINT', () => {});
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new Error(
              'there is no psql on the PATH. Install one, on Debian with apt-get install postgresql-client.',
            )
          : error,
      ),
    );
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function main(): Promise<string> {
  const args = process.argv.slice(2);
  const write = args[0] === '--write';
  const config = readConfig();
  if (config.databaseUrl)
    throw new Error('DATABASE_URL names a PostgreSQL of your own: use psql with that URL.');
  requireData(config.dataFolder);
  const running = await runningCluster(config.dataFolder);
  const own = running ? undefined : await startCluster(config.dataFolder, () => {});
  try {
    process.exitCode = await run(write ? args.slice(1) : args, {
      ...environmentOf(running ?? own!.connection),
      ...(write ? {} : { PGOPTIONS: READ_ONLY }),
    });
    return '';
  } finally {
    await own?.stop();
  }
}

answerHelp(HELP);
await runCommand(main);
