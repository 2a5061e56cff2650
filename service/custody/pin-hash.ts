/** argon2id of a PIN. It runs on libuv's threads, of which Node has four for everything. */
import { availableParallelism } from 'node:os';
import { hashRaw } from '@node-rs/argon2';
import * as z from 'zod';
import { Semaphore } from '../concurrency/semaphore.ts';

/** `memory` in KiB. */
export const Cost = z.strictObject({
  memory: z.int().min(8).max(1_048_576),
  iterations: z.int().min(1).max(100),
  parallelism: z.int().min(1).max(16),
});
export type Cost = z.infer<typeof Cost>;

/** The browser vault's (RFC 9106). PINs are short: it is the limit on tries and the master key that protect them. */
export const COST: Cost = { memory: 65_536, iterations: 3, parallelism: 1 };

const ARGON2ID = 2;

/** PINs that may wait to be hashed; further ones are refused at once, as their callers would give up before an answer. */
export const MAX_WAITING = 100;

/**
 * However many PINs arrive at once, at most three are hashed at a time, and one core is left to everything else: with all cores busy, a
 * request without a PIN would wait for those with one.
 */
export function hashSemaphore(cores?: number): Semaphore {
  return new Semaphore(hashesAtATime(cores));
}

/** For tries. Beside each that is hashed another reads its row and counts itself, so that no core waits for the database. */
export function trySemaphore(): Semaphore {
  return new Semaphore(2 * hashesAtATime(), MAX_WAITING);
}

function hashesAtATime(cores = availableParallelism()): number {
  return Math.max(1, Math.min(3, cores - 1));
}

/** Returns 32 bytes; overwrite them after use. */
export function hashPin(pin: string, salt: Uint8Array, cost: Cost): Promise<Buffer> {
  return hashRaw(pin, {
    algorithm: ARGON2ID,
    salt,
    memoryCost: cost.memory,
    timeCost: cost.iterations,
    parallelism: cost.parallelism,
    outputLen: 32,
  });
}
