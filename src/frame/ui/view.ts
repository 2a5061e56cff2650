import type { CSSResult, CSSResultGroup } from 'lit';
import { baseStyles, layoutStyles, moreLayoutStyles, moreStyles } from '../../ui/styles.ts';
import { moreTokens } from '../../ui/tokens.ts';
import { BareView } from './bare-view.ts';

export {
  type CoveredEvents,
  errorLine,
  type Layout,
  type LeaveEvents,
  type PlainEvent,
  type Subject,
} from './bare-view.ts';

export const viewStyles: readonly CSSResult[] = [
  moreTokens,
  baseStyles,
  moreStyles,
  layoutStyles,
  moreLayoutStyles,
];

/** A view with the shared styles. A subclass adds its own with `static styles = [FrameView.styles, …]`. */
export abstract class FrameView<E = object> extends BareView<E> {
  static override styles: CSSResultGroup = [...viewStyles];
}
