/** A test run that is stopped leaves no process and no file behind, whatever it was doing. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from '../../scripts/command.ts';
import { poll } from '../waiting.ts';

interface Process {
  pid: number;
  command: string;
  environment: string;
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It has just ended.
    return '';
  }
};

/** Running processes that have this text in their environment. */
function processesWith(text: string): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({
      pid: Number(name),
      command: read(`/proc/${name}/cmdline`).replaceAll('\0', ' '),
      environment: read(`/proc/${name}/environ`),
    }))
    .filter(({ environment }) => environment.includes(text));
}

const MOMENTS = [
  {
    title: 'SIGTERM in the middle of the build',
    signal: 'SIGTERM',
    args: ['test'],
    // The build as a whole takes the place of the last one only at its end.
    sign: ({ pid }: Process) => existsSync(join(ROOT, `.cache/build-${pid}`)),
  },
  {
    title: 'SIGINT while a browser runs tests',
    signal: 'SIGINT',
    args: ['run', 'test:unit', '--', 'test/unit/base/errors.test.ts', 'test/unit/wallets/vault.test.ts'],
    sign: ({ command }: Process) => /--remote-debugging-p/.test(command),
  },
  {
    title: 'SIGHUP, as of a terminal that is closed, while a browser and a chain run',
    signal: 'SIGHUP',
    args: ['run', 'test:e2e', '--', 'test/e2e/pin.test.ts'],
    sign: ({ command }: Process) => /\banvil\b/.test(command),
  },
  {
    title: 'kill -9 while the database runs',
    signal: 'SIGKILL',
    args: ['run', 'test:service', '--', 'test/service/execute.test.ts'],
    sign: ({ command }: Process) => /\/postgres -D|\/postgres.* -D /.test(command),
  },
] as const;

describe('a stopped test run', { skip: process.platform === 'linux' ? false : 'only where /proc is' }, () => {
  for (const { title, signal, args, sign } of MOMENTS)
    it(`leaves nothing: ${title}`, async () => {
      const mark = `STOPPED_RUN=${randomUUID()}`;
      const [name, value] = mark.split('=') as [string, string];
      const child = spawn('npm', ['--silent', ...args], {
        cwd: ROOT,
        env: { ...process.env, [name]: value },
        stdio: 'ignore',
        detached: true,
      });
      const ended = once(child, 'exit');
      try {
        await poll(() => {
          assert.equal(child.exitCode, null, 'it ended before that');
          return processesWith(mark).some(sign);
        }, `the moment of: ${title}`);
        const all = processesWith(mark);
        const runner = all.find(({ command }) => /^\S*node --import tsx scripts\/test\.ts/.test(command))!;
        const keeper = all.find(({ command }) => command.includes('keeper.mjs'))!;
        const folder = keeper.command.split(' ').find((word) => word.startsWith(tmpdir()))!;
        assert.ok(existsSync(folder));
        process.kill(runner.pid, signal);
        await ended;
        await poll(
          () => processesWith(mark).length === 0,
          `the end of ${processesWith(mark).length} processes`,
        );
        await poll(() => !existsSync(folder), 'the end of its folder');
      } finally {
        for (const { pid } of processesWith(mark)) process.kill(pid, 'SIGKILL');
      }
    });
});
