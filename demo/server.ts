/** The demo's own origin: the QA page under a strict policy, as a careful third-party site would serve it, and the faucet. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listen } from '../service/listen.ts';
import { content, send, StaticFiles } from '../service/static-files.ts';
import type { SecretType } from '../src/chains/secret-type.ts';
import { Faucet } from './faucet.ts';
import type { LocalNetwork } from './networks/local-network.ts';
import { REPORTED } from './networks/networks.ts';
import type { Settings } from './page/settings.ts';

export interface DemoServerOptions {
  /** Folder that `npm run build` wrote. */
  dist: string;
  port: number;
  /** Base URL of the frame's origin. */
  frame: string;
  local: readonly LocalNetwork[];
}

/** No inline script, no inline style, no policy that is not lit-html's: what the elements promise to need. */
function headers(frame: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${frame}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src ${frame}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ];
  return { 'Content-Security-Policy': policy.join('; '), 'X-Content-Type-Options': 'nosniff' };
}

const ASSET = /^\/assets\/[\w-][\w.-]*$/;
const BODY_LIMIT = 1024;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) {
    text += String(part);
    if (text.length > BODY_LIMIT) throw new RangeError('The body is too long.');
  }
  return text;
}

/** What the page is told. */
function settingsOf(local: readonly LocalNetwork[]): Settings {
  return {
    chains: Object.fromEntries(
      local.map(({ network, contracts, assets, down }) => [
        network.secretType,
        { network, contracts, faucet: assets, down, reported: REPORTED[network.secretType] },
      ]),
    ),
  };
}

export async function startDemoServer({ dist, port, frame, local }: DemoServerOptions) {
  const files = new StaticFiles();
  const byChain = new Map(local.map((each) => [each.network.secretType, each]));
  const faucet = new Faucet(byChain);
  const common = headers(frame);

  function json(response: ServerResponse, status: number, body: unknown): void {
    response.writeHead(status, { ...common, 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }

  async function page(): Promise<string> {
    const html = await readFile(join(dist, 'demo/index.html'), 'utf8');
    return html.replace('<!--connect-->', `<script type="module" src="${frame}/connect.js"></script>`);
  }

  async function post(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Another site can post a form or plain text, but not JSON.
    if (!request.headers['content-type']?.startsWith('application/json'))
      return json(response, 415, { error: 'Send application/json.' });
    const body = await bodyOf(request);
    if (path === '/faucet') {
      const answer = await faucet.answer(body);
      return json(response, answer.status, answer.body);
    }
    const { secretType, down } = JSON.parse(body) as { secretType?: SecretType; down?: unknown };
    const network = byChain.get(secretType!);
    if (!network) return json(response, 400, { error: 'secretType: has no local network here' });
    network.down = down === true;
    return json(response, 200, { down: network.down });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0]!;
    if (request.method === 'POST' && (path === '/faucet' || path === '/node'))
      return post(path, request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { ...common, Allow: 'GET, HEAD' }).end();
    if (path === '/settings.json')
      return send(request, response, content(Buffer.from(JSON.stringify(settingsOf(local))), path), common);
    if (path === '/')
      return send(request, response, content(Buffer.from(await page()), 'index.html'), common);
    const found = ASSET.test(path) ? await files.get(join(dist, 'demo', path)) : undefined;
    if (found) return send(request, response, found, common);
    response.writeHead(404, { ...common, 'Content-Type': 'text/plain' }).end('Not found\n');
  }

  const server = await listen(
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else json(response, 400, { error: (error as Error).message });
      });
    },
    { port, setting: 'DEMO_PORT' },
  );
  return { url: `http://localhost:${server.port}`, close: server.close };
}
