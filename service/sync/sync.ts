/**
 * `/sync/{kind}/{id}`: keeps encrypted copies of browsers' wallets, which it cannot read, for whoever has the key of an id. No account, no
 * cookie, no page but the wallet's own; unknown and unauthorised look the same. `docs/encrypted-copy.md`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { type CopyKind, type CopyTerms, MAX_OBJECT_BYTES } from '../../src/api/copy-object.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { Repeated } from '../concurrency/repeated.ts';
import { tooMany } from '../http/rate-limits.ts';
import { whileServing } from '../http/while-serving.ts';
import { networkAddress } from '../outbound/addresses.ts';
import type { Area, Service } from '../service.ts';
import { createCopy, newStateOf, replaceCopy, type Write } from './changes.ts';
import { Copies, type CopySettings, etagOf } from './copies.ts';
import { CopyRefusal } from './copy-refusal.ts';
import { gaugeCopies } from './copy-metrics.ts';
import { COPY_PATHS } from './copy-reference.ts';
import { signerOf } from './signed-request.ts';

const PATH = '/sync/:kind/:id';
/** What the wallet says before a copy is made; elsewhere nothing is at this path, and it offers none. */
const TERMS_PATH = '/sync';
const BINARY = 'application/octet-stream';
const HOUR_S = 3600;
const DAY_S = 86_400;
const SWEEP_MS = 3_600_000;
/** How long a count of all copies is used. */
const COUNT_MS = 60_000;

interface Target {
  Params: { kind: string; id: string };
}

export const sync: Area = (app, service) => {
  const { config, db, clock } = service;
  // Without a frame there is no page that may call it.
  if (config.frameUrl === undefined) return;
  const copies = new Copies(db);
  whileServing(app, () => sweepCopies(copies, config.copies.years, clock, app.log));
  if (app.metrics) gaugeCopies(app.metrics, db);
  allowFrame(app, new URL(config.frameUrl).origin);
  readObjects(app);
  Object.assign(app.documented, COPY_PATHS);
  app.setErrorHandler((error, request, reply) =>
    error instanceof CopyRefusal
      ? error.send(request, reply, `${service.url()}/docs`)
      : app.answerError(error, request, reply),
  );

  const terms: CopyTerms = { years: config.copies.years };
  app.get(TERMS_PATH, (_request, reply) => reply.send(terms));
  const calls = new CopyCalls(service, copies);
  const counted = app.perMinute > 0 ? { rateLimit: {} } : {};
  app.route<Target>({ method: 'GET', url: PATH, handler: (request, reply) => calls.read(request, reply) });
  app.route<Target>({
    method: 'PUT',
    url: PATH,
    config: counted,
    handler: (request, reply) => calls.put(request, reply),
  });
  app.route<Target>({
    method: 'DELETE',
    url: PATH,
    config: counted,
    handler: (request, reply) => calls.remove(request, reply),
  });
};

class CopyCalls {
  readonly #settings: CopySettings;
  readonly #limits: Service['limits'];
  readonly #copies: Copies;
  readonly #capacity: Capacity;

  constructor({ config, limits }: Service, copies: Copies) {
    this.#settings = config.copies;
    this.#limits = limits;
    this.#copies = copies;
    this.#capacity = new Capacity(copies, config.copies.most);
  }

  async read(request: FastifyRequest<Target>, reply: FastifyReply): Promise<FastifyReply> {
    const { kind, id } = targetOf(request.params);
    // Whoever signed nothing is looked up, too: with a key that nobody has.
    const copy = await this.#copies.find(kind, id, signerOf(request) ?? randomBytes(32));
    if (!copy) throw notThere();
    await this.#count(`copy read ${request.params.id}`, this.#settings.readsPerHour, HOUR_S);
    return reply
      .code(copy.isRemoved ? 410 : 200)
      .header('ETag', etagOf(copy))
      .type(BINARY)
      .send(copy.object);
  }

