/** What can go wrong with a swap between chains, to be tried by hand on the demo's THORChain. */
import type { LocalThorchain } from './index.ts';

/** By name, what a tester sees it as. */
export const TROUBLES = {
  'trading-halted': 'trading on the chain is halted: nothing is offered',
  'signing-halted': 'the chain pays nothing out: nothing is offered to it, and what is on its way waits',
  'nodes-differ': 'the second node names another vault: nothing is offered',
  'node-down': 'one of the two nodes does not answer: nothing is offered',
  'new-vault': 'another vault takes over: what was offered before needs a new offer',
  refund: 'trading is halted as soon as the coins are seen: they come back',
} as const;
export type Trouble = keyof typeof TROUBLES;

/** `chain`: as in asset names, `BTC`. */
export interface TroubleOrder {
  trouble: Trouble | null;
  chain: string;
}

const SOME_KEY = 'tthorpub1addwnpepqdemo';

/** Begins one trouble; the one before it ends. Throws for what is no trouble or no chain of it. */
export async function makeTrouble(
  thorchain: LocalThorchain,
  { trouble, chain }: TroubleOrder,
): Promise<void> {
  if (trouble !== null && !Object.hasOwn(TROUBLES, trouble))
    throw new Error(`trouble: must be null or one of ${Object.keys(TROUBLES).join(', ')}`);
  const running = await thorchain.running();
  const { mimir } = running.books;
  if (!running.sides.some(({ name }) => name === chain)) throw new Error('chain: is none of THORChain here');
  const [, second] = thorchain.nodes;
  for (const name of mimir.keys()) if (name.startsWith('HALT')) mimir.delete(name);
  running.engine.onDeposit = () => {};
  second.down = false;
  second.change = (_, body) => body;
  switch (trouble) {
    case 'trading-halted':
      mimir.set(`HALT${chain}TRADING`, 1);
      break;
    case 'signing-halted':
      mimir.set(`HALTSIGNING${chain}`, 1);
      break;
    case 'nodes-differ':
      second.change = (path, body) =>
        path === 'inbound_addresses'
          ? (body as { address: string }[]).map((inbound) => ({
              ...inbound,
              address: `${inbound.address}x`,
              pub_key: SOME_KEY,
            }))
          : body;
      break;
    case 'node-down':
      second.down = true;
      break;
    case 'new-vault':
      await running.churn();
      break;
    case 'refund':
      running.engine.onDeposit = () => void mimir.set(`HALT${chain}TRADING`, 1);
      break;
  }
}
