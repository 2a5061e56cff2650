/** The types of scenarios. A payload is what the editor shows and the page runs. */
import type { SecretType } from '../../../src/chains/secret-type.ts';
import type { TroubleOrder } from '../../networks/thorchain/trouble.ts';
import type { ChainSettings } from '../settings.ts';

/** `action` names the action; the rest are its fields. `walletId` defaults to the chosen wallet. */
export interface Payload {
  action: string;
  [field: string]: unknown;
}

/** What is known about the scenario's chain and the chosen wallet. */
export interface Context extends ChainSettings {
  /** Token id of the latest NFT ticket from the faucet; undefined without one. */
  ticket: string | undefined;
  /** Undefined while there is no wallet. */
  address?: string | undefined;
}

export interface Scenario {
  id: string;
  title: string;
  /** What to do, and what must happen. */
  hint: string;
  payload: (context: Context) => Payload;
  /** Whose wallets it is for; the user's if absent. */
  holder?: 'shop';
  /** Takes the node offline before it runs. */
  nodeDown?: boolean;
  /** What is wrong with THORChain while it runs. */
  trouble?: TroubleOrder;
  /** Code of the error with which it must end. */
  fails?: string;
}

export interface Group {
  title: string;
  scenarios: Scenario[];
}

/** What is specific to a chain; linking, managing and most reads are the same for all (`index.ts`). */
export interface ChainScenarios {
  secretType: SecretType;
  /** The button's label for each asset of the faucet. */
  faucet: Record<string, string>;
  transfer: Scenario[];
  transaction: Scenario[];
  sign: Scenario[];
  read: Scenario[];
  badInput: Scenario[];
}

/** UTF-8 as `0x` hex. */
export function hex(text: string): string {
  return `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
