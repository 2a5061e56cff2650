import { LitElement } from 'lit';

/** In a new language: an element, with those inside it. */
export function redraw(root: Element = document.documentElement): void {
  if (root instanceof LitElement) root.requestUpdate();
  for (const inside of [...root.children, ...(root.shadowRoot?.children ?? [])]) redraw(inside);
}
