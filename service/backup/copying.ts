/** COPY of PostgreSQL, for which `pg` has no query: rows are streamed as text, so that no table has to fit into memory. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type pg from 'pg';

/** What `pg` has for COPY, and its types have not. */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};

/** Rows of `copy … to stdout`: whole lines, of which a chunk may have several. */
export class CopyOut extends Readable {
  #connection: pg.Connection | undefined;

  constructor(readonly text: string) {
    super();
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection;
    connection.query(this.text);
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  /** `pg` uses the memory of a chunk again. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (!this.push(Buffer.from(chunk))) this.#connection?.stream.pause();
  }

  handleCommandComplete(): void {}

  /** Nobody reads on from here, and the next query needs the connection. */
  handleReadyForQuery(): void {
    this.#connection?.stream.resume();
    this.#connection = undefined;
    this.push(null);
  }

  handleError(error: Error): void {
    this.#connection?.stream.resume();
    this.destroy(error);
  }
}

class CopyIn {
  readonly done: Promise<void>;
  readonly #text: string;
  readonly #chunks: AsyncIterable<Buffer>;
  #resolve!: () => void;
  #reject!: (error: Error) => void;
  /** Why the chunks ended early. */
  #cut: Error | undefined;

  constructor(text: string, chunks: AsyncIterable<Buffer>) {
    this.#text = text;
    this.#chunks = chunks;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    void this.#send(connection);
  }

  async #send(connection: CopyConnection): Promise<void> {
    try {
      for await (const chunk of this.#chunks) {
        connection.sendCopyFromChunk(chunk);
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
      }
      connection.endCopyFrom();
    } catch (error) {
      this.#cut = error as Error;
      connection.sendCopyFail('the rows ended early');
    }
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#resolve();
  }

  handleError(error: Error): void {
    this.#reject(this.#cut ?? error);
  }
}

/** `text`: a `copy … from stdin`. Throws what `chunks` throws, and PostgreSQL’s errors. */
export async function copyIn(client: pg.Client, text: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  await client.query(new CopyIn(text, chunks)).done;
}
