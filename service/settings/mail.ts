/** The settings of e-mail. Messages never repeat the value: it has a password. */
import * as z from 'zod';
import { isLoopback, readBy } from './fields.ts';

/** Who sends: `Mug shop <receipts@shop.example>`. */
export interface Sender {
  name: string;
  address: string;
}

export interface SmtpServer {
  host: string;
  port: number;
  /** `smtps:`: TLS from the first byte. Otherwise STARTTLS, without which nothing is sent, except on this machine. */
  tls: 'first' | 'required' | 'none';
  auth: { user: string; pass: string } | undefined;
}

const FORM = 'write smtp://user:password@host:587 or smtps://user:password@host';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('a % in the user or the password is written %25');
  }
}

function readServer(text: string): SmtpServer {
  if (!/^smtps?:\/\/./.test(text) || !URL.canParse(text)) throw new Error(FORM);
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (!hostname) throw new Error(FORM);
  if (pathname.replace('/', '') || search || hash)
    throw new Error(`${FORM}; in the password, / is written %2F, ? %3F and # %23`);
  if ((username === '') !== (password === '')) throw new Error('user and password belong together');
  const isSecure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (isSecure ? 465 : 587),
    tls: isSecure ? 'first' : isLoopback(hostname) ? 'none' : 'required',
    auth: username ? { user: decoded(username), pass: decoded(password) } : undefined,
  };
}

function readSender(text: string): Sender {
  const [, quoted = '', named, alone] = /^(?:([^<>\p{Cc}]*)<([^<>\s]+)>|([^<>\s]+))$/u.exec(text) ?? [];
  const { data: address } = z
    .email()
    .max(254)
    .safeParse(named ?? alone);
  if (address === undefined)
    throw new Error('write an e-mail address, or a name and an address: Mug shop <receipts@shop.example>');
  return { name: quoted.trim().replace(/^"(.*)"$/, '$1'), address };
}

export const SmtpUrl = readBy(readServer);
export const MailSender = readBy(readSender);
