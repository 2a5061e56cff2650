/** `POST /faucet`: test coins and tokens for one address. */
import * as z from 'zod';
import { loadChain } from '../src/chains/index.ts';
import { toIssues } from '../src/chains/requests/payloads.ts';
import { SECRET_TYPES, type SecretType } from '../src/chains/secret-type.ts';
import type { LocalNetwork } from './networks/local-network.ts';

const Body = z.strictObject({
  secretType: z.enum(SECRET_TYPES),
  address: z.string(),
  /** One of the network's `assets`; defaults to the coin. */
  asset: z.string().optional(),
});

/** Rate limit per address: gifts within a window of time. */
const LIMIT = 10;
const WINDOW = 60_000;

export interface FaucetAnswer {
  status: 200 | 400 | 429 | 502;
  body: { transactionHash: string; tokenId?: string | undefined } | { error: string };
}

export class Faucet {
  readonly #given = new Map<string, number[]>();

  constructor(private readonly local: ReadonlyMap<SecretType, LocalNetwork>) {}

  async answer(text: string): Promise<FaucetAnswer> {
    const parsed = Body.safeParse(parse(text));
    if (!parsed.success) {
      const [issue] = parsed.error.issues.flatMap(toIssues);
      return refused(`${issue!.path || 'body'}: ${issue!.message}`);
    }
    const { secretType, address, asset } = parsed.data;
    const local = this.local.get(secretType);
    if (!local) return refused('secretType: has no local network here');
    const { name, kind } = local.network;
    if (asset !== undefined && !local.assets.includes(asset))
      return refused(`asset: must be one of ${local.assets.join(', ')}`);
    const chain = await loadChain(secretType);
    if (!chain.isAddress(address, kind)) return refused(`address: is not an address of ${name}`);
    if (!this.#allow(`${secretType} ${address.toLowerCase()}`))
      return { status: 429, body: { error: 'This address had enough for now. Try again in a minute.' } };
    try {
      const transactionHash = await local.give(asset ?? local.assets[0]!, address);
      const tokenId = asset === 'NFT' ? await local.ticketOf?.(transactionHash) : undefined;
      return { status: 200, body: { transactionHash, tokenId } };
    } catch (error) {
      return { status: 502, body: { error: (error as Error).message } };
    }
  }

  #allow(who: string): boolean {
    const now = Date.now();
    const recent = (this.#given.get(who) ?? []).filter((at) => now - at < WINDOW);
    if (recent.length >= LIMIT) return false;
    this.#given.set(who, [...recent, now]);
    return true;
  }
}

function refused(error: string): FaucetAnswer {
  return { status: 400, body: { error } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
