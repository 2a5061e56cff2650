/** Finds Bitcoin wallets in the browser: by Wallet Standard, and by the list of sats-connect. */
import type { SatsConnect } from './sats-connect.ts';
import type { Add, Announcement } from './types.ts';
import type { StandardWallet } from './wallet-standard.ts';

/** https://github.com/secretkeylabs/sats-connect-core/blob/main/src/provider/types.ts */
interface Listed {
  /** Its path from `window`: `XverseProviders.BitcoinProvider`. */
  id?: unknown;
  name?: unknown;
  icon?: unknown;
}

/** Returns a function that looks again: the list has no event. */
export function findBitcoin(add: Add): () => void {
  const register = (...wallets: StandardWallet[]) => {
    for (const wallet of wallets) addStandard(add, wallet);
    return () => {};
  };
  // https://github.com/wallet-standard/wallet-standard/blob/master/packages/core/app/src/wallets.ts
  addEventListener('wallet-standard:register-wallet', (event) => {
    const { detail } = event as CustomEvent;
    if (typeof detail === 'function') detail({ register });
  });
  dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }));

  const look = (): void => {
    const { btc_providers: list } = window as { btc_providers?: unknown };
    if (Array.isArray(list)) for (const each of list as Listed[]) addListed(add, each ?? {});
  };
  look();
  return look;
}

function addListed(add: Add, { id, name, icon }: Listed): void {
  if (typeof id !== 'string') return;
  const provider = id
    .split('.')
    .reduce<unknown>((owner, part) => (owner as Record<string, unknown> | undefined)?.[part], window);
  if (isSatsConnect(provider))
    addSatsConnect(add, `sats-connect ${id.slice(0, 128)}`, provider, { name, icon });
}

function addStandard(add: Add, wallet: StandardWallet): void {
  const { name, icon, features } = wallet ?? {};
  if (typeof features !== 'object' || !features) return;
  const by = `wallet-standard ${String(name).slice(0, 128)}`;
  const { provider } = (features['sats-connect:'] ?? {}) as { provider?: unknown };
  if (isSatsConnect(provider)) return addSatsConnect(add, by, provider, { name, icon });
  const { connect } = (features['bitcoin:connect'] ?? {}) as { connect?: unknown };
  if (typeof connect !== 'function') return;
  add(wallet, { by, name, icon, secretTypes: ['BITCOIN'] }, async (shown, host) =>
    (await import('./wallet-standard.ts')).openWalletStandard(wallet, shown, host),
  );
}

function addSatsConnect(
  add: Add,
  by: string,
  provider: SatsConnect,
  announced: Pick<Announcement, 'name' | 'icon'>,
): void {
  add(provider, { by, ...announced, secretTypes: ['BITCOIN'] }, async (shown, host) =>
    (await import('./sats-connect.ts')).openSatsConnect(provider, shown, host),
  );
}

function isSatsConnect(provider: unknown): provider is SatsConnect {
  return typeof (provider as SatsConnect | undefined)?.request === 'function';
}
