/** Gives each outstanding answer of an earlier load of the page to one element. */
import type { Pending } from '../channel/messages.ts';
import { fromWire } from '../actions/engine.ts';
import type { ConnectElement } from './connect-element.ts';
import type { ElementAction } from './events.ts';

/** The actions whose answers an element takes. Its first action is reported if the answer's own is unknown. */
const TAKES: Record<string, readonly [ElementAction, ...Pending['action'][]]> = {
  'link-wallets': ['linkWallets'],
  'manage-wallets': ['manageWallets'],
  'transfer-dialog': ['transfer', 'execute', 'unknown'],
  'sign-request': ['sign'],
  'swap-panel': ['executeAll'],
};

const ANSWERS = ['connect-result', 'connect-error'];

/** The element that reports a missing answer, and shows it when it arrives. */
const waiting = new Map<string, ConnectElement>();

/** `taken`: ids of answers that an element has reported; `heard`: of those that were fired at `document` only. */
export function recover(
  element: ConnectElement,
  answers: readonly Pending[],
  taken: Set<string>,
  heard: ReadonlySet<string>,
): void {
  // It went away while this was loading: another element will ask, or this one again.
  if (element.isAway) return;
  const takes = TAKES[element.localName];
  const reported = new Set<string>();
  for (const { requestId, action, state, result, error, asked } of answers) {
    if (!takes?.includes(action) || taken.has(requestId)) continue;
    const other = waiting.get(requestId);
    if (other && !other.isAway ? other !== element : element.status.kind === 'lost') continue;
    if (state === 'done' || error) {
      taken.add(requestId);
      reported.add(requestId);
    } else waiting.set(requestId, element);
    const named = action === 'unknown' ? takes[0] : (action as ElementAction);
    element.asked?.(requestId, asked ?? {});
    const tell = heard.has(requestId) ? belowDocument : atOnce;
    if (state === 'done') tell(() => element.succeed(named, result, requestId));
    else if (error) tell(() => element.fail(named, fromWire(error), requestId));
    else element.status = { kind: 'lost', action: named, requestId };
    element.showView().catch(() => {});
  }
  if (reported.size) element.current.pending(({ requestId }) => reported.has(requestId)).catch(() => {});
}

const atOnce = (fire: () => void): void => fire();

/** So that listeners at `document`, which have heard it, do not hear it again. */
function belowDocument(fire: () => void): void {
  const root = document.documentElement;
  const stop = (event: Event): void => event.stopPropagation();
  for (const type of ANSWERS) root.addEventListener(type, stop);
  fire();
  for (const type of ANSWERS) root.removeEventListener(type, stop);
}
