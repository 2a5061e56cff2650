/**
 * Networks that `networks.json` names instead of describing them: `"presets": ["ethereum", "base"]`. Each is a file of `presets/`, and an
 * entry of `networks` with the same id replaces those of its fields that it has.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Network } from '../../src/chains/network.ts';

export const PRESETS = join(import.meta.dirname, 'presets');

/** A file of `presets/`: a network, and how it is known. */
export type Preset = Network & {
  /** Documents that its facts are from. */
  source: string[];
  /** When they were read: `2026-11-30`. */
  date: string;
  /** When its nodes were last asked for them (`npm run check-presets`), or `not verified`. */
  checked: string;
};

/** What an entry may not replace: everything else of the preset would be another network's. */
const IDENTITY = ['secretType', 'kind', 'chainId', 'genesis'] as const;

type Entry = Record<string, unknown>;

export function presetNames(): string[] {
  return readdirSync(PRESETS)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

export function readPreset(name: string): Preset {
  return JSON.parse(readFileSync(join(PRESETS, `${name}.json`), 'utf8')) as Preset;
}

/**
 * The content of a `networks.json` with the networks of its presets: those first, in the order of `presets`, then the others of `networks`.
 * What is no object, or has a field of another form, is left to the schema. Throws an error for a preset that is unknown or named twice,
 * and for an entry that makes another network of one.
 */
export function withPresets(content: unknown): unknown {
  if (!isEntry(content) || content['presets'] === undefined) return content;
  const { presets, networks = [], ...rest } = content;
  if (!Array.isArray(presets)) throw new Error('presets must be a list of names: ["ethereum", "base"]');
  if (!Array.isArray(networks)) return content;
  const names = checkedNames(presets);
  const entries = (networks as unknown[]).filter(isEntry);
  return {
    ...rest,
    networks: [
      ...names.map((name) => merged(readPreset(name), ofId(entries, name))),
      ...networks.filter((entry) => !isEntry(entry) || !names.includes(entry['id'] as string)),
    ],
  };
}

function checkedNames(presets: readonly unknown[]): string[] {
  const offeredNames = presetNames();
  const names = presets.map(String);
  for (const [i, name] of names.entries()) {
    if (!offeredNames.includes(name))
      throw new Error(`there is no preset “${name}”; there are ${offeredNames.join(', ')}`);
    if (names.indexOf(name) < i) throw new Error(`presets has “${name}” twice`);
  }
  return names;
}

const ofId = (entries: readonly Entry[], id: string): Entry[] =>
  entries.filter((entry) => entry['id'] === id);

function merged(file: Preset, entries: readonly Entry[]): Entry {
  const { source: _, date: __, checked: ___, ...preset } = file;
  const [entry, another] = entries;
  if (another) throw new Error(`networks has “${preset.id}” twice`);
  for (const field of IDENTITY) {
    const value = entry?.[field];
    if (value !== undefined && value !== preset[field])
      throw new Error(
        `${field} of the network “${preset.id}” is ${JSON.stringify(value)}, but the preset with this id is of ${JSON.stringify(preset[field])}: leave the field out, or give the network another id`,
      );
  }
  return { ...preset, ...entry };
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
