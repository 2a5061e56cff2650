/**
 * Which wallets of others this browser has. They are asked for when somebody is about to link one, never before: the answer tells a page
 * which extensions its visitor uses.
 */
import { inertText } from '../inert-text.ts';
import type { Eip1193 } from './eip1193.ts';
import type { Found } from './types.ts';

export interface Discovery {
  found(): readonly Found[];
  /** Called at each further wallet. Returns the undo. */
  onFound(listener: () => void): () => void;
}

/** On what a Carabiner announced, of whatever version (`provider/announce.ts`): the page that has it offers that wallet itself. */
const OURS: unique symbol = Symbol.for('carabiner.provider');

/** More are a page's joke. */
const MOST = 24;
/** Of the names that the chooser shows. */
const NAME = 32;
/** Characters; a picture of 128 pixels has a quarter of it. */
const MAX_ICON = 200_000;

let started: Discovery | undefined;

/** One for the page, which listens as long as the page lives. */
export function discover(): Discovery {
  return (started ??= start());
}

function start(): Discovery {
  const all = new Map<unknown, Found>();
  const listeners = new Set<() => void>();

  /** `key`: by which the same wallet is known that tells of itself again. */
  function add(key: unknown, wallet: Found): void {
    if (all.has(key) || all.size >= MOST) return;
    all.set(key, wallet);
    for (const listener of listeners) listener();
  }

  // https://eips.ethereum.org/EIPS/eip-6963
  addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = ((event as CustomEvent).detail ?? {}) as {
      info?: Record<string, unknown>;
      provider?: Eip1193 & { [OURS]?: true };
    };
    const name = nameOf(info?.['name']);
    if (!name || typeof provider?.request !== 'function' || provider[OURS]) return;
    add(provider, {
      by: `eip6963 ${String(info!['rdns'] ?? name).slice(0, 128)}`,
      name,
      ...pictureOf(info!['icon']),
      secretTypes: ['ETHEREUM', 'GOCHAIN'],
      open: async (host) => (await import('./eip1193.ts')).openEip1193(provider, name, host),
    });
  });
  dispatchEvent(new Event('eip6963:requestProvider'));

  return {
    found: () => [...all.values()],
    onFound(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function nameOf(given: unknown): string {
  return typeof given === 'string' ? inertText(given, NAME) : '';
}

/** As EIP-6963 has it. An address of elsewhere would tell that server of every visitor. */
function pictureOf(given: unknown): { icon?: string } {
  return typeof given === 'string' &&
    given.length <= MAX_ICON &&
    /^data:image\/(svg\+xml|png|webp|jpeg|gif)[;,]/.test(given)
    ? { icon: given }
    : {};
}
