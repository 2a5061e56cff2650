/**
 * `npm run service:webhooks -- list [--webhook <id>] [--state <state>] [--session <id>] [--wallet <id>] [--json]`,
 * `redeliver <delivery id>`, `redeliver --webhook <id>`: lists deliveries of all applications, and sends them again. It can run while a
 * service does; one that is stopped sends when it starts.
 */
import { parseArgs } from 'node:util';
import { DELIVERY_STATES } from '../../src/api/webhook.ts';
import { DATABASE_SETTINGS, type DatabaseWork, runCommand, UsageError, withDatabase } from './command.ts';
import { answerHelp, type Help, usageOf } from '../help.ts';
import { type AnyDelivery, listLog, redeliver, redeliverGivenUp } from '../webhooks/delivery-log.ts';

const HELP: Help = {
  usage: [
    'service:webhooks -- list [--webhook <id>] [--state waiting|delivered|given-up] [--session <id>] [--wallet <id>] [--json]',
    'service:webhooks -- redeliver <delivery id>',
    'service:webhooks -- redeliver --webhook <id>    all that were given up',
  ],
  does: 'Lists the newest 100 deliveries of all applications, or sends some again. A service that is stopped sends them when it starts.',
  options: {
    '--webhook': 'id of a receiver',
    '--state': 'only deliveries that are waiting, delivered or given-up',
    '--session': 'only deliveries about this checkout session',
    '--wallet': 'only deliveries about this wallet',
    '--json': 'prints JSON, for programs',
  },
  environment: DATABASE_SETTINGS,
};
const USAGE = usageOf(HELP);

function commandOf(args: string[]): DatabaseWork {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      webhook: { type: 'string' },
      state: { type: 'string' },
      session: { type: 'string' },
      wallet: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const { webhook, state: stateName, session, wallet, json } = values;
  const [command, id, ...rest] = positionals;
  const state = DELIVERY_STATES.find((one) => one === stateName);
  if (rest.length || (stateName !== undefined && !state)) throw new UsageError(USAGE);
  if (command === 'list' && !id)
    return async (db) => {
      const { rows } = await listLog(db, webhook, {
        limit: '100',
        ...(state ? { state } : {}),
        ...(session ? { session } : {}),
        ...(wallet ? { wallet } : {}),
      });
      if (json) return JSON.stringify(rows);
      return rows.map(lineOf).join('\n') || 'There are no such deliveries.';
    };
  if (command === 'redeliver' && id && !webhook)
    return async (db) => {
      await redeliver(db, id);
      return `${id} is sent again.`;
    };
  if (command === 'redeliver' && webhook)
    return async (db) => `${await redeliverGivenUp(db, webhook)} deliveries are sent again.`;
  throw new UsageError(USAGE);
}

function lineOf({ id, type, state, webhookId, attempts, nextAttemptAt, ...of }: AnyDelivery): string {
  const { at, error } = attempts.at(-1) ?? {};
  const last = at ? `${at} ${error ?? 'delivered'}` : 'not sent yet';
  const next = nextAttemptAt ? `  next ${nextAttemptAt}` : '';
  const about = 'walletId' in of ? of.walletId : of.sequence;
  return `${id}  ${state.padEnd(9)}  ${type} ${about}  ${webhookId}  ${last}${next}`;
}

answerHelp(HELP);
await runCommand(() => withDatabase(commandOf(process.argv.slice(2))));
