/** `npm run service`: the wallet service alone. Settings come from the environment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, ignoredSettings, readConfig, settingsHelp } from './config.ts';
import { answerHelp } from './help.ts';
import { startService } from './server.ts';

async function main(): Promise<void> {
  const config = readConfig();
  for (const line of ignoredSettings()) console.error(line);
  const starting = startService(config);
  let stopping = false;
  const stop = async (code: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    const closed = starting.then((running) => running.close()).then(() => code);
    const late = sleep(config.stopSeconds * 1000, 1);
    process.exit(await Promise.race([closed, late]));
  };
  // Also while it starts: its PostgreSQL must not live on without it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
  const running = await starting;
  if (!stopping) running.app.log.info({ url: running.url }, 'service is ready');
  void running.lost.then((error) => {
    running.app.log.fatal({ err: error }, 'the database is lost');
    return stop(1);
  });
}

answerHelp({
  usage: ['service'],
  does: 'Runs the wallet service until SIGINT, SIGTERM or SIGHUP, and then ends once the current requests are answered. docs/service.md explains each setting.',
  environment: settingsHelp(),
  exits: {
    0: 'it was stopped',
    1: 'it could not start, lost its database, or did not stop within STOP_SECONDS',
  },
});
main().catch((error: unknown) => {
  console.error(
    error instanceof ConfigError ? error.message : `The service cannot start: ${(error as Error).message}`,
  );
  process.exit(1);
});
