/** Follows pages of `docs/` as a reader does: command by command, in one shell. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = resolve(import.meta.dirname, '../..');

/** A section of a page, from its heading to the next one of that level. */
export function sectionOf(page: string, heading: string): string {
  const whole = readFileSync(join(ROOT, 'docs', page), 'utf8');
  const start = whole.indexOf(`\n${heading}\n`);
  assert.ok(start >= 0, `${page} has no ${heading}`);
  const [marks] = heading.split(' ');
  const end = whole.indexOf(`\n${marks} `, start + 1);
  return whole.slice(start, end < 0 ? undefined : end);
}

/** Its code blocks in one language: `sh`, `js`, …. */
export function codeIn(page: string, heading: string, kind = 'sh'): string[] {
  const blocks = sectionOf(page, heading).matchAll(new RegExp(`\`\`\`${kind}\n([\\s\\S]*?)\`\`\``, 'g'));
  return [...blocks].map(([, code]) => code!);
}

export interface Shell {
  /** Returns the commands' output. If one fails, throws its error output; the shell cannot be used after that. */
  run(commands: string): Promise<string>;
  close(): Promise<void>;
}

/** Variables and functions persist from one `run` to the next. */
export function openShell(env: NodeJS.ProcessEnv): Shell {
  const child = spawn('bash', [], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const complaints = text(child.stderr);
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  let written = '';
  let look = (): void => {};
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    written += part;
    look();
  });
  // Input that an ended shell did not read.
  child.stdin.on('error', () => {});
  child.stdin.write('set -euo pipefail\n');
  return {
    async run(commands) {
      const mark = `ran-${randomUUID()}`;
      const seen = new Promise<void>((done) => {
        look = () => written.includes(mark) && done();
      });
      // Commands must not read the following ones from standard input.
      child.stdin.write(`{\n${commands}\n} < /dev/null\necho ${mark}\n`);
      await Promise.race([seen, closed]);
      if (!written.includes(mark)) assert.fail(`${await complaints}\n${commands}`);
      const [said] = written.split(`${mark}\n`);
      written = '';
      return said!;
    },
    async close() {
      child.stdin.end();
      await closed;
    },
  };
}
