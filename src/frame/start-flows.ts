/** Sets up everything that serves a visible frame's requests: stage, guard, networks, vault. */
import { loadNetworks } from '../chains/nodes/networks.ts';
import type { HostLink } from '../channel/link.ts';
import { serve } from './dispatch.ts';
import { networksUrl, reader } from './reader.ts';
import { Guard } from './shell/guard.ts';
import { watchReplacements } from './shell/replacements.ts';
import type { Shell } from './shell/shell.ts';
import { type Opening, Stage } from './shell/stage.ts';
import type { Turn } from './shell/turn.ts';

/** A window can stay open between requests; an iframe is removed. */
const ownWindow = window.opener ? import('./shell/own-window.ts') : undefined;
ownWindow?.catch(() => {});

const networks = loadNetworks(networksUrl());
networks.catch(() => {});

/** Rejects without `networks.json`. `opening` is called once, when the flows are ready to take over the approval. */
export async function serveFlows(
  link: HostLink,
  shell: Shell,
  turn: Turn,
  opening: () => Opening | undefined,
): Promise<void> {
  const parts = await reader(link, networks);
  const stage = new Stage(shell, new Guard({ surface: link.surface, clock: parts.clock }), link, opening());
  if (link.surface === 'popup')
    void import('./shell/own-window.ts').then(
      (own) => own.watchWindow(shell, parts.clock),
      () => {},
    );
  else
    link.onSheet = () =>
      void import('./shell/sheet.ts').then(
        (sheet) => sheet.beSheet(shell, link),
        () => {},
      );
  const frame = { ...parts, stage };
  serve(frame, turn, watchReplacements(link, shell, parts.clock));
  // If it fails to load, the window closes after each request.
  await ownWindow?.then(({ keepOpen }) => keepOpen(frame)).catch(() => {});
}
