/** Runs in Chromium: the time from the PIN to a signature, and the time of argon2id alone. */
import { loadChain, loadPayloads } from '../../src/chains/index.ts';
import type { Network } from '../../src/chains/network.ts';
import { openVault } from '../../src/wallets/vault.ts';
import { COST, hashPin } from '../../src/wallets/pin-hash.ts';

const PIN = '482915';

declare global {
  interface Window {
    measure: (network: Network, turns: number) => Promise<{ signature: number[]; argon2id: number[] }>;
  }
}

window.measure = async (network, turns) => {
  const vault = await openVault();
  const created = await vault.create(PIN);
  const wallet = await vault.createWallet(created, 'ETHEREUM');
  created.close();
  const chain = await loadChain('ETHEREUM');
  const { parse } = await loadPayloads('ETHEREUM');
  const request = parse({ type: 'ETH_TRANSACTION', walletId: wallet.id, to: wallet.address, value: '0' });
  const known = { used: [], own: [], reported: [] };
  const draft = await chain.prepare(request, wallet.address, chain.node(network), known);
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const times: { signature: number[]; argon2id: number[] } = { signature: [], argon2id: [] };
  for (let turn = 0; turn < turns; turn++) {
    const started = performance.now();
    await hashPin(PIN, salt, COST);
    const hashed = performance.now();
    const unlocked = await vault.unlock(PIN);
    await chain.sign(draft, await unlocked.key(wallet.id));
    unlocked.close();
    times.argon2id.push(hashed - started);
    times.signature.push(performance.now() - hashed);
  }
  return times;
};
