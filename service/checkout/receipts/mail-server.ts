/** One e-mail to an SMTP server (RFC 5321), and what is known of it when that fails. */
import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Sender, SmtpServer } from '../../settings/mail.ts';

export interface Mail {
  to: string;
  /** The same for the same receipt: a receiver may recognise a second copy. */
  messageId: string;
  subject: string;
  text: string;
  html: string;
}

/** For the whole dialogue. */
export const LIMIT_MS = 60_000;
const ANSWER_MS = 15_000;

/** `refused`: for good. `unknown`: the server may have taken it. `not-sent`: it has not, and may another time. */
export type FailureKind = 'refused' | 'unknown' | 'not-sent';

/** The message has no address, which replies of servers often repeat. */
export class MailError extends Error {
  override name = 'MailError';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, reason: string) {
    super(reason);
    this.kind = kind;
  }
}

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  /** What the reply was to. */
  command?: string;
}

export class MailServer {
  readonly #server: SmtpServer;
  readonly #from: Sender;

  constructor(server: SmtpServer, from: Sender) {
    this.#server = server;
    this.#from = from;
  }

  /** The domain of the sender, for ids of messages. */
  get domain(): string {
    return this.#from.address.split('@').at(-1)!;
  }

  /** `begin` is awaited once the server is there and has let us in; nothing is sent if it throws. Throws `MailError`. */
  async send(mail: Mail, begin: () => Promise<void>): Promise<void> {
    const message = await compose(mail, this.#from);
    const dialogue = new Dialogue(this.#server);
    try {
      await dialogue.open();
      await begin();
      await dialogue.hand(this.#from.address, mail.to, message);
    } finally {
      dialogue.close();
    }
  }
}

function compose({ to, messageId, subject, text, html }: Mail, from: Sender): Promise<Buffer> {
  const composer = new MailComposer({
    from,
    // Not a text: that is parsed, and may be a list.
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId,
    // RFC 3834: no out-of-office notes.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** A connection for one message. */
class Dialogue {
  readonly #connection: SMTPConnection;
  readonly #auth: SmtpServer['auth'];
  readonly #timer: NodeJS.Timeout;
  /** Rejects with what ends the connection. */
  readonly #broken: Promise<never>;
  /** The server has asked for the message. */
  #isHanded = false;

  constructor({ host, port, tls, auth }: SmtpServer) {
    this.#auth = auth;
    this.#connection = new SMTPConnection({
      host,
      port,
      secure: tls === 'first',
      requireTLS: tls === 'required',
      connectionTimeout: ANSWER_MS,
      greetingTimeout: ANSWER_MS,
      socketTimeout: ANSWER_MS,
    });
    this.#broken = new Promise((_resolve, reject) => {
      this.#connection.on('error', reject);
      this.#connection.on('end', () => reject(new Error('the connection ended')));
    });
    this.#broken.catch(() => {});
    this.#timer = setTimeout(() => this.#connection.close(), LIMIT_MS);
  }

  async open(): Promise<void> {
    await this.#step((done) => this.#connection.connect(done));
    const auth = this.#auth;
    if (auth) await this.#step((done) => this.#connection.login({ ...auth, credentials: auth }, done));
  }

  async hand(from: string, to: string, message: Buffer): Promise<void> {
    // Read only when the server asks for it.
    const content = new Readable({
      read: () => {
        this.#isHanded = true;
        content.push(message);
        content.push(null);
      },
    });
    await this.#step((done) => this.#connection.send({ from, to: [to] }, content, done));
    this.#connection.quit();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#connection.close();
  }

  async #step(begin: (done: (error?: Error | null) => void) => void): Promise<void> {
    const step = new Promise<void>((resolve, reject) =>
      begin((error) => (error ? reject(error) : resolve())),
    );
    try {
      await Promise.race([step, this.#broken]);
    } catch (error) {
      throw this.#failure(error as SmtpError);
    }
  }

  #failure({ code, responseCode, command = '', message }: SmtpError): MailError {
    if (responseCode === undefined)
      return new MailError(this.#isHanded ? 'unknown' : 'not-sent', `${code ?? 'SMTP'}: ${message}`);
    // Refusals of the connection, the password or the sender are about our settings.
    const isOfMail = responseCode >= 500 && /^(?:RCPT TO|DATA)$/.test(command);
    return new MailError(isOfMail ? 'refused' : 'not-sent', `SMTP ${responseCode}`);
  }
}
