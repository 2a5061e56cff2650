import { join } from 'node:path';

export type CommandName = 'audit' | 'client' | 'master-key' | 'policy' | 'signing-keys' | 'webhooks';

/** Arguments of Node for `service/<name>.ts`: bundled if `npm test` did so, which halves the start-up, else with tsx. */
export function program(name: 'main' | CommandName): string[] {
  const folder = process.env['TEST_PROGRAMS'];
  return folder ? [join(folder, `${name}.js`)] : ['--import', 'tsx', `service/${name}.ts`];
}
