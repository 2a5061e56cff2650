/**
 * The file of a back-up: text, compressed with gzip. A line of JSON about the whole; for each table a line of JSON, its rows as COPY writes
 * them, the line `\.`, and a line of JSON that says how many there were; at last a line with MACs over everything before it. So no cut or
 * changed file is taken for a back-up, and none that was made with another master key.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import * as z from 'zod';
import { type KeyProvider, UnknownKeyVersion } from '../keys/key-provider.ts';
import type { Content, Table } from './tables.ts';

const FORMAT = 'carabiner back-up 1';
const END_OF_ROWS = Buffer.from('\\.\n');
const INNER_END = Buffer.from('\n\\.\n');

/** By version of the master key, in hex. */
const Macs = z.record(z.string().regex(/^[1-9]\d*$/), z.string().regex(/^[0-9a-f]{64}$/));

const Header = z.object({
  format: z.literal(FORMAT),
  /** When what it has was read; ISO 8601. */
  at: z.iso.datetime(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  keys: Macs,
});
export type Header = Omit<z.infer<typeof Header>, 'format'>;

const RowsRead = z.object({ rows: z.int().min(0), sha256: z.string() });
const Seal = z.object({ seal: Macs });

export class NotABackup extends Error {
  override name = 'NotABackup';
}

async function macsOf(
  keys: KeyProvider,
  versions: readonly number[],
  label: string,
): Promise<Record<string, string>> {
  const macs: Record<string, string> = {};
  for (const version of versions)
    macs[version] = Buffer.from(await keys.mac(`back-up ${label}`, version)).toString('hex');
  return macs;
}

/** Throws if one of the versions is missing, or other than it was. */
async function checkMacs(
  keys: KeyProvider,
  macs: Record<string, string>,
  label: string,
  wrong: string,
): Promise<void> {
  const versions = Object.keys(macs).map(Number);
  const own = await macsOf(keys, versions, label).catch((error: unknown) => {
    if (!(error instanceof UnknownKeyVersion)) throw error;
    throw new NotABackup(
      `The back-up needs version ${error.version} of the master key, which this one has not.`,
    );
  });
  if (versions.length === 0 || versions.some((version) => own[version] !== macs[version]))
    throw new NotABackup(wrong);
}

export interface NewBackup extends Omit<Header, 'keys'> {
  /** Those of the master key that the database needs, and the current one. */
  versions: readonly number[];
}

/** Writes a back-up: `rows` hands over the text of one table. */
export async function writeBackup(
  handle: FileHandle,
  keys: KeyProvider,
  { at, migrations, tables, versions }: NewBackup,
  rows: (table: Table, take: (chunk: Buffer) => Promise<void>) => Promise<Content>,
): Promise<Content[]> {
  const gzip = createGzip();
  const written = pipeline(gzip, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) await handle.writeFile(chunk);
  });
  // Said where it is awaited.
  written.catch(() => {});
  const digest = createHash('sha256');
  const put = async (chunk: Buffer | string): Promise<void> => {
    digest.update(chunk);
    if (gzip.write(chunk)) return;
    await Promise.race([new Promise((resolve) => gzip.once('drain', resolve)), written]);
  };
  const line = (value: object): Promise<void> => put(`${JSON.stringify(value)}\n`);
  const contents: Content[] = [];
  try {
    const header: z.infer<typeof Header> = {
      format: FORMAT,
      at,
      migrations: [...migrations],
      tables: [...tables],
      keys: await macsOf(keys, versions, at),
    };
    await line(header);
    for (const table of tables) {
      await line({ table: table.name });
      const content = await rows(table, put);
      await put(END_OF_ROWS);
      await line(content);
      contents.push(content);
    }
    const seal = await macsOf(keys, versions, `${at} ${digest.digest('hex')}`);
    gzip.end(`${JSON.stringify({ seal } satisfies z.infer<typeof Seal>)}\n`);
  } catch (error) {
    gzip.destroy();
    throw error;
  }
  await written;
  return contents;
}

