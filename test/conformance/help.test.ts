/** Every command of package.json says what it does, and does nothing else then. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { VARIABLES } from '../../service/config.ts';
import { ROOT } from '../../scripts/command.ts';
import { program, type ProgramName } from '../service/programs.ts';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
/** Programs of others, which have a help of their own; and what npm calls by itself. */
const OTHERS = ['typecheck', 'format', 'prepack'];
/** Several commands are one program. */
const programs = new Map<string, string[]>();
for (const [name, command] of Object.entries(scripts))
  if (!OTHERS.includes(name)) {
    const [file = ''] = command.match(/\b(?:demo|service|scripts|bench)\/[\w-]+\.ts/) ?? [];
    programs.set(file, [...(programs.get(file) ?? []), name]);
  }

async function help(file: string): Promise<string> {
  const [, name] = /^service\/([\w-]+)\.ts$/.exec(file) ?? [];
  const script = name ? program(name as ProgramName) : ['--import', 'tsx', join(ROOT, file)];
  // Without a setting of ours, as on a machine where nothing was set up.
  const env = { PATH: process.env['PATH'] };
  const { stdout } = await promisify(execFile)(process.execPath, [...script, '--help'], {
    cwd: ROOT,
    env,
    timeout: 60_000,
  });
  return stdout;
}

test('every command has a help with its usage, settings and exit status', async () => {
  const open = [...programs];
  const work = async (): Promise<void> => {
    for (let next = open.pop(); next; next = open.pop()) {
      const [file, names] = next;
      const text = await help(file);
      for (const name of names)
        assert.ok(text.includes(name.replace(/^test:/, '')), `${file} does not name ${name}`);
      assert.match(text, /^Usage:\n {2}npm run /, file);
      assert.match(text, /\n\n[A-Z][^\n]{30,}\.\n\n/, `${file} does not say what it does`);
      assert.match(text, /\nOptions:\n[^]* {2}--help {2,}/, file);
      assert.match(text, /\nExit status:\n {2}0 {2}/, file);
    }
  };
  assert.ok(programs.size > 15);
  await Promise.all([work(), work()]);
});

test('the help of the service names every setting with its default', async () => {
  const text = await help('service/main.ts');
  for (const name of VARIABLES) assert.match(text, new RegExp(`\n {2}${name} +\\S`), name);
  assert.match(text, /\n {2}SERVICE_PORT +default: 4001\n/);
});

test('commands of other makers are the only ones without a help of ours', () => {
  for (const name of OTHERS) assert.doesNotMatch(scripts[name]!, /\.ts\b/, name);
});
