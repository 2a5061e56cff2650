/**
 * Starts an HTTP server on this machine. Browsers resolve `localhost` to ::1 or to 127.0.0.1 as they like, so it listens on both.
 */
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  port: number;
  close(): Promise<void>;
}

interface ListenOptions {
  /** 0 takes any free port. */
  port: number;
  /** Name of the setting the port came from, for the error. */
  setting: string;
  /** Address to listen on; both loopback addresses when absent. */
  host?: string | undefined;
  /** Headers of answers to invalid requests that the listener never sees, for example with too long headers. */
  errorHeaders?: Readonly<Record<string, string>> | undefined;
}

function bind(
  listener: RequestListener,
  { host, port, errorHeaders }: { host: string; port: number } & Pick<ListenOptions, 'errorHeaders'>,
): Promise<Server> {
  const server = createServer(listener);
  if (errorHeaders)
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
      const lines = Object.entries(errorHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
      if (!socket.writable) return;
      socket.end(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}Content-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => resolve(server));
  });
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The same port on ::1, unless the machine has no IPv6. */
async function bindIpv6(
  listener: RequestListener,
  port: number,
  errorHeaders: ListenOptions['errorHeaders'],
): Promise<Server[]> {
  try {
    return [await bind(listener, { host: '::1', port, errorHeaders })];
  } catch (error) {
    if (isCode(error, 'EADDRNOTAVAIL', 'EAFNOSUPPORT')) return [];
    throw error;
  }
}

async function bindAll(
  listener: RequestListener,
  { port, host, errorHeaders }: ListenOptions,
): Promise<Server[]> {
  if (host) return [await bind(listener, { host, port, errorHeaders })];
  const first = await bind(listener, { host: '127.0.0.1', port, errorHeaders });
  try {
    return [first, ...(await bindIpv6(listener, (first.address() as AddressInfo).port, errorHeaders))];
  } catch (error) {
    await close(first);
    throw error;
  }
}

/** Names the settings of an address that cannot be listened on. `setting` is that of the port. */
export function listenError(
  error: unknown,
  { host = 'localhost', port, setting }: Pick<ListenOptions, 'host' | 'port' | 'setting'>,
): Error {
  const { message, syscall = '' } = error as NodeJS.ErrnoException;
  if (!['bind', 'getaddrinfo', 'listen'].includes(syscall)) return error as Error;
  if (isCode(error, 'EADDRINUSE')) return new Error(`port ${port} (${setting}) is taken`, { cause: error });
  if (isCode(error, 'EACCES'))
    return new Error(`port ${port} (${setting}) is not for this user: take one above 1023`, { cause: error });
  if (!isCode(error, 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL')) return error as Error;
  return new Error(
    `${host} (${setting.replace(/PORT$/, 'HOST')}) is no address of this machine: ${message}`,
    { cause: error },
  );
}

export async function listen(listener: RequestListener, options: ListenOptions): Promise<Listening> {
  for (let attempt = 0; ; attempt++) {
    try {
      const servers = await bindAll(listener, options);
      return {
        port: (servers[0]!.address() as AddressInfo).port,
        close: async () => void (await Promise.all(servers.map(close))),
      };
    } catch (error) {
      // A port that was free on 127.0.0.1 can be taken on ::1: any other will do.
      if (isCode(error, 'EADDRINUSE') && options.port === 0 && attempt < 20) continue;
      throw listenError(error, options);
    }
  }
}
