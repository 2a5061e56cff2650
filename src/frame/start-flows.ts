/** What serves a visible frame's requests: stage, guard, networks, vault. */
import { loadNetworks } from '../chains/nodes/networks.ts';
import type { HostLink } from '../channel/link.ts';
import type { Clock } from '../clock.ts';
import { serve } from './dispatch.ts';
import { reader } from './reader.ts';
import { networksUrl } from './reads/networks-url.ts';
import { Guard } from './shell/guard.ts';
import { enlarge, opensTooSmall } from './shell/popup-size.ts';
import { Replacements } from './shell/replacements.ts';
import { isOutside } from './shell/room.ts';
import type { Shell } from './shell/shell.ts';
import { Stage } from './shell/stage.ts';
import type { Opening } from './start-surface.ts';

const networks = loadNetworks(networksUrl());
networks.catch(() => {});

/** A window that is moved tells nobody. */
const LOOK_MS = 1000;

function watchOutside(shell: Shell, clock: Clock): void {
  const look = () => (shell.outside = isOutside(window));
  look();
  clock.every(LOOK_MS, look);
}

/** Remembers what the user was shown and typed for, whatever becomes of this document. */
function watchReplacements({ origin }: HostLink, shell: Shell, clock: Clock): Replacements {
  // Looked up at each use: where storage is denied, that throws.
  const storage = {
    getItem: (key: string) => localStorage.getItem(key),
    setItem: (key: string, text: string) => localStorage.setItem(key, text),
    removeItem: (key: string) => localStorage.removeItem(key),
  };
  const replacements = new Replacements({ origin, clock, storage });
  shell.addEventListener('cbf-pin-input', () => replacements.typed());
  addEventListener('pagehide', () => replacements.leave());
  return replacements;
}

/** Rejects without `networks.json`. `opening` is asked once, when the flows are ready to take the approval over. */
export async function serveFlows(
  link: HostLink,
  shell: Shell,
  opening: () => Opening | undefined,
): Promise<void> {
  const parts = await reader(link, networks);
  const stage = new Stage(shell, new Guard({ surface: link.surface, clock: parts.clock }), link, opening());
  if (link.surface === 'popup') {
    if (opensTooSmall(window)) enlarge(window);
    watchOutside(shell, parts.clock);
  }
  serve({ ...parts, stage }, watchReplacements(link, shell, parts.clock));
}
