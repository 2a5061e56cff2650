/**
 * Third-party pages for the tests: one server, whose pages are same-site with the frame as `http://localhost:<port>` and
 * cross-site as `http://127.0.0.1:<port>`. Each page is as a shop would write it, plus a `#run` button and a log of events.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listen } from '../../service/listen.ts';
import { byAge, VERSION } from '../../service/releases.ts';
import { SECRET_TYPES, type SecretType } from '../../src/chains/secret-type.ts';

export interface Hosts {
  /** Same site as the frame, another origin. */
  sameSite: string;
  /** Another site. */
  crossSite: string;
  close(): Promise<void>;
}

/** What differs between the pages. */
interface Page {
  headers?: (frame: string) => Record<string, string>;
  /** Classic script that runs before everything else. */
  before?: string;
  /** Module that runs after the elements are registered. */
  after?: string;
  /** Without a `color-scheme`, like most pages: always light. */
  light?: boolean;
  /** Without the widget. */
  bare?: boolean;
  /** Also loads the script by a tag that wants the wallet announced (EIP-6963). */
  announces?: boolean;
  /** Path of the script, if it names a release. */
  script?: string;
  /** An earlier release, whose script the page serves itself, like a site that installed the package. */
  release?: string;
  /** Overrides the protocol version of that script. */
  protocol?: number;
  /** Its elements. A page without `<manage-wallets>` reads nothing by itself. */
  elements?: string;
}

const strict = (frame: string, sources: string): Record<string, string> => ({
  'Content-Security-Policy':
    `default-src 'none'; script-src 'self' ${frame}; connect-src 'self' ${frame}; style-src 'self'; base-uri 'none'; ` +
    `${sources}; require-trusted-types-for 'script'; trusted-types lit-html`,
});

/** Keeps copies of everything that a page can intercept by patching the platform's functions. */
const PATCHES = `
  const kept = (window.kept = []);
  const keep = (value) => {
    try { kept.push(String(typeof value === 'string' ? value : JSON.stringify(value, (_, v) => typeof v === 'bigint' ? String(v) : v))); } catch {}
  };
  for (const proto of [Window.prototype, MessagePort.prototype, globalThis]) {
    const post = proto.postMessage;
    if (typeof post === 'function')
      proto.postMessage = function (...args) { keep(args[0]); return post.apply(this, args); };
  }
  const onmessage = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
  Object.defineProperty(MessagePort.prototype, 'onmessage', {
    ...onmessage,
    set(listener) { onmessage.set.call(this, (event) => { keep(event.data); return listener.call(this, event); }); },
  });
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    if (typeof listener !== 'function') return add.call(this, type, listener, options);
    return add.call(this, type, function (event) {
      if (event instanceof MessageEvent) keep(event.data);
      if (event instanceof KeyboardEvent) keep('key ' + event.key);
      if (event instanceof InputEvent) keep('input ' + event.data);
      return listener.call(this, event);
    }, options);
  };
  for (const type of ['keydown', 'beforeinput', 'input', 'message', 'paste']) addEventListener(type, () => {}, true);
  const then = Promise.prototype.then;
  Promise.prototype.then = function (done, failed) {
    return then.call(this, typeof done === 'function' ? (value) => { keep(value); return done(value); } : done, failed);
  };
  const define = customElements.define.bind(customElements);
  customElements.define = (name, element, options) => {
    keep('define ' + name);
    const shadow = element.prototype.attachShadow;
    element.prototype.attachShadow = function (init) { return shadow.call(this, { ...init, mode: 'open' }); };
    define(name, element, options);
  };
  Object.prototype.walletId = 'polluted';
  Object.prototype.pincode = '000000';
  Object.prototype.surface = 'none';
  Object.prototype.mode = 'read';
  Object.prototype.origin = 'https://bank.example';
`;

const ELEMENTS = `<link-wallets></link-wallets>
    <manage-wallets chain="ETHEREUM"></manage-wallets>
    <transfer-dialog></transfer-dialog>
    <sign-request type="ETHEREUM_RAW" data="0x48656c6c6f"></sign-request>`;

