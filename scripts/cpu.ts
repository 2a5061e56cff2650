/** CPU time of the programs that this process runs, as Linux counts it: user and system apart. Elsewhere all of it is 0. */
import { readdirSync, readFileSync } from 'node:fs';

/** Of the kernel's counters in `/proc`, by its manual page proc(5): always 100 in a second for programs. */
const TICKS_A_SECOND = 100;

interface Times {
  parent: number;
  /** Its own. */
  own: Cpu;
  /** Of its ended children, and theirs. */
  children: Cpu;
}

function timesOf(pid: number | 'self'): Times | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    // Not Linux, or it has just ended.
    return undefined;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (field: number): number => Number(fields[field]) / TICKS_A_SECOND;
  return {
    parent: Number(fields[1]),
    own: new Cpu(seconds(11), seconds(12)),
    children: new Cpu(seconds(13), seconds(14)),
  };
}

/** Seconds of CPU time. */
export class Cpu {
  constructor(
    readonly user = 0,
    readonly system = 0,
  ) {}

  get seconds(): number {
    return this.user + this.system;
  }

  plus({ user, system }: Cpu): Cpu {
    return new Cpu(this.user + user, this.system + system);
  }

  minus({ user, system }: Cpu): Cpu {
    return new Cpu(this.user - user, this.system - system);
  }

  /** Of this process and all that it waited for: what `time` says. */
  static ofAll(): Cpu {
    const { own, children } = timesOf('self') ?? { own: new Cpu(), children: new Cpu() };
    return own.plus(children);
  }

  /** Of a running program and all that it started, whether that ended or not. */
  static ofTree(root: number): Cpu {
    const family = new Map<number, number[]>();
    const times = new Map<number, Times>();
    for (const name of readdirSync('/proc')) {
      const pid = Number(name);
      const found = Number.isInteger(pid) ? timesOf(pid) : undefined;
      if (!found) continue;
      times.set(pid, found);
      family.set(found.parent, [...(family.get(found.parent) ?? []), pid]);
    }
    const sum = (pid: number): Cpu => {
      const { own, children } = times.get(pid) ?? { own: new Cpu(), children: new Cpu() };
      return (family.get(pid) ?? []).reduce((all, child) => all.plus(sum(child)), own.plus(children));
    };
    return sum(root);
  }

  toString(): string {
    return `${this.user.toFixed(0)} s user, ${this.system.toFixed(0)} s system`;
  }
}

/**
 * Of a program and all that it started. The kernel credits an ended process to its parent only if that waited for it, which Chromium does
 * not do for its pages' processes: so whatever has been added is summed up each second.
 */
export class CpuMeter {
  #total = new Cpu();
  #last = new Cpu();
  readonly #timer: NodeJS.Timeout;

  /** `pid`: of the program. */
  constructor(readonly pid: number) {
    this.#timer = setInterval(() => this.#read(), 1000);
    this.#timer.unref();
  }

  #read(): void {
    const now = Cpu.ofTree(this.pid);
    if (now.seconds > this.#last.seconds) this.#total = this.#total.plus(now.minus(this.#last));
    this.#last = now;
  }

  /** So far. */
  get total(): Cpu {
    this.#read();
    return this.#total;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
