/** Text for a page's live regions. Must never contain PIN digits, recovery words or a key. */
export interface Announcement {
  text: string;
  /** Interrupts the screen reader: for errors and dangers only. */
  assertive?: boolean | undefined;
}

declare global {
  interface HTMLElementEventMap {
    'cbf-announce': CustomEvent<Announcement>;
  }
}