/** A page of a shop that takes one coin. */
const ofChain = (chain: SecretType): Page => ({
  elements: `<link-wallets secret-types="${chain}"></link-wallets>
    <manage-wallets chain="${chain}"></manage-wallets>
    <transfer-dialog secret-type="${chain}"></transfer-dialog>`,
});

const KEPT = resolve(import.meta.dirname, '../releases');
/** The releases in the fixtures that `npm run keep-release` wrote, oldest first. */
export const RELEASES = readdirSync(KEPT).toSorted(byAge);

const onSite = (site: string): Page => ({
  elements: `<connect-provider site="${site}">${ELEMENTS}</connect-provider>`,
  after: `window.connect = createConnect({ site: '${site}' });`,
});

export function pathOf(chain: SecretType): string {
  return `/${chain.toLowerCase()}`;
}

const PAGES: Record<string, Page> = {
  '/': {},
  /** Without elements, so that nothing is read by itself. */
  '/plain': { elements: '' },
  '/light': { light: true },
  /** Every element. */
  '/all': { elements: `${ELEMENTS}<swap-panel></swap-panel>` },
  '/swap': { elements: '<manage-wallets chain="ETHEREUM"></manage-wallets><swap-panel></swap-panel>' },
  '/strict': { headers: (frame) => strict(frame, `frame-src ${frame}`) },
  '/no-frame-src': {
    headers: (frame) => strict(frame, "frame-src 'none'"),
    elements: '<sign-request type="ETHEREUM_RAW" data="0x48656c6c6f"></sign-request>',
  },
  '/isolated': {
    headers: () => ({
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    }),
  },
  /** Its policy blocks the request for `embed.json`. */
  '/no-connect-src': {
    headers: (frame) => ({ 'Content-Security-Policy': `connect-src 'self'; frame-src ${frame}` }),
  },
  '/coop': { headers: () => ({ 'Cross-Origin-Opener-Policy': 'same-origin' }) },
  /** Signs as soon as it has loaded, without a click: a browser blocks that window. */
  '/unasked': {
    after: `
      const element = document.querySelector('sign-request');
      element.walletId = (await connect.wallets())[0].id;
      const { open } = window;
      window.open = (...given) => {
        const opened = open.apply(window, given);
        console.log(opened ? 'opened' : 'blocked');
        return opened;
      };
      window.answer = settle(element.sign());`,
  },
  '/sandboxed': {
    headers: () => ({
      'Content-Security-Policy': 'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
    }),
  },
  '/patched': { before: PATCHES },
  /** They name the site that they share with the frame; the second one names a wider site than the frame's. */
  '/on-site': onSite('shop.localhost'),
  '/on-wider-site': onSite('localhost'),
  /** Leaves for the wallet, and is registered for that in `/.well-known/carabiner.json`. */
  '/redirect': { elements: `<connect-provider surface="redirect">${ELEMENTS}</connect-provider>` },
  '/redirect-plain': {
    elements: '',
    after: `
      window.connect = createConnect({ surface: 'redirect', returnTo: '/redirect-return' });
      window.arrived = [];
      window.connect.onPending((pending) => void window.arrived.push(pending));`,
  },
  /** Where the wallet answers the page before. */
  '/redirect-return': { elements: '', after: `createConnect({ surface: 'redirect' });` },
  '/pinned': { script: `/v${VERSION}/connect.js` },
  '/announced': { announces: true, elements: '' },
  '/bare': { bare: true },
  ...Object.fromEntries(RELEASES.map((release) => [`/${release}`, { release, elements: '' }])),
  '/too-old': { release: RELEASES[0]!, protocol: 0, elements: '' },
  ...Object.fromEntries(SECRET_TYPES.map((chain) => [pathOf(chain), ofChain(chain)])),
};

