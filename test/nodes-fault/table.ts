/** The table of what becomes of each call, on each chain, by each fault: with the faulty node alone, and with a good one after it. */
import type { SecretType } from '../../src/chains/secret-type.ts';
import { CALLS, type CallRow } from './calls.ts';
import { FAULTS, type FaultRow, ofSending } from './faults.ts';
import { type Outcome, textOf, type Word, wrong } from './outcomes.ts';
import { type Place, type Places, startPlaces } from './places.ts';
import { HONEST } from './proxy.ts';

const SETUPS = ['alone', 'second'] as const;
type Setup = (typeof SETUPS)[number];

interface Cell {
  secretType: SecretType;
  call: string;
  fault: string;
  setup: Setup;
  outcome: Outcome;
}

/** Everything where a list is absent. */
export interface Selection {
  chains?: readonly SecretType[];
  calls?: readonly string[];
  faults?: readonly string[];
}

export class FaultTable {
  readonly cells: Cell[] = [];

  private constructor(readonly see: (cell: Cell) => void) {}

  static async of(
    { chains, calls = Object.keys(CALLS), faults = Object.keys(FAULTS) }: Selection,
    see: (cell: Cell) => void = () => {},
  ): Promise<FaultTable> {
    const table = new FaultTable(see);
    const places = await startPlaces(chains);
    try {
      await Promise.all(places.places.map((place) => table.#fill(places, place, calls, faults)));
    } finally {
      await places.close();
    }
    return table;
  }

  /** What breaks the rule, each in a line. */
  get broken(): string[] {
    return this.cells
      .filter(({ outcome: { word }, setup, fault }) => {
        if (word === 'wrong') return true;
        const { isBehind, isLying } = FAULTS[fault]?.() ?? {};
        const isEnough =
          word === 'right' || (word === 'behind' && isBehind) || (word === 'unknown' && isLying);
        return setup === 'second' && !isEnough;
      })
      .map(
        ({ secretType, call, fault, setup, outcome: { word, why } }) =>
          `${secretType}, ${call}, ${fault}, ${setup}: ${word}${why === undefined ? '' : `: ${why}`}`,
      );
  }

  /** A row for each fault, a column for each call: `alone | with a second node`. */
  get text(): string {
    const chains = [...new Set(this.cells.map(({ secretType }) => secretType))].sort();
    return chains.map((chain) => this.#textOf(chain)).join('\n\n');
  }

  #textOf(secretType: SecretType): string {
    const own = this.cells.filter((cell) => cell.secretType === secretType);
    const calls = Object.keys(CALLS).filter((call) => own.some((cell) => cell.call === call));
    const faults = Object.keys(FAULTS).filter((fault) => own.some((cell) => cell.fault === fault));
    const wordOf = (call: string, fault: string, setup: Setup): string =>
      own.find((cell) => cell.call === call && cell.fault === fault && cell.setup === setup)?.outcome.word ??
      '';
    const rows = faults.map((fault) => [
      fault,
      ...calls.map((call) =>
        SETUPS.map((setup) => wordOf(call, fault, setup))
          .filter(Boolean)
          .join(' | '),
      ),
    ]);
    const all = [[secretType, ...calls], ...rows];
    const widths = all[0]!.map((_, i) => Math.max(...all.map((row) => row[i]!.length)));
    const lines = all.map((row) =>
      row
        .map((text, i) => text.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    );
    const words = new Map<Word, number>();
    for (const { outcome } of own) words.set(outcome.word, (words.get(outcome.word) ?? 0) + 1);
    return [...lines, [...words].map(([word, count]) => `${count} ${word}`).join(', ')].join('\n');
  }

  #add(cell: Cell): void {
    this.cells.push(cell);
    this.see(cell);
  }

  async #fill(
    places: Places,
    place: Place,
    calls: readonly string[],
    faults: readonly string[],
  ): Promise<void> {
    for (const fault of faults)
      for (const call of calls)
        for (const setup of SETUPS) {
          const row = FAULTS[fault]!();
          if (!isMeant(place, CALLS[call]!, row, setup)) continue;
          const outcome = await outcomeOf(places, place, { call: CALLS[call]!, row, setup });
          this.#add({ secretType: place.secretType, call, fault, setup, outcome });
        }
    await this.#checkPayments(place);
  }

  /** Nothing arrives twice, however late. */
  async #checkPayments(place: Place): Promise<void> {
    await place.mine();
    for (const [address, amount] of place.paid) {
      const raw = await place.raw(address);
      if (raw !== amount)
        this.#add({
          secretType: place.secretType,
          call: 'execute',
          fault: 'all',
          setup: 'alone',
          outcome: wrong(`${raw} arrived at ${address} instead of ${amount}`),
        });
    }
  }
}

function isMeant(place: Place, call: CallRow, row: FaultRow, setup: Setup): boolean {
  if (call.isOn && !call.isOn(place)) return false;
  if (row.of && (row.of === 'rpc') !== place.api.isRpc) return false;
  if (row.isOfSending && !call.isSending) return false;
  if (call.isSending && row.isClosed) return false;
  if (call.isReorganised !== row.isReorganisation) return false;
  return !(row.needsTwo && setup === 'alone');
}

interface Question {
  call: CallRow;
  row: FaultRow;
  setup: Setup;
}

async function outcomeOf({ proxy }: Places, place: Place, { call, row, setup }: Question): Promise<Outcome> {
  const { api, url } = place;
  await call.settle?.(place);
  const role = call.isDeposits ? 'deposits' : 'calls';
  const fault = (call.isSending && !row.isOfSending ? ofSending(row) : row.fault)(api);
  const first = row.isClosed ? await proxy.closedNode(url) : proxy.node(url, row.before?.(api) ?? fault);
  const second = proxy.node(url, row.second?.(api) ?? HONEST);
  const heal = async (): Promise<void> => {
    await first.become(HONEST);
    await second.become(HONEST);
  };
  const scene = { place, isBehind: row.isBehind === true, isAlone: setup === 'alone', heal };
  place.through(setup === 'alone' ? [first.url] : [first.url, second.url], role);
  try {
    if (row.before) {
      const before = await call.ask({ ...scene, isBehind: false, heal: async () => {} });
      if (before.word !== 'right') return wrong(`before the fault: ${textOf(before)}`);
      await call.change?.(place);
      await first.become(fault);
    }
    return await call.ask(scene);
  } catch (error) {
    return wrong(textOf((error as Error).message));
  } finally {
    await heal();
    place.through([url], role);
  }
}
