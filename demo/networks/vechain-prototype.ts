/**
 * VeChain's built-in contract Prototype (builtin/gen/prototype.sol), which decides who pays for the users of a contract: credit plans,
 * users and sponsors. Only clauses can call it; a call by another contract reverts and says so.
 */
import { encodeBytes32String, getAddress, id, Interface, toBeHex, zeroPadValue } from 'ethers';

export const PROTOTYPE = '0x000000000000000000000050726f746f74797065';
const NOBODY = `0x${'00'.repeat(20)}`;

interface User {
  used: bigint;
  /** Seconds. */
  since: number;
}

interface Contract {
  master: string;
  credit: bigint;
  recovery: bigint;
  users: Map<string, User>;
  sponsors: Set<string>;
  sponsor: string;
}

export interface PrototypeEvent {
  address: string;
  topics: string[];
  data: string;
}

/** Result of a clause to Prototype: return data, or a revert reason. */
export type PrototypeOutcome = { data: string; events: PrototypeEvent[] } | { revert: string };

const FUNCTIONS = new Interface([
  'function master(address self) view returns (address)',
  'function setMaster(address self, address newMaster)',
  'function creditPlan(address self) view returns (uint256 credit, uint256 recoveryRate)',
  'function setCreditPlan(address self, uint256 credit, uint256 recoveryRate)',
  'function isUser(address self, address user) view returns (bool)',
  'function userCredit(address self, address user) view returns (uint256)',
  'function addUser(address self, address user)',
  'function removeUser(address self, address user)',
  'function sponsor(address self)',
  'function unsponsor(address self)',
  'function isSponsor(address self, address sponsor) view returns (bool)',
  'function selectSponsor(address self, address sponsor)',
  'function currentSponsor(address self) view returns (address)',
]);
const MASTER_EVENT = id('$Master(address)');

const word = (address: string): string => zeroPadValue(address.toLowerCase(), 32);

/** The node's event for a new contract. */
export function masterEvent(contract: string, master: string): PrototypeEvent {
  return { address: contract.toLowerCase(), topics: [MASTER_EVENT], data: word(master) };
}

export class Prototype {
  #contracts = new Map<string, Contract>();

  /** A snapshot to revert to. */
  get state(): unknown {
    return structuredClone(this.#contracts);
  }

  set state(earlier: unknown) {
    this.#contracts = earlier as Map<string, Contract>;
  }

  /** Records who deployed a contract. */
  make(contract: string, master: string): void {
    this.#at(contract).master = master.toLowerCase();
  }

  credit(contract: string, user: string, now: number): bigint {
    const { credit, recovery, users } = this.#at(contract);
    const found = users.get(user.toLowerCase());
    if (!found) return 0n;
    const recovered = BigInt(Math.max(0, now - found.since)) * recovery;
    return found.used > recovered ? credit - (found.used - recovered) : credit;
  }

  use(contract: string, user: string, used: bigint, now: number): void {
    const its = this.#at(contract);
    const left = this.credit(contract, user, now) - used;
    if (!its.users.has(user.toLowerCase())) return;
    its.users.set(user.toLowerCase(), { used: its.credit > left ? its.credit - left : 0n, since: now });
  }

  /** The selected sponsor of a contract, if it still sponsors. */
  sponsorOf(contract: string): string | undefined {
    const { sponsors, sponsor } = this.#at(contract);
    return sponsors.has(sponsor) ? sponsor : undefined;
  }

  call(caller: string, input: string, now: number): PrototypeOutcome {
    const found = FUNCTIONS.parseTransaction({ data: input });
    if (!found) return { revert: '' };
    const [self, ...rest] = (found.args.toArray() as unknown[]).map((value) =>
      typeof value === 'string' ? value.toLowerCase() : value,
    ) as [string, ...unknown[]];
    const its = this.#at(self);
    const from = caller.toLowerCase();
    const other = rest[0] as string;
    const events: PrototypeEvent[] = [];
    const tell = (signature: string, indexed: string[], data: string): void =>
      void events.push({ address: self, topics: [id(signature), ...indexed.map(word)], data });
    const answer = (...values: unknown[]): PrototypeOutcome => ({
      data: FUNCTIONS.encodeFunctionResult(found.name, values),
      events,
    });
    const marked = (signature: string, who: string, action: string): PrototypeOutcome => {
      tell(signature, [who], encodeBytes32String(action));
      return answer();
    };
    const USER = '$User(address,bytes32)';
    const SPONSOR = '$Sponsor(address,bytes32)';
    const isOwn = self === from || its.master === from;
    if (/^(set|addUser|removeUser|selectSponsor)/.test(found.name) && !isOwn)
      return { revert: 'builtin: self or master required' };
    switch (found.name) {
      case 'master':
        return answer(its.master);
      case 'setMaster':
        its.master = other;
        tell('$Master(address)', [], word(other));
        return answer();
      case 'creditPlan':
        return answer(its.credit, its.recovery);
      case 'setCreditPlan':
        [its.credit, its.recovery] = rest as [bigint, bigint];
        tell(
          '$CreditPlan(uint256,uint256)',
          [],
          toBeHex(its.credit, 32) + toBeHex(its.recovery, 32).slice(2),
        );
        return answer();
      case 'isUser':
        return answer(its.users.has(other));
      case 'userCredit':
        return answer(this.credit(self, other, now));
      case 'addUser':
        if (other === NOBODY) return { revert: 'builtin: invalid user' };
        if (its.users.has(other)) return { revert: 'builtin: already added' };
        its.users.set(other, { used: 0n, since: now });
        return marked(USER, other, 'added');
      case 'removeUser':
        if (!its.users.delete(other)) return { revert: 'builtin: not a user' };
        return marked(USER, other, 'removed');
      case 'sponsor':
        if (its.sponsors.has(from)) return { revert: 'builtin: already sponsored' };
        its.sponsors.add(from);
        return marked(SPONSOR, from, 'sponsored');
      case 'unsponsor':
        if (!its.sponsors.delete(from)) return { revert: 'builtin: not sponsored' };
        return marked(SPONSOR, from, 'unsponsored');
      case 'isSponsor':
        return answer(its.sponsors.has(other));
      case 'selectSponsor':
        if (!its.sponsors.has(other)) return { revert: 'builtin: not a sponsor' };
        its.sponsor = other;
        return marked(SPONSOR, other, 'selected');
      default:
        return answer(getAddress(its.sponsor));
    }
  }

  #at(contract: string): Contract {
    const key = contract.toLowerCase();
    let found = this.#contracts.get(key);
    if (!found) {
      found = {
        master: NOBODY,
        credit: 0n,
        recovery: 0n,
        users: new Map(),
        sponsors: new Set(),
        sponsor: NOBODY,
      };
      this.#contracts.set(key, found);
    }
    return found;
  }
}
