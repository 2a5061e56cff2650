/**
 * `GET /pictures/{network}/{contract}/{token}`: the picture of a non-fungible token, and `GET /pictures/{network}/{contract}?tokens=7,8` the
 * names of several, for the wallet, which itself contacts only its nodes. Only contracts that the network lists, so that this is no open
 * proxy; only raster images, in which nothing can run.
 */
import { ConnectError } from '../../src/base/errors.ts';
import { tokenUri } from '../../src/chains/evm/non-fungibles.ts';
import { IPFS_GATEWAY } from '../../src/chains/evm/token-metadata.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import { readBytes } from '../outbound/read-text.ts';
import type { Area } from '../service.ts';
import { Descriptions } from './descriptions.ts';
import { readRaster } from './raster.ts';

const LIMITS = { bytes: 4_194_304, milliseconds: 8_000, redirects: 3 };
/** Milliseconds for the description. */
const TIME = 6_000;
/** Pixels per side: a browser decodes the whole picture, however small the file is. */
const MAX_SIDE = 4_096;

/** The highest token id in ERC-721. */
const MAX_ID = 2n ** 256n - 1n;

/** How long a picture is cached, here and by browsers; one that was not found is requested again sooner. */
const KEPT_SECONDS = 86_400;
const FAILED_SECONDS = 300;
/** Total bytes in the cache. */
const MAX_CACHED = 67_108_864;
const MAX_ENTRIES = 10_000;

/** Pictures fetched at a time, and requests that may wait. */
const CONCURRENT = 16;
const MAX_WAITING = 200;
/** Requests for pictures from one client address. */
const PER_MINUTE = 240;
const NAMES_PER_MINUTE = 60;

/** Tokens whose names are requested at a time. */
const TOKENS = /^\d{1,78}(,\d{1,78}){0,49}$/;
/** How long names are cached by browsers: as long as a description is cached here. */
const NAMES_SECONDS = 3_600;

/** Any page may use the answers: they are public, and requested without credentials. */
const PUBLIC = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };

interface Picture {
  type: string;
  body: Buffer;
}

interface CachedPicture {
  picture: Promise<Picture | undefined>;
  /** Milliseconds since 1970. */
  until: number;
  size: number;
}

/** Least recently used first. */
class Cache {
  readonly #kept = new Map<string, CachedPicture>();
  #size = 0;

  /** Concurrent callers share one `read`. */
  get(key: string, read: () => Promise<Picture | undefined>): Promise<Picture | undefined> {
    const entry = this.#kept.get(key);
    if (entry) this.#drop(key, entry);
    const kept = entry && Date.now() < entry.until ? entry : this.#start(key, read);
    this.#add(key, kept);
    return kept.picture;
  }

  #start(key: string, read: () => Promise<Picture | undefined>): CachedPicture {
    const kept: CachedPicture = { picture: read(), until: Infinity, size: 0 };
    kept.picture.then(
      (picture) => {
        kept.until = Date.now() + 1000 * (picture ? KEPT_SECONDS : FAILED_SECONDS);
        if (this.#kept.get(key) !== kept) return;
        this.#drop(key, kept);
        kept.size = picture?.body.length ?? 0;
        this.#add(key, kept);
      },
      // The service was busy or the node unreachable, which says nothing about the picture.
      () => this.#kept.get(key) === kept && this.#drop(key, kept),
    );
    return kept;
  }

  #add(key: string, kept: CachedPicture): void {
    this.#kept.set(key, kept);
    this.#size += kept.size;
    for (const [oldest, old] of this.#kept) {
      if (this.#size <= MAX_CACHED && this.#kept.size <= MAX_ENTRIES) break;
      this.#drop(oldest, old);
    }
  }

  #drop(key: string, kept: CachedPicture): void {
    this.#kept.delete(key);
    this.#size -= kept.size;
  }
}

const notFound = (message: string): ConnectError => new ConnectError('request.not-found', message);

