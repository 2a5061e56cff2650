/** Linked external wallets: linking one, and following what its user does there. */
import { dateParts } from '../api/date-parts.ts';
import type { Wallet } from '../api/wallet.ts';
import type { Clock } from '../base/clock.ts';
import { chainsThat, type SecretType } from '../chains/secret-type.ts';
import type { External } from '../channel/host-record.ts';
import { discover, type Discovery } from '../external/discovery.ts';
import { namespaceOf } from '../external/networks.ts';
import type { Account, AnyExternalWallet, ExternalWallet, Found, Pairing, Wish } from '../external/types.ts';
import type { WalletConnectOptions } from '../external/walletconnect-client.ts';
import type { Context } from './context.ts';

/** An installed extension announces itself within moments of being asked. */
const FOUND_MS = 1000;

/** By standard and name. Each is opened and watched once. */
const opened = new WeakMap<Context, Map<string, Promise<ExternalWallet>>>();

/** Wallets in the browser, and those that this page offers elsewhere. */
export function discoverFor(context: Context): Discovery {
  const there = elsewhere(context);
  const { found, onFound } = discover();
  return { found: () => [...found(), ...there], onFound };
}

/** Asks the user in the wallet which accounts to link, and remembers them. */
export async function linkExternal(
  context: Context,
  found: Found,
  wish: Wish,
  pairing?: Pairing,
): Promise<void> {
  const wallet = await open(context, found);
  const accounts = await wallet.link(wish, pairing);
  context.record.lost.delete(found.by);
  context.record.change(({ external }) => {
    const [first] = accounts;
    const isOn = (one: { secretType: string; network?: string | undefined }, other: Account) =>
      one.secretType === other.secretType && one.network === other.network;
    // Replaces what was linked on this chain and network, or everything if the wallet is elsewhere: its
    // session is a new one.
    for (const [id, { by, wallet }] of Object.entries(external))
      if (by === found.by && (found.pairs || isOn(wallet, first!)))
        if (!accounts.some((each) => each.address === wallet.address && isOn(wallet, each)))
          delete external[id];
    for (const [index, { name = found.name, ...account }] of accounts.entries()) {
      const before = accounts.slice(0, index).filter((each) => isOn(account, each)).length;
      const alias = before ? `${name} ${before + 1}` : name;
      const earlier = Object.values(external).find(
        ({ by, wallet: { address, secretType, network } }) =>
          by === found.by &&
          address === account.address &&
          secretType === account.secretType &&
          network === account.network,
      );
      const entry = earlier ?? entryOf(context, external, found.by, alias, account);
      external[entry.wallet.id] = {
        ...entry,
        wallet: { ...entry.wallet, alias, status: 'ACTIVE' },
        ...(wish.network !== undefined && { pinned: true }),
      };
    }
  });
}

/** Never an id under which the page knew another wallet. */
function newIdIn(external: Record<string, External>, clock: Clock): string {
  const now = `external-${clock.date().toString(36)}`;
  let id = now;
  for (let count = 1; Object.hasOwn(external, id); count++) id = `${now}-${count}`;
  return id;
}

function entryOf(
  { clock }: Context,
  external: Record<string, External>,
  by: string,
  alias: string,
  account: Account,
): External {
  const wallet: Wallet = {
    id: newIdIn(external, clock),
    ...account,
    walletType: 'EXTERNAL',
    createdAt: dateParts(clock.date()),
    archived: false,
    alias,
    description: '',
    primary: false,
    hasCustomPin: false,
    status: 'ACTIVE',
  };
  return { version: 1, by, wallet };
}

/** The adapter of a linked wallet; undefined if the browser no longer has it. */
export async function walletOf(context: Context, by: string): Promise<ExternalWallet | undefined> {
  const wallet = await find(context, by);
  return wallet && open(context, wallet);
}

function find(context: Context, by: string): Promise<Found | undefined> {
  const { clock, ended } = context;
  const discovery = discoverFor(context);
  const look = () => discovery.found().find((each) => each.by === by);
  return new Promise((resolve) => {
    const end = (): void => {
      undo();
      cancel();
      resolve(look());
    };
    const undo = discovery.onFound(() => look() && end());
    const cancel = clock.after(FOUND_MS, end);
    if (look() || ended.signal.aborted) end();
  });
}

function open(context: Context, found: Found): Promise<ExternalWallet> {
  const byMaker = opened.get(context) ?? new Map<string, Promise<ExternalWallet>>();
  opened.set(context, byMaker);
  const earlier = byMaker.get(found.by);
  if (earlier) return earlier;
  const { clock, host, record } = context;
  const linked = () =>
    Object.values(record.read().external).flatMap(({ by, wallet }) => (by === found.by ? [wallet] : []));
  const opening = found.open({ clock, linked, rpc: (params) => host.read('rpc', params) }).then((wallet) => {
    watch(context, found.by, wallet);
    // Its requests are parsed by the chain on which it was linked.
    return wallet as ExternalWallet;
  });
  byMaker.set(found.by, opening);
  opening.catch(() => byMaker.delete(found.by));
  return opening;
}

