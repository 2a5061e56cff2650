/** Words for the live regions of a page. Never put digits of a PIN, words of a phrase or a key in it. */
export interface Announcement {
  text: string;
  /** Interrupts what is being read: errors and danger only. */
  assertive?: boolean | undefined;
}

declare global {
  interface HTMLElementEventMap {
    'cbf-announce': CustomEvent<Announcement>;
  }
}
