/** Starts anvil, a local EVM network, from its npm package. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

export interface Anvil {
  url: string;
  close(): Promise<void>;
}

export const CHAIN_ID = 31337;

/**
 * Runs the binary itself: npm's launcher would not pass on our signal to stop. `sh` waits for our end of its standard input to close, so
 * anvil ends with us even if we are killed.
 */
const WATCH =
  'exec 3<&0; "$@" </dev/null & child=$!; { cat <&3 >/dev/null; kill "$child"; } 2>/dev/null & wait "$child"';

/** Keeps the states of old blocks in memory. Otherwise anvil writes them to the user's home, never cleaned up: gigabytes per test run. */
const KEPT = ['--prune-history', '500'];

function binary(): string {
  const require = createRequire(import.meta.url);
  const launcher = createRequire(require.resolve('@foundry-rs/anvil/package.json'));
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return launcher.resolve(
    `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}/bin/anvil${suffix}`,
  );
}

/** On a free port, mining a block for each transaction. `args` may name another chain id. */
export function startAnvil(...args: string[]): Promise<Anvil> {
  const chain = args.includes('--chain-id') ? [] : ['--chain-id', String(CHAIN_ID)];
  const command = [binary(), '--host', '127.0.0.1', '--port', '0', ...KEPT, ...chain, ...args];
  const child =
    process.platform === 'win32'
      ? spawn(command[0]!, command.slice(1), { stdio: 'pipe' })
      : spawn('sh', ['-c', WATCH, 'sh', ...command], { stdio: 'pipe' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const close = async (): Promise<void> => {
    child.stdin.destroy();
    if (process.platform === 'win32') child.kill();
    await ended;
  };
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string): void => {
      void close();
      reject(new Error(`anvil ${why}: ${output.trim().split('\n').slice(-5).join('\n')}`));
    };
    const timer = setTimeout(() => fail('did not start in two minutes'), 120_000);
    child.once('error', (error) => fail(error.message));
    const onExit = (code: number | null): void => fail(`ended with ${code}`);
    child.once('exit', onExit);
    child.stderr.on('data', (data: Buffer) => (output += data.toString()));
    child.stdout.on('data', (data: Buffer) => {
      output = (output + data.toString()).slice(-20_000);
      const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(output)?.[1];
      if (!port) return;
      clearTimeout(timer);
      child.off('exit', onExit);
      // Keep draining the pipes: a full one would block anvil.
      child.stdout.removeAllListeners('data').resume();
      child.stderr.removeAllListeners('data').resume();
      resolve({ url: `http://127.0.0.1:${port}`, close });
    });
  });
}