function watch({ record, ended, clock }: Context, by: string, wallet: AnyExternalWallet): void {
  wallet.watch(
    (addresses, secretType) => {
      if (!ended.signal.aborted)
        record.change(({ external }) => follow(external, by, addresses, clock, secretType));
    },
    (reachable) => {
      if (!ended.signal.aborted) record.change(({ external }) => setReachable(external, by, reachable));
    },
    (secretType, network) => {
      if (!ended.signal.aborted) record.change(({ external }) => move(external, by, secretType, network));
    },
  );
  if (!wallet.forget) return;
  const isLinked = () => Object.values(record.read().external).some((each) => each.by === by);
  let was = isLinked();
  record.onWallets(() => {
    const is = isLinked();
    if (was && !is) void wallet.forget!();
    was = is;
  });
}

/** Unlinks accounts that the wallet no longer shows this page, and links those that took their place. */
function follow(
  external: Record<string, External>,
  by: string,
  addresses: readonly string[],
  clock: Clock,
  secretType?: SecretType,
): void {
  const mine = Object.values(external).filter(
    ({ by: maker, wallet }) => maker === by && (secretType === undefined || wallet.secretType === secretType),
  );
  const id = newIdIn(external, clock);
  const isShown = mine.some(({ wallet }) => addresses.includes(wallet.address));
  for (const { wallet } of mine) if (!addresses.includes(wallet.address)) delete external[wallet.id];
  const [first] = mine;
  const [address] = addresses;
  if (isShown || !first || !address) return;
  external[id] = { ...first, wallet: { ...first.wallet, id, address } };
}

/** Those that the page itself wanted on a network stay there. */
function move(external: Record<string, External>, by: string, secretType: SecretType, network: string): void {
  const mine = Object.values(external).filter(
    (each) => each.by === by && each.wallet.secretType === secretType,
  );
  for (const { pinned, wallet } of mine)
    if (!pinned && !mine.some((it) => it.wallet.address === wallet.address && it.wallet.network === network))
      wallet.network = network;
}

function setReachable(external: Record<string, External>, by: string, reachable: boolean): void {
  for (const entry of Object.values(external))
    if (entry.by === by) entry.wallet.status = reachable ? 'ACTIVE' : 'UNAVAILABLE';
}

/** After a page load: whether the wallets still exist, and still show the same accounts. Prompts nobody. */
export async function resumeExternal(context: Context): Promise<void> {
  const makers = new Set(Object.values(context.record.read().external).map(({ by }) => by));
  await Promise.all([...makers].map((by) => resume(context, by)));
}

/** Only wallets elsewhere have accounts of several chains; undefined for all that others have. */
function chainsOf({ record }: Context, by: string): (SecretType | undefined)[] {
  if (!isElsewhere(by)) return [undefined];
  const mine = Object.values(record.read().external).filter((each) => each.by === by);
  return [...new Set(mine.map(({ wallet }) => wallet.secretType))];
}

async function resume(context: Context, by: string): Promise<void> {
  const { record, ended, clock } = context;
  const wallet = await walletOf(context, by).catch(() => undefined);
  // A locked wallet shows nothing, but nothing was revoked.
  const shown = await Promise.all(
    chainsOf(context, by).map(async (secretType) => ({
      secretType,
      addresses: (await wallet?.accounts(secretType).catch(() => [])) ?? [],
    })),
  );
  if (ended.signal.aborted) return;
  // A connect without WalletConnect does not know the session of another one in the page.
  const isKnown = !!wallet || !isElsewhere(by);
  record.lost[isKnown ? 'delete' : 'add'](by);
  record.change(({ external }) => {
    if (isKnown) setReachable(external, by, !!wallet);
    for (const { secretType, addresses } of shown)
      if (addresses.length) follow(external, by, addresses, clock, secretType);
  });
  if (wallet) return;
  // Loading the page may take longer than we wait for extensions.
  const undo = discover().onFound(() => {
    if (
      !ended.signal.aborted &&
      !discover()
        .found()
        .some((each) => each.by === by)
    )
      return;
    undo();
    void resume(context, by);
  });
}

// Wallets outside the browser that this page offers.

const WALLETCONNECT = 'WalletConnect';
const BY = 'walletconnect';

/** Whether this maker's wallets are reachable only from pages that offer them, not from every page in the browser. */
export const isElsewhere = (by: string): boolean => by === BY;

export function elsewhere({ options, url, ended }: Context): Found[] {
  const walletConnect = options.walletConnect ?? ofScript();
  if (!walletConnect) return [];
  return [
    {
      by: BY,
      name: WALLETCONNECT,
      pairs: true,
      secretTypes: chainsThat(namespaceOf),
      async open(host) {
        const { openWalletConnect } = await import('../external/walletconnect.ts');
        return openWalletConnect(walletConnect, WALLETCONNECT, host, {
          frame: url.origin,
          ended: ended.signal,
        });
      },
    },
  ];
}

/** Finds `<script … data-wallet-connect="project id">`. Here rather than in connect.js, which every page downloads. */
function ofScript(): WalletConnectOptions | undefined {
  const script = document.querySelector<HTMLScriptElement>('script[data-wallet-connect]');
  const projectId = script?.dataset['walletConnect'];
  return projectId ? { projectId } : undefined;
}
