/** What the demo's server says about the local network, and where the wallet comes from. */
import type { Network } from '../../src/chains/network.ts';

export type Asset = 'ETH' | 'DUSD' | 'DCENT' | 'NFT' | 'ITEM';

export interface Settings {
  contracts: Record<Exclude<Asset, 'ETH'>, string>;
  faucet: Asset[];
  network: Network;
  /** An address on the wallet's list of reported ones. */
  reported: string;
}

async function post(path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const json = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(String(json['error']));
  return json;
}

export async function loadSettings(): Promise<Settings> {
  return (await fetch('/settings.json')).json() as Promise<Settings>;
}

/** Answers the transaction's hash. */
export async function getFromFaucet(address: string, token: Asset): Promise<string> {
  return String((await post('/faucet', { address, token }))['transactionHash']);
}

export async function setNodeDown(down: boolean): Promise<void> {
  await post('/node', { down });
}

/** The script tag that the page carries: any page would. */
export function connectScript(): string {
  return document.querySelector<HTMLScriptElement>('script[src$="/connect.js"]')!.src;
}
