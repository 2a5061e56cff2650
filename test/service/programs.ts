import { join } from 'node:path';

/** Arguments of Node for `service/<name>.ts`: bundled if `npm test` did so, which halves the start-up, else with tsx. */
export function program(name: 'main' | 'audit' | 'client' | 'master-key' | 'policy' | 'webhooks'): string[] {
  const folder = process.env['TEST_PROGRAMS'];
  return folder ? [join(folder, `${name}.js`)] : ['--import', 'tsx', `service/${name}.ts`];
}
