/**
 * The network between the machines of a cluster that runs on one machine. Every service of a machine is reached through a proxy, which
 * knows from which machine a connection comes and can let nothing through any more: like a cut cable, it closes no connection.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** Whether nothing passes to a machine, for a connection of which `isFrom` tells whether a machine has made it. */
export type Cut = (isFrom: (machine: string) => boolean, to: string) => boolean;

interface Link {
  to: string;
  near: Socket;
  far: Socket | undefined;
  isHeld: boolean;
}

const NOTHING: Cut = () => false;

export class Links {
  readonly #processesOf: (machine: string) => number[];
  readonly #servers: Server[] = [];
  readonly #links = new Set<Link>();
  #cut: Cut = NOTHING;

  /** `processesOf`: those that a machine was started with; their children count, too. */
  constructor(processesOf: (machine: string) => number[]) {
    this.#processesOf = processesOf;
  }

  /** Whoever connects to `address` and `port` reaches the same port of `behind`, which is of machine `to`. */
  async open(
    to: string,
    port: number,
    { address, behind }: { address: string; behind: string },
  ): Promise<void> {
    const server = createServer({ allowHalfOpen: true }, (near) => {
      const link: Link = { to, near, far: undefined, isHeld: false };
      this.#links.add(link);
      near.on('close', () => this.#links.delete(link));
      near.on('error', () => link.far?.destroy());
      if (this.#cut !== NOTHING && this.#isCut([link]).has(link)) {
        link.isHeld = true;
        near.pause();
      } else this.#join(link, { port, behind, address });
    });
    server.listen(port, address);
    await once(server, 'listening');
    this.#servers.push(server);
  }

  #join(link: Link, { port, behind, address }: { port: number; behind: string; address: string }): void {
    const { near } = link;
    // The address by which others know this network, as it is in pg_hba.conf.
    const far = connect({ port, host: behind, localAddress: address });
    link.far = far;
    near.pipe(far);
    far.pipe(near);
    far.on('error', () => near.destroy());
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
  }

  /** From now on. What is on its way stays there until `mend`. */
  cut(cut: Cut): void {
    this.#cut = cut;
    for (const link of this.#isCut([...this.#links])) {
      link.isHeld = true;
      for (const socket of [link.near, link.far]) socket?.unpipe().pause();
    }
  }

  #isCut(links: Link[]): Set<Link> {
    const connections = readFileSync('/proc/net/tcp', 'latin1');
    const sockets = new Map<string, Set<string>>();
    const isCut = (link: Link): boolean => {
      const inode = inodeOf(connections, link.near);
      const isFrom = (machine: string): boolean => {
        if (!sockets.has(machine)) sockets.set(machine, socketsOf(this.#processesOf(machine)));
        return inode !== undefined && sockets.get(machine)!.has(inode);
      };
      return this.#cut(isFrom, link.to);
    };
    return new Set(links.filter(isCut));
  }

  mend(): void {
    this.#cut = NOTHING;
    for (const link of this.#links) {
      if (!link.isHeld) continue;
      link.isHeld = false;
      // What was asked meanwhile was given up long ago.
      if (!link.far) link.near.destroy();
      else {
        link.near.pipe(link.far);
        link.far.pipe(link.near);
      }
    }
  }

  close(): void {
    for (const server of this.#servers) server.close();
    for (const { near, far } of this.#links) {
      near.destroy();
      far?.destroy();
    }
  }
}

/**
 * That of the socket which connected to us, in the text of `/proc/net/tcp`. Both of its ends are compared: sockets to different places may
 * have the same address and port.
 */
function inodeOf(connections: string, near: Socket): string | undefined {
  const own = endOf(near.remoteAddress, near.remotePort);
  const at = connections.indexOf(`: ${own} ${endOf(near.localAddress, near.localPort)} `);
  if (at < 0) return undefined;
  return connections.slice(at, connections.indexOf('\n', at)).trim().split(/\s+/)[9];
}

/** As `/proc/net/tcp` has it. */
function endOf(address = '0.0.0.0', port = 0): string {
  const hex = (n: number, digits: number): string => n.toString(16).toUpperCase().padStart(digits, '0');
  const bytes = address.replace('::ffff:', '').split('.').map(Number).reverse();
  return `${bytes.map((byte) => hex(byte, 2)).join('')}:${hex(port, 4)}`;
}

/** Inodes of the sockets of processes and their children. */
function socketsOf(processes: number[]): Set<string> {
  const inodes = new Set<string>();
  for (const pid of processes.flatMap((one) => [one, ...childrenOf(one)]))
    for (const link of linksIn(`/proc/${pid}/fd`)) {
      const inode = /^socket:\[(\d+)\]$/.exec(link)?.[1];
      if (inode) inodes.add(inode);
    }
  return inodes;
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    // Ended meanwhile.
    return [];
  }
}

function linksIn(folder: string): string[] {
  const links: string[] = [];
  try {
    for (const name of readdirSync(folder)) links.push(readlinkSync(`${folder}/${name}`));
  } catch {
    // Closed meanwhile.
  }
  return links;
}
