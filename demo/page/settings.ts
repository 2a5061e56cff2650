/** What the demo's server tells the page about the local networks and the wallet's origin. */
import type { Network } from '../../src/chains/network.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import type { TroubleOrder } from '../networks/thorchain/trouble.ts';

export interface ChainSettings {
  network: Network;
  /** Addresses, by the faucet's names for them. */
  contracts: Readonly<Record<string, string>>;
  /** The faucet's assets. */
  faucet: readonly string[];
  /** The node is offline. */
  down: boolean;
  /** An address on the wallet's list of reported ones. */
  reported: string;
}

export interface Settings {
  /** The wallet service runs with the demo. */
  service: boolean;
  /** Base URL of the docs; absent if they are not served beside the demo. */
  docs?: string;
  chains: { [secretType in SecretType]?: ChainSettings };
}

/** Posts to the demo's own server. Errors of the wallet service come back unchanged, with their `code`. */
export async function post(path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const json = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw Object.assign(new Error(String(json['error'] ?? json['message'])), json);
  return json;
}

export async function loadSettings(): Promise<Settings> {
  return (await fetch('/settings.json')).json() as Promise<Settings>;
}

export interface Gift {
  transactionHash: string;
  /** For an NFT. */
  tokenId?: string;
}

export async function getFromFaucet(secretType: SecretType, address: string, asset: string): Promise<Gift> {
  return (await post('/faucet', { secretType, address, asset })) as unknown as Gift;
}

export async function setNodeDown(secretType: SecretType, down: boolean): Promise<void> {
  await post('/node', { secretType, down });
}

export async function makeTrouble(order: TroubleOrder): Promise<void> {
  await post('/trouble', order);
}

/** The URL of the page's script tag, as any page would have it. */
export function connectScript(): string {
  return document.querySelector<HTMLScriptElement>('script[src$="/connect.js"]')!.src;
}
