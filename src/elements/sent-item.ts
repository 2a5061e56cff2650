/** Where a page keeps what it sent and no block has decided yet: a list, see `sent-lines.ts`. The number is the version of its form. */
export const SENT_ITEM = 'carabiner:sent:1';
