/**
 * The demo's own origin: the start page and the QA page under a strict policy, as a careful third-party site would serve them; the faucet;
 * and what a site with service wallets has, a sign-in and a back end. The example identity provider is served below it, too.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IdentityProvider } from '../service/config.ts';
import { listen } from '../service/listen.ts';
import { content, send, StaticFiles } from '../service/http/static-files.ts';
import type { SecretType } from '../src/chains/secret-type.ts';
import { backEnd, type ShopClient } from './back-end.ts';
import { Faucet } from './faucet.ts';
import type { LiveReload } from './live-reload.ts';
import type { LocalNetwork } from './networks/local-network.ts';
import type { LocalThorchain } from './networks/thorchain/index.ts';
import { makeTrouble, type TroubleOrder } from './networks/thorchain/trouble.ts';
import { REPORTED } from './networks/networks.ts';
import type { Settings } from './page/settings.ts';
import { prices, tickers } from './prices.ts';
import { bodyOf, isJson, json, type Part } from './requests.ts';
import { shop as sellingShop } from './shop/shop.ts';
import { exampleProvider } from './sign-in/provider.ts';
import { tickets } from './tickets.ts';
import { PROVIDER_NAME, sessions } from './sign-in/sessions.ts';

export interface DemoServerOptions {
  /** Folder that `npm run build` wrote. */
  dist: string;
  /** Pages wait until it is there. */
  built?: Promise<void>;
  port: number;
  /** Base URL of the frame's origin. */
  frame: string;
  /** Base URL of the docs. */
  docs?: string;
  /** Requests that need the local networks wait for them. */
  local: Promise<readonly LocalNetwork[]>;
  /** Undefined if fewer than two of its chains run. */
  thorchain?: Promise<LocalThorchain | undefined>;
  /** The shop's client at the wallet service; without it there is no sign-in and no back end. */
  shop?: Promise<ShopClient> | undefined;
  /** For development of the page. */
  live?: LiveReload | undefined;
}

export interface DemoServer {
  url: string;
  /** The example identity provider, as configured at the wallet service; only with a `shop`. */
  provider: IdentityProvider | undefined;
  close(): Promise<void>;
}

/**
 * `formAction`: where forms may go, redirects included. No inline scripts or styles, and no Trusted Types policy except lit-html's: the
 * elements promise to work under these.
 */
function headers(frame: string, formAction = "'none'"): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${frame}`,
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${frame}`,
    `frame-src ${frame}`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ];
  return { 'Content-Security-Policy': policy.join('; '), 'X-Content-Type-Options': 'nosniff' };
}

const ASSET = /^\/assets\/[\w-][\w.-]*$/;
const FAUCET_LIMIT = 1024;

/** The page's settings. */
function settingsOf(local: readonly LocalNetwork[], { shop, docs }: DemoServerOptions): Settings {
  return {
    service: shop !== undefined,
    ...(docs !== undefined && { docs }),
    chains: Object.fromEntries(
      local.map(({ network, contracts, assets, down }) => [
        network.secretType,
        { network, contracts, faucet: assets, down, reported: REPORTED[network.secretType] },
      ]),
    ),
  };
}

