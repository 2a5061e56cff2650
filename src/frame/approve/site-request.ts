/** Turns a site's request into the order for an approval. */
import type { Draft, Known, ParsedRequest, Signed } from '../../chains/terms.ts';
import type { HostRequest } from '../../channel/link.ts';
import type { Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { LimitOffer } from './drawing/limit-field.ts';
import type { Entry, Order, OrderSource } from './order.ts';
import { assertNew, assertSingle, knownTo, type Prepared } from './prepare.ts';

export function orderOf(frame: Frame, task: HostRequest, prepared: Prepared, record: RequestRecord): Order {
  const { vault, wallet, chain, node, email, paid } = prepared;
  const source = new SiteRequest(frame, prepared, record);
  return { task, vault, wallet, chain, node, email, paid, source };
}

/** A request's journal entry, to which each transaction is added once it is signed. A list has one entry for all. */
export class RequestRecord {
  readonly #frame: Frame;
  readonly #vault: Vault;
  entry: Entry;

  constructor(frame: Frame, vault: Vault, entry: Entry) {
    this.#frame = frame;
    this.#vault = vault;
    this.entry = entry;
  }

  async add(signed: Signed): Promise<void> {
    if (!this.entry.signed.length) await assertNew(this.#frame, this.#vault, this.entry.requestId);
    await assertSingle(this.#vault, signed);
    this.entry = { ...this.entry, signed: [...this.entry.signed, signed] };
    await this.#vault.journal.put(this.entry);
  }
}

/** A site's request, alone or as part of a list. */
class SiteRequest implements OrderSource {
  readonly #frame: Frame;
  readonly #prepared: Prepared;
  readonly #record: RequestRecord;
  /** As received from the site, until the user limits it. */
  #request: ParsedRequest;
  #known: Promise<Known> | undefined;

  constructor(frame: Frame, prepared: Prepared, record: RequestRecord) {
    this.#frame = frame;
    this.#prepared = prepared;
    this.#record = record;
    this.#request = prepared.request;
  }

  get entry(): Entry {
    return this.#record.entry;
  }

  async draft(): Promise<Draft> {
    const { vault, wallet, chain, node } = this.#prepared;
    this.#known ??= knownTo(this.#frame, vault, wallet);
    return chain.prepare(this.#request, wallet.address, node, await this.#known);
  }

  keep(signed: Signed): Promise<void> {
    return this.#record.add(signed);
  }

  async limit(offer: Pick<LimitOffer, 'allowed' | 'clause'>, amount = offer.allowed): Promise<boolean> {
    const { limited } = await import('./limit.ts');
    const next = limited(this.#request, offer, amount);
    if (next) this.#request = next;
    return next !== undefined;
  }
}
