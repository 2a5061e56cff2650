/** A strict SMTP server (RFC 5321) that keeps what it is given, and fails as told. */
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Caught {
  from: string;
  to: string[];
  /** The message as it was sent, without the dots of the transport. */
  raw: string;
  /** The text of the header field, decoded; undefined without one. Throws if there are several. */
  header(name: string): string | undefined;
  text: string;
  html: string;
}

/** What is replied to. */
export type Step = 'connection' | 'EHLO' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'message' | 'QUIT';

export interface Catcher {
  port: number;
  caught: Caught[];
  /** Every line that it was sent, without messages. */
  lines: string[];
  /** What it answers to `RCPT TO` in place of 250. */
  recipientReply: string | undefined;
  /** Ends the connection with the message in hand, and keeps the message. */
  dropsAfterMessage: boolean;
  /** Called before each reply, which waits for its promise. What it takes was taken by then. */
  delay: (step: Step) => Promise<unknown> | undefined;
  close(): Promise<void>;
}

/** `auth`: user and password that it wants. `port`: 0 for any. */
export async function catchMails({
  port = 0,
  auth,
}: {
  port?: number;
  auth?: [string, string];
} = {}): Promise<Catcher> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    new Conversation(socket, catcher, auth);
  });
  const catcher: Catcher = {
    port,
    caught: [],
    lines: [],
    recipientReply: undefined,
    dropsAfterMessage: false,
    delay: () => undefined,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  catcher.port = (server.address() as AddressInfo).port;
  return catcher;
}

class Conversation {
  readonly #socket: Socket;
  readonly #catcher: Catcher;
  readonly #auth: [string, string] | undefined;
  #rest = '';
  #isGreeted = false;
  #isIn: boolean;
  #from: string | undefined;
  #to: string[] = [];
  /** Lines of the message that is being received. */
  #message: string[] | undefined;
  #step: Step = 'connection';

  constructor(socket: Socket, catcher: Catcher, auth: [string, string] | undefined) {
    this.#socket = socket;
    this.#catcher = catcher;
    this.#auth = auth;
    this.#isIn = !auth;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#take(text));
    this.#say('220 mail.example ESMTP');
  }

  #say(reply: string): void {
    const delay = this.#catcher.delay(this.#step);
    if (delay) void delay.then(() => this.#socket.write(`${reply}\r\n`));
    else this.#socket.write(`${reply}\r\n`);
  }

  #take(text: string): void {
    this.#rest += text;
    for (let end = this.#rest.indexOf('\r\n'); end >= 0; end = this.#rest.indexOf('\r\n')) {
      const line = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end + 2);
      if (/[\r\n]/.test(line)) return void this.#socket.end('500 bare line break\r\n');
      if (this.#message) this.#receive(line);
      else this.#obey(line);
    }
  }

  #receive(line: string): void {
    if (line.length > 998) return void this.#socket.end('500 line too long\r\n');
    if (line !== '.') return void this.#message!.push(line.replace(/^\./, ''));
    const raw = Buffer.from(this.#message!.join('\r\n'), 'latin1').toString('utf8');
    this.#message = undefined;
    this.#step = 'message';
    this.#catcher.caught.push(read({ from: this.#from!, to: this.#to, raw }));
    if (this.#catcher.dropsAfterMessage) this.#socket.destroy();
    else this.#say('250 taken');
    this.#from = undefined;
    this.#to = [];
  }

  #obey(line: string): void {
    this.#catcher.lines.push(line);
    const verb = line.slice(0, 4).toUpperCase();
    this.#step = verb as Step;
    if (verb === 'EHLO' || verb === 'HELO') {
      this.#isGreeted = true;
      return this.#say(this.#auth ? '250-mail.example\r\n250 AUTH PLAIN' : '250 mail.example');
    }
    if (verb === 'QUIT') {
      this.#say('221 bye');
      return void this.#socket.end();
    }
    if (!this.#isGreeted) return this.#say('503 say EHLO');
    if (verb === 'AUTH') return this.#admit(line);
    if (!this.#isIn) return this.#say('530 authentication needed');
    const from = /^MAIL FROM:<([^<>\s]+)>$/i.exec(line)?.[1];
    if (from && this.#from === undefined) {
      this.#from = from;
      return this.#say('250 ok');
    }
    const to = /^RCPT TO:<([^<>\s]+)>$/i.exec(line)?.[1];
    if (to && this.#from !== undefined) {
      if (this.#catcher.recipientReply) return this.#say(this.#catcher.recipientReply);
      this.#to.push(to);
      return this.#say('250 ok');
    }
    if (line.toUpperCase() === 'DATA' && this.#to.length) {
      this.#message = [];
      return this.#say('354 go on');
    }
    this.#say('500 what?');
  }

  #admit(line: string): void {
    const [user, password] = this.#auth ?? [];
    const expected = Buffer.from(`\0${user}\0${password}`).toString('base64');
    this.#isIn = line === `AUTH PLAIN ${expected}`;
    this.#say(this.#isIn ? '235 come in' : '535 no');
  }
}

function read({ from, to, raw }: Pick<Caught, 'from' | 'to' | 'raw'>): Caught {
  const { fields, body } = split(raw);
  const header = (name: string): string | undefined => only(fields, name);
  const boundary = /boundary="([^"]+)"/.exec(header('Content-Type') ?? '')?.[1] ?? '';
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, '')));
  const partOf = (type: string): string => {
    const part = parts.find((each) => only(each.fields, 'Content-Type')?.startsWith(type));
    if (!part) throw new Error(`no part ${type} in ${raw}`);
    return decode(part.body, only(part.fields, 'Content-Transfer-Encoding') ?? '7bit').replaceAll(
      '\r\n',
      '\n',
    );
  };
  return { from, to, raw, header, text: partOf('text/plain'), html: partOf('text/html') };
}

type Field = readonly [name: string, value: string];

function split(text: string): { fields: Field[]; body: string } {
  const end = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const fields = lines.map((line): Field => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), words(line.slice(colon + 1).trim())];
  });
  return { fields, body: text.slice(end + 4) };
}

function only(fields: readonly Field[], name: string): string | undefined {
  const values = fields.filter(([each]) => each === name.toLowerCase()).map(([, value]) => value);
  if (values.length > 1) throw new Error(`${values.length} fields ${name}`);
  return values[0];
}

/** Encoded words of RFC 2047. */
function words(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_all, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : decode(text.replaceAll('_', ' '), 'quoted-printable'),
    );
}

function decode(text: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString();
  if (encoding !== 'quoted-printable') return text;
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
