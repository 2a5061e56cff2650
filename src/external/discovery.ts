/**
 * Which external wallets this browser has. They are looked for when somebody is about to link one, never before: the result reveals to the
 * page which extensions its visitor uses.
 */
import { inertText } from '../base/text.ts';
import { PROVIDER_MARK } from '../base/provider-mark.ts';
import type { Eip1193 } from './eip1193.ts';
import { findSuperhero } from './superhero-messages.ts';
import type { TronProvider } from './tron.ts';
import type { Add, Found, Announcement } from './types.ts';
import type { VechainProvider } from './vechain.ts';
import type { SatsConnect } from './sats-connect.ts';
import type { StandardWallet } from './wallet-standard.ts';

export interface Discovery {
  found(): readonly Found[];
  /** Called for each further wallet. Returns a function that unsubscribes. */
  onFound(listener: () => void): () => void;
}

const TRONLINK = 'TronLink';
const VEWORLD = 'VeWorld';

/** No browser has more wallets: further ones would be fakes by the page. */
const MAX = 32;
/** Maximum length of a name in the chooser. */
const NAME = 32;
/** Maximum length of a picture's URI; one of 128 pixels takes a quarter of that. */
const MAX_ICON = 200_000;

let started: Discovery | undefined;

/** One per page, which listens for as long as the page lives. */
export function discover(): Discovery {
  return (started ??= start());
}

function start(): Discovery {
  const all = new Map<unknown, Found>();
  const listeners = new Set<() => void>();

  /** `key` identifies a wallet that announces itself more than once. */
  function add(key: unknown, wallet: Found): void {
    if (all.has(key) || all.size >= MAX) return;
    all.set(key, wallet);
    for (const listener of listeners) listener();
  }

  // https://eips.ethereum.org/EIPS/eip-6963
  addEventListener('eip6963:announceProvider', (event) => {
    const { name, rdns, provider, ...picture } = announced<Eip1193 & { [PROVIDER_MARK]?: unknown }>(event);
    if (!name || !provider || provider[PROVIDER_MARK]) return;
    add(provider, {
      by: `eip6963 ${rdns}`,
      name,
      ...picture,
      secretTypes: ['ETHEREUM', 'GOCHAIN'],
      open: async (host) => (await import('./eip1193.ts')).openEip1193(provider, name, host),
    });
  });
  dispatchEvent(new Event('eip6963:requestProvider'));

  // https://github.com/tronprotocol/tips/blob/master/tip-6963.md
  addEventListener('TIP6963:announceProvider', (event) => {
    const { name, rdns, provider, ...picture } = announced<TronProvider>(event);
    if (name && provider) addTron(provider, name, rdns, picture);
  });
  dispatchEvent(new Event('TIP6963:requestProvider'));

  /** TronLink is also at `window.tron`, its older versions only there. */
  function addTron(provider: TronProvider, name: string, rdns: string, picture: { icon?: string }): void {
    const isTronLink = name === TRONLINK;
    add(isTronLink ? TRONLINK : provider, {
      by: `tip6963 ${isTronLink ? TRONLINK : rdns}`,
      name,
      ...picture,
      secretTypes: ['TRON'],
      open: async (host) => (await import('./tron.ts')).openTron(provider, name, host),
    });
  }

  /** Wallets that announce themselves with no event, and may appear after the page has begun to load. */
  function lookInPage(): void {
    const { tron, vechain } = window as {
      tron?: TronProvider & { isTronLink?: unknown };
      vechain?: VechainProvider;
    };
    if (tron?.isTronLink && typeof tron.request === 'function') addTron(tron, TRONLINK, '', {});
    if (vechain && typeof vechain.newConnexSigner === 'function')
      add(VEWORLD, {
        by: 'vechain',
        name: VEWORLD,
        secretTypes: ['VECHAIN'],
        open: async (host) => (await import('./vechain.ts')).openVechain(vechain, VEWORLD, host),
      });
  }

  const addAnnounced: Add = (key, { name: ownName, icon, ...announced }, open) => {
    const name = nameOf(ownName);
    if (name) add(key, { ...announced, name, ...pictureOf(icon), open: (host) => open(name, host) });
  };
  const lookInList = findBitcoin(addAnnounced);
  findSuperhero(addAnnounced);

  return {
    found() {
      lookInPage();
      lookInList();
      return [...all.values()];
    },
    onFound(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What a wallet announces by EIP-6963 or TIP-6963; empty if the event is not such an announcement. */
function announced<Provider extends { request: unknown }>(
  event: Event,
): { name?: string; rdns: string; icon?: string; provider?: Provider } {
  const { info, provider } = Object((event as CustomEvent).detail) as {
    info?: Record<string, unknown>;
    provider?: Provider;
  };
  const { name: ownName, rdns, icon } = Object(info) as Record<string, unknown>;
  const name = nameOf(ownName);
  return {
    name,
    rdns: String(rdns ?? name).slice(0, 128),
    ...pictureOf(icon),
    ...(typeof provider?.request === 'function' && { provider }),
  };
}

function nameOf(given: unknown): string {
  return typeof given === 'string' ? inertText(given, NAME) : '';
}

/** As EIP-6963 requires. A URL elsewhere would report every visitor to that server. */
function pictureOf(given: unknown): { icon?: string } {
  return typeof given === 'string' &&
    given.length <= MAX_ICON &&
    /^data:image\/(svg\+xml|png|webp|jpeg|gif)[;,]/.test(given)
    ? { icon: given }
    : {};
}

/** https://github.com/secretkeylabs/sats-connect-core/blob/main/src/provider/types.ts */
interface Listed {
  /** Its path from `window`: `XverseProviders.BitcoinProvider`. */
  id?: unknown;
  name?: unknown;
  icon?: unknown;
}

/** Bitcoin wallets, by Wallet Standard and by the list of sats-connect. Returns a function that looks again: the list has no event. */
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
