/** Combines two simulations of one transaction. Shared by chains whose nodes report what a simulation moves. */

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
  direction: 'in' | 'out';
  /** The runs did not agree to the last digit: this is the worse figure of the two. */
  worse?: boolean | undefined;
}

export interface TrialRun {
  willFail?: string | undefined;
  /** By lower-case address; the coin's key is empty. */
  moves: Map<string, Move>;
}

/** The net of an asset's transfers for the wallet, and who is on the other end. */
export interface Move {
  sum: bigint;
  /** All of them are of items. */
  items: boolean;
  parties: Set<string>;
}

export interface Transfer {
  /** Empty for the coin. */
  token: string;
  from: string;
  to: string;
  amount: bigint;
  /** Of an item of a collection. */
  id?: string | undefined;
}

export interface Log {
  address: string;
  topics: string[];
  data: string;
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Amounts of two runs that differ by more than one part in this many count as different outcomes. */
const TOLERANCE = 100n;

/** Transfers of tokens (ERC-20) and of items (ERC-721, counted as one each). `coin` is where a node logs moves of the coin. */
export function movesIn(logs: readonly Log[], coin?: string): Transfer[] {
  return logs.flatMap(({ address, topics, data }) => {
    if (topics[0] !== TRANSFER || topics.length < 3) return [];
    const id = topics[3];
    // A contract may log anything.
    if (id === undefined && !/^0x[0-9a-f]{64}$/i.test(data)) return [];
    const [from, to] = [topics[1]!, topics[2]!].map((topic) => `0x${topic.slice(-40).toLowerCase()}`);
    const token = address.toLowerCase();
    const amount = id === undefined ? BigInt(data) : 1n;
    return [{ token: token === coin ? '' : token, from: from!, to: to!, amount, id }];
  });
}

/** For this wallet, by asset, without zero results. */
export function sumUp(wallet: string, transfers: readonly Transfer[]): Map<string, Move> {
  const me = wallet.toLowerCase();
  const moves = new Map<string, Move>();
  for (const { token, from, to, amount, id } of transfers) {
    if ((from === me) === (to === me)) continue;
    const move = moves.get(token) ?? { sum: 0n, items: true, parties: new Set() };
    move.sum += from === me ? -amount : amount;
    move.items &&= id !== undefined;
    move.parties.add([from, to, id].join());
    moves.set(token, move);
  }
  for (const [token, { sum }] of moves) if (sum === 0n) moves.delete(token);
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
  for (const token of new Set([...one.moves.keys(), ...other.moves.keys()])) {
    const [a, b] = [one.moves.get(token), other.moves.get(token)];
    if (!a || !b || !agree(a, b)) return { outcome: 'differs' };
    const sum = a.sum < b.sum ? a.sum : b.sum;
    changes.push({
      ...(token && { token }),
      amount: magnitude(sum),
      ...(a.items && b.items && { items: true }),
      direction: sum < 0n ? 'out' : 'in',
      ...(a.sum === b.sum ? {} : { worse: true }),
    });
  }
  changes.sort((a, b) => Number(b.token === undefined) - Number(a.token === undefined));
  return { changes };
}

/** Same direction, same people and items, and nearly the same amount. */
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