/** Reads a back-up from its beginning to its end. Everything throws `NotABackup` for a file that is none, was cut off or changed. */
export class BackupReader {
  readonly #path: string;
  readonly #text: AsyncIterator<Buffer>;
  readonly #source: Readable;
  readonly #digest = createHash('sha256');
  #rest: Buffer = Buffer.alloc(0);

  constructor(path: string) {
    this.#path = path;
    const file = createReadStream(path);
    const gunzip = createGunzip();
    file.on('error', (error) => gunzip.destroy(error));
    this.#source = file;
    this.#text = file.pipe(gunzip)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  close(): void {
    this.#source.destroy();
  }

  /** Throws unless it was made with this master key. */
  async header(keys: KeyProvider): Promise<Header> {
    const header = await this.#json(Header);
    await checkMacs(
      keys,
      header.keys,
      header.at,
      `The back-up was made with another master key: put the one of ${header.at} in place.`,
    );
    return header;
  }

  /** The rows of the next table, which `fill` has to read to the end. */
  async table(name: string, fill: (rows: AsyncIterable<Buffer>) => Promise<void>): Promise<Content> {
    const { table } = await this.#json(z.object({ table: z.string() }));
    if (table !== name) throw this.#wrong();
    await fill(this.#rows());
    return this.#json(RowsRead);
  }

  /** Throws unless all that was read is as it was written. */
  async end(keys: KeyProvider, { at }: Header): Promise<void> {
    const digest = this.#digest.digest('hex');
    const seal = parsed(Seal, await this.#line());
    if (!seal || this.#rest.length > 0 || (await this.#more())) throw this.#wrong();
    await checkMacs(keys, seal.seal, `${at} ${digest}`, 'The back-up was changed after it was made.');
  }

  async *#rows(): AsyncGenerator<Buffer> {
    for (;;) {
      const isEmpty = this.#rest.subarray(0, END_OF_ROWS.length).equals(END_OF_ROWS);
      const end = isEmpty ? 0 : this.#rest.indexOf(INNER_END) + 1;
      if (isEmpty || end > 0) {
        if (end > 0) yield this.#take(end);
        this.#take(END_OF_ROWS.length);
        return;
      }
      // The last line may be the beginning of the end.
      const whole = this.#rest.lastIndexOf(0x0a) + 1;
      if (whole > 0) yield this.#take(whole);
      if (!(await this.#more())) throw this.#wrong();
    }
  }

  async #json<T>(schema: z.ZodType<T>): Promise<T> {
    const line = await this.#line();
    this.#digest.update(line);
    const value = parsed(schema, line);
    if (value === undefined) throw this.#wrong();
    return value;
  }

  /** With its line break. */
  async #line(): Promise<Buffer> {
    for (;;) {
      const end = this.#rest.indexOf(0x0a) + 1;
      if (end > 0) return this.#cut(end);
      if (!(await this.#more())) throw this.#wrong();
    }
  }

  /** Rows, which count in the digest. */
  #take(bytes: number): Buffer {
    const chunk = this.#cut(bytes);
    this.#digest.update(chunk);
    return chunk;
  }

  #cut(bytes: number): Buffer {
    const chunk = this.#rest.subarray(0, bytes);
    this.#rest = this.#rest.subarray(bytes);
    return chunk;
  }

  async #more(): Promise<boolean> {
    const next = await this.#text.next().catch((error: NodeJS.ErrnoException) => {
      throw /^E[A-Z]+$/.test(error.code ?? '') ? error : this.#wrong();
    });
    if (next.done) return false;
    this.#rest = Buffer.concat([this.#rest, next.value]);
    return true;
  }

  #wrong(): NotABackup {
    return new NotABackup(`${this.#path} is not a back-up of the service, or it was cut off.`);
  }
}

function parsed<T>(schema: z.ZodType<T>, line: Buffer): T | undefined {
  try {
    return schema.safeParse(JSON.parse(line.toString())).data;
  } catch {
    return undefined;
  }
}
