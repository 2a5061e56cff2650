/** A proxy in front of a database, to cut, delay and silence its connections. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { runningCluster } from '../../service/database/embedded/cluster.ts';
import { pause } from '../waiting.ts';

/** PgBouncer's words while it finds no primary. */
const NO_PRIMARY = 'SFATAL\0C08P01\0Mserver login has been failing, try again later\0\0';

export interface Wire {
  url: string;
  /** Connections that are refused as a pooler does. */
  refusals: number;
  /** Milliseconds that the database takes longer to answer. */
  delayMs: number;
  /** As of a machine that is gone: connections stay open, and nothing comes any more. */
  silent: boolean;
  cut(): void;
  mend(): Promise<void>;
}

export async function startWire(database: string): Promise<Wire> {
  const target = new URL(database);
  const sockets = new Set<Socket>();
  let port = 0;
  let server: Server;
  const mend = async (): Promise<void> => {
    server = createServer((near) => {
      if (wire.refusals > 0) {
        wire.refusals--;
        const head = Buffer.from('E\0\0\0\0');
        head.writeInt32BE(4 + NO_PRIMARY.length, 1);
        near.once('data', () => near.end(Buffer.concat([head, Buffer.from(NO_PRIMARY)])));
        return;
      }
      const far = connect(Number(target.port || 5432), target.hostname);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from);
        let passed: Promise<unknown> = Promise.resolve();
        from.on('data', (data: Buffer) => {
          const wait = from === far ? wire.delayMs : 0;
          passed = passed.then(async () => {
            if (wait > 0) await pause(wait);
            if (!wire.silent) to.write(data);
          });
        });
        from.on('error', () => to.destroy()).on('close', () => to.destroy());
      }
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  };
  const wire: Wire = {
    url: '',
    refusals: 0,
    delayMs: 0,
    silent: false,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    mend,
  };
  await mend();
  wire.url = Object.assign(new URL(database), { host: `127.0.0.1:${port}` }).href;
  return wire;
}

/** Of the PostgreSQL that a service runs in this folder. */
export async function urlOf(folder: string): Promise<string> {
  const { user, password, host, port, database } = (await runningCluster(folder))!;
  return `postgres://${user}:${String(password)}@${host}:${port}/${database}`;
}
