/** The address book as a file: a table with a chain, an address and a name in each row. */
import { RequestInvalidError } from '../../base/errors.ts';
import { msg, str } from '../../base/localize.ts';
import { loadAddresses } from '../../chains/modules.ts';
import { isLookedUp } from '../../chains/requests/foreign-address.ts';
import { CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import { recipientCheck } from '../../ui/recipient-check.ts';
import { MAX_RECIPIENTS } from '../../wallets/recipient-book.ts';
import type { Recipient } from '../../wallets/types.ts';
import { checkAlias } from '../../wallets/wallet-edits.ts';
import { csvOf, csvRows } from '../ui/csv.ts';

const COLUMNS = ['chain', 'address', 'name'] as const;
/** Far more than the book holds. */
const MAX_CHARACTERS = 1_000_000;

export function writeBook(recipients: readonly Recipient[]): string {
  return csvOf([COLUMNS, ...recipients.map(({ secretType, address, name }) => [secretType, address, name])]);
}

export interface BookFile {
  /** Not in the book yet. */
  added: Recipient[];
  /** How many rows are of addresses that the book has: it keeps its own names for them. */
  known: number;
  /** Rows that cannot be used, by their number in the file, in which the heading is the first. */
  bad: { row: number; why: string }[];
}

/** Undefined if it is not such a file. `saved`: what the book has; `chains`: those of the operator. */
export async function readBook(
  text: string,
  saved: readonly Recipient[],
  chains: readonly SecretType[],
): Promise<BookFile | undefined> {
  const [head, ...rows] = text.length > MAX_CHARACTERS ? [] : csvRows(text);
  const columns = COLUMNS.map(
    (column) => head?.findIndex((cell) => cell.trim().toLowerCase() === column) ?? -1,
  );
  if (columns.includes(-1)) return undefined;
  const file: BookFile = { added: [], known: 0, bad: [] };
  for (const [i, cells] of rows.entries()) {
    const [chain = '', address = '', name = ''] = columns.map((at) => (cells[at] ?? '').trim());
    const held = [...saved, ...file.added];
    const row = await recipientIn({ chain, address, name }, held, chains);
    if (typeof row === 'string') file.bad.push({ row: i + 2, why: row });
    else if (row) file.added.push(row);
    else file.known++;
  }
  return file;
}

/** Undefined for an address that the book has; a text says what is wrong. */
async function recipientIn(
  { chain, address, name }: Record<(typeof COLUMNS)[number], string>,
  held: readonly Recipient[],
  chains: readonly SecretType[],
): Promise<Recipient | string | undefined> {
  const secretType = chains.find((one) =>
    [one, CHAIN_NAMES[one]].some((text) => text.toLowerCase() === chain.toLowerCase()),
  );
  if (!secretType) return msg(str`“${chain.slice(0, 32)}” is not a chain of this wallet.`);
  const [check, { readAddress }] = await Promise.all([recipientCheck(secretType), loadAddresses(secretType)]);
  if (isLookedUp(address))
    return msg('Enter an address. Names and e-mail addresses can lead to another one later.');
  const error = address ? check.error(address) : msg('The address is missing.');
  if (error) return error;
  const ofChain = held.filter((one) => one.secretType === secretType);
  const readable = readAddress(address);
  if (ofChain.some((one) => one.address.toLowerCase() === readable.toLowerCase())) return undefined;
  let alias: string;
  try {
    alias = checkAlias(name, 'name');
  } catch (cause) {
    if (!(cause instanceof RequestInvalidError)) throw cause;
    return msg('Use visible letters, digits and signs.');
  }
  // A file must not make another address look like somebody whom the user knows.
  if (ofChain.some((one) => one.name.toLowerCase() === alias.toLowerCase()))
    return msg(str`“${alias}” is the name of another address already.`);
  if (held.length >= MAX_RECIPIENTS)
    return msg(str`You have ${MAX_RECIPIENTS} known recipients, the most that are kept. Remove one first.`);
  return { secretType, address: readable, name: alias };
}