const MODULE = (
  frame: string,
  path: string,
  { script = '/connect.js', release, after = '' }: Page,
): string => `
  import { connect, createConnect } from '${release ? `/release${path}/connect.js` : frame + script}';
  window.connect = ${release ? `createConnect({ frame: '${frame}' })` : 'connect'};
  window.events = [];
  window.stages = [];
  window.settle = (promise) => promise.then(
    (value) => ({ value }),
    (error) => ({ error: { code: error.code, message: error.shortMessage, details: error.details, issues: error.issues } }),
  );
  for (const type of ['request', 'progress', 'result', 'cancel', 'error'])
    document.addEventListener('connect-' + type, (event) => {
      const { action, request, stage, result, error } = event;
      window.events.push({ type, action, request, stage, result, code: error?.code, on: event.target.localName });
    });
  document.querySelector('#run').addEventListener('click', () => { window.answer = settle(window.next()); });
  ${after}
  // From here on the elements know whether they may embed the wallet.
  await Promise.all(window.asked);
  setTimeout(() => (window.hostReady = true));
`;

/** Records the requests for `embed.json`. */
const ASKED = `
  window.asked = [];
  const real = window.fetch;
  window.fetch = (url, ...rest) => {
    const answer = real(url, ...rest);
    if (String(url).endsWith('/embed.json')) window.asked.push(answer.then((all) => all.clone().text(), () => {}));
    return answer;
  };
`;

/** A file of the earlier release that a page serves itself. */
function fileOf({ release, protocol }: Page, file: string): string {
  const text = readFileSync(join(KEPT, release!, file), 'utf8');
  return protocol === undefined ? text : text.replace(/\bprotocol:[\w$]+/, `protocol:${protocol}`);
}

const html = (
  { announces, before, bare, light, elements = ELEMENTS }: Page,
  path: string,
  frame: string,
): string =>
  bare
    ? '<!doctype html><html lang="en"><title>Another page</title><h1>Another page</h1></html>'
    : `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  ${light ? '' : '<meta name="color-scheme" content="light dark">'}
  <title>Shop</title>
  <link rel="stylesheet" href="/host.css">
  <script src="/asked.js"></script>
  ${before ? '<script src="/before.js?of=' + path + '"></script>' : ''}
  ${announces ? `<script type="module" src="${frame}/connect.js" data-announce></script>` : ''}
  <script type="module" src="/host.js?of=${path}"></script>
</head>
<body>
  <main>
    <h1>Shop</h1>
    <h2>Pay</h2>
    <button id="run" type="button">Run</button>
    ${elements}
  </main>
</body>
</html>`;

/** `name`: the host name of the pages that are same-site with the frame. */
export async function startHosts(frame: string, name = 'localhost'): Promise<Hosts> {
  const { port, close } = await listen(
    (request, response) => {
      const url = new URL(request.url ?? '/', 'http://host');
      const [, ofRelease, file = ''] = /^\/release(\/[^/]+)\/(.+)$/.exec(url.pathname) ?? [];
      const path = url.searchParams.get('of') ?? ofRelease ?? url.pathname;
      const page = PAGES[path];
      const send = (type: string, text: string, headers: Record<string, string> = {}): void =>
        void response.writeHead(200, { 'Content-Type': `text/${type}; charset=utf-8`, ...headers }).end(text);
      // A sandboxed page loads even its own modules from another origin, "null".
      const anyOrigin = { 'Access-Control-Allow-Origin': '*' };
      if (url.pathname === '/.well-known/carabiner.json') {
        const returns = ['redirect', 'redirect-return'].map(
          (name) => `http://${request.headers.host}/${name}`,
        );
        const registration = JSON.stringify({ version: 1, redirect: { returns } });
        response.writeHead(200, { 'Content-Type': 'application/json', ...anyOrigin }).end(registration);
      } else if (url.pathname === '/go')
        // An open redirector. The browser keeps the fragment.
        response.writeHead(302, { Location: url.searchParams.get('to') ?? '/' }).end();
      else if (url.pathname === '/host.css') send('css', 'body { background: Canvas; color: CanvasText; }');
      else if (url.pathname === '/asked.js') send('javascript', ASKED);
      else if (!page) response.writeHead(404).end();
      else if (ofRelease) send('javascript', fileOf(page, file));
      else if (url.pathname === '/host.js') send('javascript', MODULE(frame, path, page), anyOrigin);
      else if (url.pathname === '/before.js') send('javascript', page.before ?? '');
      else send('html', html(page, url.pathname, frame), page.headers?.(frame));
    },
    { port: 0, setting: 'tests' },
  );
  return { sameSite: `http://${name}:${port}`, crossSite: `http://127.0.0.1:${port}`, close };
}
