/** Figures of the last recorded run, from which `scale-simulation.ts` computes. `npm run bench -- --record …` writes what it measured. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../scripts/command.ts';

const FILE = join(ROOT, 'bench/figures.json');

const MEANINGS = {
  readsASecond: 'authenticated reads a second of one process',
  pinCpuSeconds: 'CPU of one PIN: argon2id',
  executeCpuSeconds: 'CPU of the service for one execute, its PIN aside',
  databaseCpuSeconds: 'CPU of PostgreSQL for one execute',
  walBytes: 'WAL that one execute writes',
  transactionBytes: 'storage of one transaction, with its indexes and its key',
  auditSeconds: 'time for which one row locks the audit log, the master key in a file and no second server',
  auditBytes: 'storage of one row of the audit log, with its index',
  walletBytes: 'storage of one wallet with a PIN of its own, with its indexes',
  processBytes: 'memory of a process of the service',
} as const;

export type Figure = keyof typeof MEANINGS;

export interface Measured {
  value: number;
  meaning: string;
  /** ISO date. */
  date: string;
  machine: string;
}

export type Figures = Record<Figure, Measured>;

const measured: Partial<Figures> = {};

function machine(): string {
  const [first] = cpus();
  return `${availableParallelism()} × ${first?.model.trim() ?? 'unknown CPU'}, Node ${process.versions.node}`;
}

export function note(figure: Figure, value: number): void {
  measured[figure] = {
    value: Number(value.toPrecision(4)),
    meaning: MEANINGS[figure],
    date: new Date().toISOString().slice(0, 10),
    machine: machine(),
  };
}

/** Those that were not measured in this run stay as they are. */
export function record(): void {
  const before = existsSync(FILE) ? readFigures() : {};
  writeFileSync(FILE, `${JSON.stringify({ ...before, ...measured }, undefined, 2)}\n`);
}

export function readFigures(): Figures {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Figures;
}
