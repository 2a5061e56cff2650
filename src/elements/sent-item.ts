/** The storage key of what a page sent and is still unconfirmed: a list, see `sent-lines.ts`. The number is the format's version. */
export const SENT_ITEM = 'carabiner:sent:1';
