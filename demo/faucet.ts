/** `POST /faucet`: test coins for one address. */
import { isAddress } from 'ethers';
import * as z from 'zod';
import { FAUCET_ASSETS, type LocalEthereum } from './networks/ethereum.ts';

const Body = z.strictObject({
  address: z.string().refine(isAddress, 'not an Ethereum address'),
  token: z.enum(FAUCET_ASSETS).default('ETH'),
});

/** Gifts to one address in a window of time. */
const LIMIT = 10;
const WINDOW = 60_000;

export interface FaucetAnswer {
  status: 200 | 400 | 429 | 502;
  body: { transactionHash: string } | { error: string };
}

export class Faucet {
  readonly #given = new Map<string, number[]>();

  constructor(private readonly ethereum: Pick<LocalEthereum, 'give'>) {}

  async answer(text: string): Promise<FaucetAnswer> {
    const parsed = Body.safeParse(parse(text));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return { status: 400, body: { error: `${issue?.path.join('.') || 'body'}: ${issue?.message}` } };
    }
    const { address, token } = parsed.data;
    if (!this.#allow(address.toLowerCase()))
      return { status: 429, body: { error: 'This address had enough for now. Try again in a minute.' } };
    try {
      return { status: 200, body: { transactionHash: await this.ethereum.give(token, address) } };
    } catch (error) {
      return { status: 502, body: { error: (error as Error).message } };
    }
  }

  #allow(address: string): boolean {
    const now = Date.now();
    const recent = (this.#given.get(address) ?? []).filter((at) => now - at < WINDOW);
    if (recent.length >= LIMIT) return false;
    this.#given.set(address, [...recent, now]);
    return true;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
