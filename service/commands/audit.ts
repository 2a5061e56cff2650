/**
 * `npm run service:audit -- verify [--after <position>:<mac>] [--head <position>:<mac>]…`, `list [--last <rows>]`: whether the audit log is
 * unchanged, and what is in it. It can run while the service does.
 */
import { parseArgs } from 'node:util';
import { type AuditHead, listAudit, verifyAudit } from '../audit/audit-log.ts';
import { DATABASE_SETTINGS, runCommand, UsageError, withDatabase } from './command.ts';
import { answerHelp, type Help, usageOf } from '../help.ts';
import { readConfig } from '../config.ts';
import { openKeys } from '../keys/open-keys.ts';

const HELP: Help = {
  usage: [
    'service:audit -- verify [--after <position>:<mac>] [--head <position>:<mac, as in the log of the service> …]',
    'service:audit -- list [--last <rows>]',
  ],
  does: 'Verifies that the audit log is as it was written, or prints its last rows. It can run while the service does.',
  options: {
    '--after': 'the head of an earlier verification: only later rows are read',
    '--head': 'a head that the log must still contain; may be repeated',
    '--last': 'how many rows; 50 without it',
  },
  environment: DATABASE_SETTINGS,
};
const USAGE = usageOf(HELP);

async function main(): Promise<string> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      after: { type: 'string' },
      head: { type: 'string', multiple: true, default: [] },
      last: { type: 'string', default: '50' },
    },
  });
  const [command, ...rest] = positionals;
  if (rest.length || !/^[1-9]\d{0,5}$/.test(values.last)) throw new UsageError(USAGE);
  const config = readConfig();
  if (command === 'verify') {
    const noted = values.head.map(readHead);
    const after = values.after === undefined ? undefined : readHead(values.after);
    if (after && noted.some(({ position }) => position <= after.position))
      throw new UsageError(`--head must name a later row than --after.\n${USAGE}`);
    return withDatabase(async (db) => {
      const keys = await openKeys(config, { create: false });
      const { rows, head, problems } = await verifyAudit(db, keys, { noted, after });
      if (problems.length) throw new Error(`the audit log was changed.\n${problems.join('\n')}`);
      if (!head) return 'The audit log is empty.';
      const which = after ? `All ${rows} rows after ${after.position}` : `All ${rows} rows`;
      return `${which} are as they were written. The head is ${head.position}:${head.mac}`;
    }, config);
  }
  if (command !== 'list') throw new UsageError(USAGE);
  return withDatabase(async (db) => {
    const rows = await listAudit(db, Number(values.last));
    return (
      rows
        .map(
          ({ position, at, actor, action, subject, details }) =>
            `${position}  ${at.toISOString()}  ${actor}  ${action}  ${subject}  ${details}`,
        )
        .join('\n') || 'The audit log is empty.'
    );
  }, config);
}

function readHead(text: string): AuditHead {
  const [, position, mac] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (position === undefined || mac === undefined) throw new UsageError(USAGE);
  return { position: Number(position), mac };
}

answerHelp(HELP);
await runCommand(main);