  async put(request: FastifyRequest<Target>, reply: FastifyReply): Promise<FastifyReply> {
    const write = writeOf(request);
    const { 'if-match': match, 'if-none-match': none } = request.headers;
    if ((none === '*') === (match !== undefined)) throw new CopyRefusal('copy.condition');
    const state = newStateOf(write, false);
    if (match === undefined) {
      await this.#count(`copy from ${networkAddress(request.ip)}`, this.#settings.newPerHour, HOUR_S);
      await this.#capacity.assertRoom();
      await createCopy(this.#copies, write, state);
      this.#capacity.added();
    } else {
      await this.#count(`copy write ${request.params.id}`, this.#settings.writesPerDay, DAY_S);
      await replaceCopy(this.#copies, write, state, match);
    }
    const etag = etagOf({ counter: state.header.counter, hash: state.hash });
    return noContent(reply.code(match === undefined ? 201 : 204).header('ETag', etag));
  }

  /** Not limited by the day: who wants it gone has it gone. */
  async remove(request: FastifyRequest<Target>, reply: FastifyReply): Promise<FastifyReply> {
    const write = writeOf(request);
    const { 'if-match': match } = request.headers;
    if (match === undefined) throw new CopyRefusal('copy.condition');
    await replaceCopy(this.#copies, write, newStateOf(write, true), match);
    return noContent(reply.code(204));
  }

  async #count(key: string, limit: number, seconds: number): Promise<void> {
    if (limit === 0) return;
    const { allowed, ttl } = await this.#limits.take(key, limit, { exact: true, seconds });
    if (!allowed) throw tooMany(ttl);
  }
}

function writeOf(request: FastifyRequest<Target>): Write {
  const signer = signerOf(request);
  if (!signer) throw new CopyRefusal('copy.signature');
  if (!Buffer.isBuffer(request.body))
    throw new ConnectError('request.media-type', `Send the object as ${BINARY}.`);
  return { ...targetOf(request.params), signer, object: request.body };
}

function targetOf({ kind, id }: Target['Params']): { kind: CopyKind; id: Buffer } {
  const bytes = Buffer.from(id, 'base64url');
  // One path for each id: the last character has bits to spare.
  const isId = bytes.length === 32 && bytes.toString('base64url') === id;
  if ((kind !== 'slot' && kind !== 'vault') || !isId) throw notThere();
  return { kind, id: bytes };
}

const notThere = (): ConnectError => new ConnectError('request.not-found', 'There is nothing at this path.');

function noContent(reply: FastifyReply): FastifyReply {
  return reply.header('Content-Length', '0').send();
}

/** Only the wallet's own page may call, whichever pages may call the rest of the service. */
function allowFrame(app: FastifyInstance, frame: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.removeHeader('Access-Control-Allow-Origin').header('Vary', 'Origin');
    if (request.headers.origin === frame)
      void reply.headers({
        'Access-Control-Allow-Origin': frame,
        'Access-Control-Expose-Headers': 'Date, ETag, Retry-After, X-Request-Id',
      });
    done();
  });
  app.options(PATH, { config: { rateLimit: false } }, (_request, reply) =>
    noContent(
      reply.code(204).headers({
        Allow: 'GET, HEAD, PUT, DELETE, OPTIONS',
        'Access-Control-Allow-Methods': 'GET, PUT, DELETE',
        'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-Match, If-None-Match',
        'Access-Control-Max-Age': '600',
      }),
    ),
  );
}

function readObjects(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    BINARY,
    { parseAs: 'buffer', bodyLimit: MAX_OBJECT_BYTES },
    (_request, body, done) => done(null, body),
  );
}

/** Counted once a minute at most, and what this process adds meanwhile. */
class Capacity {
  readonly #copies: Copies;
  readonly #most: number;
  #count = 0;
  #until = 0;

  constructor(copies: Copies, most: number) {
    this.#copies = copies;
    this.#most = most;
  }

  /** Throws `copy.full`. */
  async assertRoom(): Promise<void> {
    if (this.#most === 0) return;
    if (performance.now() >= this.#until) {
      this.#count = await this.#copies.count();
      this.#until = performance.now() + COUNT_MS;
    }
    if (this.#count >= this.#most) throw new CopyRefusal('copy.full');
  }

  added(): void {
    this.#count++;
  }
}

function sweepCopies(
  copies: Copies,
  years: number,
  clock: Service['clock'],
  log: FastifyInstance['log'],
): Repeated {
  const round = async (): Promise<void> => {
    await clock.doubt();
    await copies.sweep(years);
  };
  return new Repeated(
    () =>
      round().catch((error: unknown) =>
        log.warn({ err: error }, 'old encrypted copies could not be deleted'),
      ),
    SWEEP_MS,
  );
}
