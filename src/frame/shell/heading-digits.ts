/**
 * Digits typed while nothing that takes input has the focus, as on an approval that has just opened: they go into its PIN field. Those that
 * come before it has been in plain sight for long enough are discarded, never kept, and so are those that follow them without a pause: the
 * rest of a PIN would be a wrong one. So are all within a minute of a danger or a notice, which has to be read.
 */
import { msg } from '../../base/localize.ts';
import { PinConsentView } from '../ui/consent-view.ts';
import type { Stage } from './stage.ts';

/** A pause between keys this long, in milliseconds, means that the user has stopped typing. */
const PAUSE = 1000;

const DIGIT = /^[0-9\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]$/;

export function takeHeadingDigits(stage: Stage): void {
  const { clock } = stage.guard;
  let discardedAt = -Infinity;
  const take = (event: KeyboardEvent): void => {
    const { view } = stage.screen ?? {};
    const target = event.composedPath()[0];
    if (!event.isTrusted || !DIGIT.test(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!(view instanceof PinConsentView) || view.busy) return;
    const row = view.pinRow;
    if (!row?.checkVisibility()) return;
    if (target instanceof Element && target.closest('a, button, input, select, summary, textarea')) return;
    event.preventDefault();
    const now = clock.now();
    if (view.fresh || event.repeat || now - discardedAt < PAUSE) {
      discardedAt = now;
      // Nor does the field get the focus by itself.
      view.takesFocus = false;
    } else if (!view.risky && !stage.isWary) {
      row.focus();
      return row.press(String(event.key.codePointAt(0)! & 15));
    }
    row.note = msg('These digits were not taken. Choose the PIN field and type your PIN.');
  };
  document.addEventListener('keydown', take);
}