/** The faucet, the nodes' on/off switches, and what goes wrong with swaps between chains. */
function networkParts({ local, thorchain }: Pick<DemoServerOptions, 'local' | 'thorchain'>): Part {
  const ready = local.then((all) => {
    const byChain = new Map(all.map((each) => [each.network.secretType, each]));
    return { byChain, faucet: new Faucet(byChain) };
  });
  ready.catch(() => {});
  return async (path, request, response) => {
    if (request.method !== 'POST' || !['/faucet', '/node', '/trouble'].includes(path)) return false;
    const { byChain, faucet } = await ready;
    if (!isJson(request)) json(response, 415, { error: 'Send application/json.' });
    else if (path === '/faucet') {
      const answer = await faucet.answer(await bodyOf(request, FAUCET_LIMIT));
      json(response, answer.status, answer.body);
    } else if (path === '/trouble') {
      const swaps = await thorchain;
      if (!swaps) throw new Error('THORChain does not run here');
      await makeTrouble(swaps, JSON.parse(await bodyOf(request, FAUCET_LIMIT)) as TroubleOrder);
      json(response, 200, {});
    } else {
      const { secretType, down } = JSON.parse(await bodyOf(request, FAUCET_LIMIT)) as {
        secretType?: SecretType;
        down?: unknown;
      };
      const network = byChain.get(secretType!);
      if (network) network.down = down === true;
      if (network) json(response, 200, { down: network.down });
      else json(response, 400, { error: 'secretType: has no local network here' });
    }
    return true;
  };
}

const PAGES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/playground': 'playground.html',
  '/qa': 'qa.html',
};

/** The pages and their files. */
function pages(options: DemoServerOptions): Part {
  const { dist, built, frame, local, shop, live } = options;
  const files = new StaticFiles();
  const common = headers(frame);
  // Its checkout leads to the shop, which redirects to the service's payment page.
  const start = (async () =>
    shop ? headers(frame, `'self' ${new URL((await shop).url).origin}`) : common)();
  start.catch(() => {});

  async function find(path: string) {
    if (path === '/settings.json')
      return content(Buffer.from(JSON.stringify(settingsOf(await local, options))), path);
    await built;
    const page = Object.hasOwn(PAGES, path) ? PAGES[path]! : undefined;
    if (!page) return ASSET.test(path) ? files.get(join(dist, 'demo', path)) : undefined;
    const html = await readFile(join(dist, 'demo', page), 'utf8');
    const scripts = [`${frame}/connect.js`, ...(live ? ['/live-reload.js'] : [])]
      .map((url) => `<script type="module" src="${url}"></script>`)
      .join('');
    return content(Buffer.from(html.replace('<!--connect-->', scripts)), page);
  }

  return async (path, request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      response.writeHead(405, { ...common, Allow: 'GET, HEAD' }).end();
    else {
      const found = await find(path);
      if (found) await send(request, response, found, path === '/' ? await start : common);
      else response.writeHead(404, { ...common, 'Content-Type': 'text/plain' }).end('Not found\n');
    }
    return true;
  };
}

/** The server side of a site that uses the wallet service: an identity provider and a back end. */
async function serviceParts(port: number, shop: Promise<ShopClient>) {
  const issuer = `http://localhost:${port}/example-provider`;
  const client = {
    id: 'demo',
    secret: randomBytes(24).toString('base64url'),
    redirectUris: ['localhost', '127.0.0.1'].map((host) => `http://${host}:${port}/signed-in`),
  };
  const provider: IdentityProvider = {
    name: PROVIDER_NAME,
    issuer,
    audience: client.id,
    algorithms: ['ES256'],
    trustEmail: true,
    maxAge: 3600,
  };
  const parts = [
    await exampleProvider(issuer, client),
    sessions({ provider: { issuer, client }, shop }),
    backEnd(shop),
    sellingShop({ origin: `http://localhost:${port}`, client: shop }),
  ];
  return { provider, parts };
}

export async function startDemoServer(options: DemoServerOptions): Promise<DemoServer> {
  const parts: Part[] = [
    ...(options.live ? [options.live.part] : []),
    networkParts(options),
    prices(options.local),
    tickers(),
    tickets,
    pages(options),
  ];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0]!;
    for (const part of parts) if (await part(path, request, response)) return;
  }

  const { port, close } = await listen(
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else json(response, 400, { error: (error as Error).message });
      });
    },
    { port: options.port, setting: 'DEMO_PORT' },
  );
  const service = options.shop && (await serviceParts(port, options.shop));
  parts.unshift(...(service?.parts ?? []));
  return { url: `http://localhost:${port}`, provider: service?.provider, close };
}