/** Pictures in the contract itself. */
const INLINE = /^data:image\/[\w.+-]+;base64,/i;

export const pictures: Area = (app, { networks, outbound }) => {
  const gateway = networks.file.ipfsGateway ?? IPFS_GATEWAY;
  const descriptions = new Descriptions(outbound, gateway);
  const semaphore = new Semaphore(CONCURRENT, MAX_WAITING);
  const cache = new Cache();

  async function read(network: string, contract: string, tokenId: bigint): Promise<Picture | undefined> {
    const { node } = await networks.reach('ETHEREUM', network);
    const [described] = await descriptions.read([await tokenUri(contract, tokenId, node)], TIME);
    const url = described!.imagePreviewUrl ?? described!.imageUrl;
    const inline = INLINE.exec(url)?.[0];
    try {
      const body = inline
        ? Buffer.from(url.slice(inline.length), 'base64')
        : await readBytes(outbound, url, LIMITS, 'image/png, image/jpeg, image/webp, image/gif');
      const raster = readRaster(body);
      const fits = raster && Math.max(raster.width, raster.height) <= MAX_SIDE;
      return fits ? { type: raster.type, body } : undefined;
    } catch {
      // No address, a refused one, or an answer beyond the limits: there is no picture to show.
      return undefined;
    }
  }

  const listedAt = (network: string, contract: string) =>
    networks.file.networks
      .find(({ id, secretType, nodes }) => id === network && secretType === 'ETHEREUM' && nodes.length > 0)
      ?.nonFungibles?.find(({ address }) => address.toLowerCase() === contract.toLowerCase());

  app.get<{ Params: { network: string; contract: string }; Querystring: { tokens?: unknown } }>(
    '/pictures/:network/:contract',
    { config: { rateLimit: { max: NAMES_PER_MINUTE } } },
    async ({ params: { network, contract }, query: { tokens } }, reply) => {
      const listed = listedAt(network, contract);
      const ids =
        typeof tokens === 'string' && TOKENS.test(tokens) ? [...new Set(tokens.split(',').map(BigInt))] : [];
      if (!listed || !ids.length || ids.some((id) => id > MAX_ID))
        throw notFound('Ask for 1 to 50 token ids of a contract that networks.json lists.');
      const read = await semaphore.run(async () => {
        const { node } = await networks.reach('ETHEREUM', network);
        const uris = await Promise.all(ids.map((id) => tokenUri(listed.address, id, node)));
        return descriptions.read(uris, TIME);
      });
      const named = ids.flatMap((id, i) => (read[i]!.name ? [[String(id), read[i]!.name] as const] : []));
      // A missing name may be available soon.
      const seconds = named.length < ids.length ? FAILED_SECONDS : NAMES_SECONDS;
      void reply.headers({ ...PUBLIC, 'Cache-Control': `public, max-age=${seconds}` });
      return Object.fromEntries(named);
    },
  );

  app.get<{ Params: { network: string; contract: string; token: string } }>(
    '/pictures/:network/:contract/:token',
    { config: { rateLimit: { max: PER_MINUTE } } },
    async ({ params: { network, contract, token } }, reply) => {
      const listed = listedAt(network, contract);
      const tokenId = /^\d{1,78}$/.test(token) ? BigInt(token) : MAX_ID + 1n;
      if (!listed || tokenId > MAX_ID)
        throw notFound('There are pictures only of contracts that networks.json lists.');
      const key = [network, listed.address, tokenId].join(' ');
      const picture = await cache.get(key, () => semaphore.run(() => read(network, listed.address, tokenId)));
      void reply.headers({
        ...PUBLIC,
        'Cache-Control': `public, max-age=${picture ? KEPT_SECONDS : FAILED_SECONDS}`,
      });
      if (!picture) throw notFound('This token has no picture that can be shown.');
      return reply
        .header('Content-Security-Policy', "default-src 'none'; sandbox")
        .type(picture.type)
        .send(picture.body);
    },
  );
};
