/** Combines two simulations of one transaction. Shared by chains whose nodes report what a simulation moves. */
import type { Summary } from '../approval/summary.ts';

/**
 * `differs`: two runs had different outcomes. `untried`: the node refused to run it, because of earlier
 * pending transactions or for a reason of its own.
 */
export type Outcome = 'differs' | 'untried';

export interface Change {
  /** Absent for the coin. */
  token?: string | undefined;
  amount: bigint;
  /** It counts items of a collection. */
  items?: boolean | undefined;
  /** Which one, if it is only one. */
  id?: bigint | undefined;
  direction: 'in' | 'out';
  /** The runs did not agree to the last digit: this is the worse figure of the two. */
  worse?: boolean | undefined;
}

export interface TrialRun {
  willFail?: string | undefined;
  /** By asset: items of a collection are one each. */
  moves: Map<string, Move>;
}

/** The net of an asset's transfers for the wallet, and who is on the other end. */
export interface Move extends Pick<Transfer, 'token' | 'id'> {
  sum: bigint;
  parties: Set<string>;
}

export interface Transfer {
  /** Lower-case address; empty for the coin. */
  token: string;
  from: string;
  to: string;
  amount: bigint;
  /** Of an item of a collection. */
  id?: bigint | undefined;
}

export interface Log {
  address: string;
  topics: string[];
  data: string;
}

/** `Transfer(address,address,uint256)` */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** ERC-1155's `TransferSingle` and `TransferBatch`, with what their data holds. */
const ITEM_TRANSFERS: Readonly<Record<string, readonly string[]>> = {
  '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62': ['uint256', 'uint256'],
  '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb': ['uint256[]', 'uint256[]'],
};
/** Amounts that differ by more than one part in this many are different outcomes. */
const TOLERANCE = 100n;

/** Transfers of tokens (ERC-20) and of items (ERC-721, counted as one each, and ERC-1155). `coin` is where a node logs moves of the coin. */
export async function movesIn(logs: readonly Log[], coin?: string): Promise<Transfer[]> {
  const transfers: Transfer[] = [];
  for (const log of logs) {
    const token = log.address.toLowerCase();
    // In ERC-1155's events, who asked for the transfer comes before.
    const start = log.topics[0] === TRANSFER ? 1 : 2;
    const [from, to] = log.topics
      .slice(start, start + 2)
      .map((topic) => `0x${topic.slice(-40).toLowerCase()}`);
    if (from === undefined || to === undefined) continue;
    for (const moved of await movedBy(log))
      transfers.push({ token: token === coin ? '' : token, from, to, ...moved });
  }
  return transfers;
}

/** A contract may log anything: what is not written as the standards say moves nothing. */
async function movedBy({ topics, data }: Log): Promise<Pick<Transfer, 'amount' | 'id'>[]> {
  const [event = '', , , item] = topics;
  if (event === TRANSFER) {
    if (item !== undefined) return [{ id: BigInt(item), amount: 1n }];
    return /^0x[0-9a-f]{64}$/i.test(data) ? [{ amount: BigInt(data) }] : [];
  }
  const types = ITEM_TRANSFERS[event];
  if (!types) return [];
  const { decodeExactly } = await import('./abi.ts');
  try {
    const [ids, amounts] = decodeExactly(types, data).map((value) => [value].flat() as bigint[]);
    return ids!.map((id, i) => ({ id, amount: amounts![i] ?? 0n }));
  } catch {
    return [];
  }
}

/** For this wallet, by asset, without zero results. */
export function sumUp(wallet: string, transfers: readonly Transfer[]): Map<string, Move> {
  const me = wallet.toLowerCase();
  const moves = new Map<string, Move>();
  for (const { token, from, to, amount, id } of transfers) {
    if ((from === me) === (to === me)) continue;
    // One item is no substitute for another.
    const asset = id === undefined ? token : `${token}/${id}`;
    const move = moves.get(asset) ?? { token, id, sum: 0n, parties: new Set() };
    move.sum += from === me ? -amount : amount;
    move.parties.add([from, to].join());
    moves.set(asset, move);
  }
  for (const [asset, { sum }] of moves) if (sum === 0n) moves.delete(asset);
  return moves;
}

/** The worse figures if two runs nearly agree, none if they do not; the coin first. */
export function compareRuns(
  one: TrialRun,
  other: TrialRun,
): { outcome?: Outcome; willFail?: string | undefined; changes?: Change[] } {
  if ((one.willFail === undefined) !== (other.willFail === undefined)) return { outcome: 'differs' };
  if (one.willFail !== undefined) return { willFail: one.willFail };
  const changes: Change[] = [];
  for (const asset of new Set([...one.moves.keys(), ...other.moves.keys()])) {
    const [a, b] = [one.moves.get(asset), other.moves.get(asset)];
    if (!a || !b || !agree(a, b)) return { outcome: 'differs' };
    add(changes, changeOf(a, b));
  }
  changes.sort((a, b) => Number(b.token === undefined) - Number(a.token === undefined));
  return { changes };
}

function changeOf({ token, id, ...a }: Move, b: Move): Change {
  const sum = a.sum < b.sum ? a.sum : b.sum;
  return {
    ...(token && { token }),
    amount: magnitude(sum),
    ...(id !== undefined && { items: true, id }),
    direction: sum < 0n ? 'out' : 'in',
    ...(a.sum === b.sum ? {} : { worse: true }),
  };
}

/** Items of a collection that move the same way are counted together: a call may move thousands. */
function add(changes: Change[], change: Change): void {
  const { token, items, direction, amount, worse } = change;
  const same =
    items && changes.find((one) => one.items && one.token === token && one.direction === direction);
  if (!same) return void changes.push(change);
  same.amount += amount;
  same.worse ||= worse;
  delete same.id;
}

/** Same direction, same people, and nearly the same amount. */
function agree(a: Move, b: Move): boolean {
  const [x, y] = [magnitude(a.sum), magnitude(b.sum)];
  const [gap, larger] = x > y ? [x - y, x] : [y - x, y];
  return (
    a.sum < 0n === b.sum < 0n &&
    gap * TOLERANCE <= larger &&
    a.parties.size === b.parties.size &&
    [...a.parties].every((party) => b.parties.has(party))
  );
}

function magnitude(n: bigint): bigint {
  return n < 0n ? -n : n;
}

/** Whether the simulated balance changes are of other assets or directions than before, or a figure is worse by more than 1 %. */
export function worsened({ changes: before = [] }: Summary, { changes: after = [] }: Summary): boolean {
  if (before.length !== after.length) return true;
  return after.some(({ amount, direction }) => {
    const was = before.find((one) => one.amount.token === amount.token && one.direction === direction);
    if (!was) return true;
    const loss = direction === 'in' ? was.amount.raw - amount.raw : amount.raw - was.amount.raw;
    return loss * TOLERANCE > was.amount.raw;
  });
}
