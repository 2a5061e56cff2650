/**
 * `npm run service:policy -- list`, `show <wallet|client> <id>`, `set <wallet|client> <id> <file>`, `withdraw <wallet|client> <id>`: spending
 * policies set by the operator. It can run while the service does.
 */
import { readFileSync } from 'node:fs';
import { Policy, PolicyParams, type StoredPolicy } from '../../src/api/policy.ts';
import { toIssues } from '../../src/chains/requests/payloads.ts';
import { DATABASE_SETTINGS, runCommand, UsageError, withDatabase } from './command.ts';
import { answerHelp, type Help, usageOf } from '../help.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { openKeys } from '../keys/open-keys.ts';
import {
  listPolicies,
  putPolicy,
  readPolicy,
  withdrawPolicy,
  type Writer,
} from '../policies/policy-store.ts';

const HELP: Help = {
  usage: [
    'service:policy -- list',
    'service:policy -- show <wallet|client> <id>',
    'service:policy -- set <wallet|client> <id> <file with the policy as JSON, - for standard input>',
    'service:policy -- withdraw <wallet|client> <id>',
  ],
  does: 'Shows and sets the spending policies of wallets and clients. What a policy loosens takes effect after a delay. It can run while the service does.',
  environment: {
    ...DATABASE_SETTINGS,
    NETWORKS: 'path of networks.json, whose networks a policy may name',
    POLICY_DELAY_HOURS: 'how long an earlier policy still applies beside a new one; 24 without it',
  },
};
const USAGE = usageOf(HELP);

async function main(): Promise<string> {
  const [command, of, id, file, ...rest] = process.argv.slice(2);
  const config = readConfig();
  const { success, data: whose } = PolicyParams.safeParse({ of, id });
  const writer = async (): Promise<Writer> => ({
    keys: await openKeys(config, { create: !config.databaseUrl }),
    actor: 'command',
    delayHours: config.policyDelayHours,
  });
  const work = async (db: Database): Promise<StoredPolicy | StoredPolicy[]> => {
    if (command === 'list' && of === undefined) return listAll(db);
    if (!success || rest.length || (command === 'set') !== (file !== undefined)) throw new UsageError(USAGE);
    if (command === 'show') return readPolicy(db, whose);
    if (command === 'set')
      return putPolicy(db, whose, readFile(file!), { ...(await writer()), networks: config.networks });
    if (command === 'withdraw') return withdrawPolicy(db, whose, await writer());
    throw new UsageError(USAGE);
  };
  return withDatabase(async (db) => JSON.stringify(await work(db), null, 2), config);
}

async function listAll(db: Database): Promise<StoredPolicy[]> {
  const policies: StoredPolicy[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const { rows, next } = await listPolicies(db, { cursor });
    policies.push(...rows);
    cursor = next;
  }
  return policies;
}

function readFile(path: string): Policy {
  const text = readFileSync(path === '-' ? 0 : path, 'utf8');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error(`${path} is not JSON.`);
  }
  const { data, error } = Policy.safeParse(json);
  if (data) return data;
  const issues = error!.issues.flatMap(toIssues).map((issue) => `  ${issue.path} ${issue.message}`);
  throw new Error(`${path} is not a policy:\n${issues.join('\n')}`);
}

answerHelp(HELP);
await runCommand(main);
