import { LitElement } from 'lit';

/** Rerenders an element and its descendants after a change of language. */
export function redraw(root: Element = document.documentElement): void {
  if (root instanceof LitElement) root.requestUpdate();
  for (const inside of [...root.children, ...(root.shadowRoot?.children ?? [])]) redraw(inside);
}
