import { join } from 'node:path';
import { PATIENT } from './limits.ts';

export type CommandName =
  | 'audit'
  | 'backup'
  | 'client'
  | 'master-key'
  | 'policy'
  | 'psql'
  | 'restore'
  | 'setup'
  | 'signing-keys'
  | 'webhooks';

type ProgramName = 'main' | 'frame' | `commands/${CommandName}`;

/** Arguments of Node for `service/<name>.ts`: bundled if `npm test` did so, which halves the start-up, else with tsx. */
export function program(name: ProgramName): string[] {
  const folder = process.env['TEST_PROGRAMS'];
  return [...PATIENT, ...(folder ? [join(folder, `${name}.js`)] : ['--import', 'tsx', `service/${name}.ts`])];
}
