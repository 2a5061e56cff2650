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
const elementByRequest = new Map<string, ConnectElement>();

/** `reportedIds`: of answers that an element has reported; `firedIds`: of those that were fired at `document` only. */
export function recover(
  element: ConnectElement,
  answers: readonly Pending[],
  reportedIds: Set<string>,
  firedIds: ReadonlySet<string>,
): void {
  // It went away while this was loading: another element will ask, or this one again.
  if (element.isAway) return;
  const takes = TAKES[element.localName];
  const newIds = new Set<string>();
  for (const { requestId, action, state, result, error, asked } of answers) {
    if (!takes?.includes(action) || reportedIds.has(requestId)) continue;
    const other = elementByRequest.get(requestId);
    if (other && !other.isAway ? other !== element : element.status.kind === 'lost') continue;
    if (state === 'done' || error) {
      reportedIds.add(requestId);
      newIds.add(requestId);
    } else elementByRequest.set(requestId, element);
    const reportedAction = action === 'unknown' ? takes[0] : (action as ElementAction);
    element.asked?.(requestId, asked ?? {});
    const tell = firedIds.has(requestId) ? belowDocument : atOnce;
    if (state === 'done') tell(() => element.succeed(reportedAction, result, requestId));
    else if (error) tell(() => element.fail(reportedAction, fromWire(error), requestId));
    else element.status = { kind: 'lost', action: reportedAction, requestId };
    element.showView().catch(() => {});
  }
  if (newIds.size) element.current.pending(({ requestId }) => newIds.has(requestId)).catch(() => {});
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
