/**
 * The network between the machines of a cluster that runs on one machine. Every service of a machine is reached through a proxy, which
 * knows from which machine a connection comes and can let nothing through any more: like a cut cable, it closes no connection.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** In the environment of every process of a machine. */
export const MACHINE = 'HA_MACHINE';

/** Whether nothing passes from one machine to another. */
export type Cut = (from: string, to: string) => boolean;

interface Link {
  to: string;
  near: Socket;
  far: Socket | undefined;
  isHeld: boolean;
}

const NOTHING: Cut = () => false;

export class Links {
  readonly #servers: Server[] = [];
  readonly #links = new Set<Link>();
  #cut: Cut = NOTHING;

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
      if (this.#cut !== NOTHING && this.#cut(machineOf([near]).get(near) ?? '', to)) {
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
    const from = machineOf([...this.#links].map(({ near }) => near));
    for (const link of this.#links) {
      if (!cut(from.get(link.near) ?? '', link.to)) continue;
      link.isHeld = true;
      for (const socket of [link.near, link.far]) socket?.unpipe().pause();
    }
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

/** The machines of those who connected. */
function machineOf(sockets: Socket[]): Map<Socket, string> {
  const inodes = new Map<string, string>();
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
    const [, local, , , , , , , , inode] = line.trim().split(/\s+/);
    if (local && inode) inodes.set(local, inode);
  }
  const owners = ownersOf();
  return new Map(
    sockets.map((socket) => [socket, owners.get(inodes.get(hexOf(socket)) ?? '') ?? ''] as const),
  );
}

/** As `/proc/net/tcp` writes addresses. */
function hexOf({ remoteAddress = '0.0.0.0', remotePort = 0 }: Socket): string {
  const hex = (n: number, digits: number): string => n.toString(16).toUpperCase().padStart(digits, '0');
  const bytes = remoteAddress.replace('::ffff:', '').split('.').map(Number).reverse();
  return `${bytes.map((byte) => hex(byte, 2)).join('')}:${hex(remotePort, 4)}`;
}

/** Inodes of sockets, and the machines of their processes. */
function ownersOf(): Map<string, string> {
  const owners = new Map<string, string>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const machine = machineOfProcess(pid);
    if (machine === undefined) continue;
    for (const link of linksIn(`/proc/${pid}/fd`)) {
      const inode = /^socket:\[(\d+)\]$/.exec(link)?.[1];
      if (inode) owners.set(inode, machine);
    }
  }
  return owners;
}

const TAG = new RegExp(`(?:^|\0)${MACHINE}=(\\w+)`);

/** PostgreSQL writes its titles over the environment of its children. */
function machineOfProcess(pid: string): string | undefined {
  try {
    const own = TAG.exec(readFileSync(`/proc/${pid}/environ`, 'latin1'))?.[1];
    if (own !== undefined) return own;
    const [name = '', parent = '0'] = /^Name:\s+(\S+)[^]*?^PPid:\s+(\d+)/m
      .exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
      .slice(1);
    return name === 'postgres' && parent !== '1' ? machineOfProcess(parent) : undefined;
  } catch {
    // Ended meanwhile, or not ours.
    return undefined;
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
