/** Runs commands beside a running service. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { ServiceConfig } from '../../service/config.ts';
import { type CommandName, program } from './programs.ts';

export type Command = (...args: string[]) => Promise<{ code: number; out: string; err: string }>;

/** Runs `service/commands/<name>.ts` as a separate process, on the data of a service's configuration. */
export function commandOn(
  name: CommandName,
  config: () => ServiceConfig,
  more: Record<string, string> = {},
): Command {
  return (...args) => {
    const { databaseUrl, dataFolder, masterKeyFile } = config();
    const child = spawn(process.execPath, [...program(`commands/${name}`), ...args], {
      cwd: resolve(import.meta.dirname, '../..'),
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: dataFolder,
        ...more,
        ...(databaseUrl ? { DATABASE_URL: databaseUrl, MASTER_KEY_FILE: masterKeyFile } : {}),
      },
    });
    const [out, err] = [child.stdout, child.stderr].map((stream) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      return chunks;
    });
    return new Promise((done) => {
      child.once('close', (code) =>
        done({ code: code ?? 1, out: Buffer.concat(out!).toString(), err: Buffer.concat(err!).toString() }),
      );
    });
  };
}
