/**
 * `npm run service:signing-keys -- rotate [--forget]`: another key for tokens, before its time. With `--forget`, no token that an older one
 * signed is good any more: after a leak. It can run while the service does.
 */
import { parseArgs } from 'node:util';
import { SigningKeys } from '../auth/signing-keys.ts';
import { DATABASE_SETTINGS, runCommand, UsageError, withDatabase } from './command.ts';
import { readConfig } from '../config.ts';
import { answerHelp, type Help, usageOf } from '../help.ts';
import { openKeys } from '../keys/open-keys.ts';

const HELP: Help = {
  usage: ['service:signing-keys -- rotate [--forget]'],
  does: 'Makes a new key for tokens, which signs within half a minute. It can run while the service does.',
  options: {
    '--forget': 'older keys are forgotten: all tokens that they signed are refused within half a minute',
  },
  environment: DATABASE_SETTINGS,
};

async function main(): Promise<string> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    strict: false,
    options: { forget: { type: 'boolean', default: false } },
  });
  const isKnown = Object.keys(values).every((name) => name === 'forget');
  if (!isKnown || positionals.length !== 1 || positionals[0] !== 'rotate')
    throw new UsageError(usageOf(HELP));
  const forget = values['forget'] === true;
  const config = readConfig();
  return withDatabase(async (db) => {
    const settings = { signingKeyDays: config.signingKeyDays, tokenSeconds: config.accessTokenSeconds };
    await new SigningKeys(db, await openKeys(config, { create: false }), settings).rotate({ forget });
    return forget
      ? 'A new key signs tokens. All others are refused within half a minute.'
      : 'A new key signs tokens within half a minute. Those of the older keys are good until they expire.';
  }, config);
}

answerHelp(HELP);
await runCommand(main);
