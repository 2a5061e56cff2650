import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createConnection } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { embedAnswer, wrongOrigins } from '../../service/networks/embed.ts';
import { frameHeaders } from '../../service/frame-headers.ts';
import { type Running, startFrameServer } from '../../service/frame-server.ts';
import { readNetworks } from '../../service/networks/networks-file.ts';
import { nginxFiles } from '../../service/nginx-files.ts';
import { INTEGRITY, integrityOf } from '../../service/integrity.ts';
import { byAge, checkedEntries, scripts, VERSION } from '../../service/releases.ts';
import { Networks } from '../../src/chains/network.ts';
import { DEADLINE_MS } from '../waiting.ts';

const networks = Networks.parse({
  embed: ['https://shop.example', 'https://www.shop.example'],
  networks: [
    {
      id: 'one',
      secretType: 'ETHEREUM',
      name: 'One',
      kind: 'local',
      chainId: 31337,
      nodes: ['http://127.0.0.1:8545/rpc?key=1', 'https://node.example'],
    },
    {
      id: 'two',
      secretType: 'ETHEREUM',
      name: 'Two',
      kind: 'mainnet',
      chainId: 1,
      nodes: ['https://node.example/v2'],
    },
  ],
});

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Sends the path unchanged: `fetch` would resolve the dots. */
function ask(
  url: string,
  path: string,
  method = 'GET',
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ host: hostname, port, path, method, headers, agent: false }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) });
    });
    sent.once('error', reject).end();
  });
}

describe('the server of the frame’s origin', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-frame-'));
  const dist = join(folder, 'dist');
  let server: Running;

  before(async () => {
    const files: Record<string, string> = {
      'connect.js': 'export const connect = "connect";'.repeat(40),
      'chunks/form-AbCd_123.js': 'export {};',
      'frame/index.html': '<!doctype html><title>Frame</title>',
      'read/index.html': '<!doctype html><title>Reads</title>',
      'wallet/index.html': '<!doctype html><title>Own page</title>',
      'read/assets/main-AbCd_123.js': 'export {};',
      'frame/assets/main-AbCd_123.js': 'export {};',
      'frame/assets/worker-AbCd_123.js': 'export {};',
      'index.js': 'export {};',
      'demo/index.html': 'demo',
      'frame/.secret': 'secret',
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(dist, name, '..'), { recursive: true });
      writeFileSync(join(dist, name), text);
    }
    writeFileSync(join(folder, 'package.json'), '{}');
    server = await startFrameServer({ dist, networks, port: 0 });
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it('sends the frame page with its policy, which names every node’s origin once', async () => {
    const { status, headers } = await ask(server.url, '/frame/');
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.deepEqual(String(headers['content-security-policy']).split('; '), [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "worker-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self' http://127.0.0.1:8545 https://node.example",
      "base-uri 'none'",
      "form-action 'none'",
      'frame-ancestors https://shop.example https://www.shop.example',
      "require-trusted-types-for 'script'",
      'trusted-types lit-html carabiner',
    ]);
    assert.equal(headers['cross-origin-opener-policy'], 'unsafe-none');
    assert.equal(headers['cross-origin-embedder-policy'], 'require-corp');
    const permissions = String(headers['permissions-policy']).split(', ');
    assert.deepEqual(
      permissions.filter((each) => !each.endsWith('=()')),
      [
        'camera=(self)',
        'clipboard-read=(self)',
        'clipboard-write=(self)',
        'publickey-credentials-get=(self)',
        'publickey-credentials-create=(self)',
        'window-management=(self)',
      ],
    );
    for (const off of ['geolocation=()', 'microphone=()', 'payment=()', 'usb=()'])
      assert.ok(permissions.includes(off), off);
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(headers['origin-agent-cluster'], '?1');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['x-frame-options'], undefined);
    assert.equal(headers['access-control-allow-origin'], undefined);
  });

  it('writes for nginx the headers that it sends itself, also with errors, and the files that it makes', () => {
    const files = nginxFiles(networks);
    const lines = (name: string): string[] =>
      files[name]!.split('\n').filter((line) => line.startsWith('add_header '));
    for (const [name, headers] of [
      ['frame.conf', frameHeaders({ networks })],
      ['read.conf', frameHeaders({ networks }, 'read')],
      ['wallet.conf', frameHeaders({ networks }, 'wallet')],
      ['public.conf', { ...frameHeaders({ networks }), 'Access-Control-Allow-Origin': '*' }],
    ] as const)
      assert.deepEqual(
        lines(name),
        Object.entries(headers).map(([header, value]) => `add_header ${header} "${value}" always;`),
      );
    assert.deepEqual(Networks.parse(JSON.parse(files['networks.json']!)), networks);
    assert.deepEqual(JSON.parse(files['embed.json']!), { embed: networks.embed });
    const many = Array.from({ length: 50 }, (_, i) => `https://shop-${i}.example.com`);
    assert.throws(() => nginxFiles({ ...networks, embed: many }), /embed names more pages/);
  });

  it('lets the wallet draw pictures of the one source of them, by its origin, and the page for reads none', () => {
    const pictures = 'https://service.example/pictures/';
    const sources = (page: 'frame' | 'read') =>
      /img-src [^;]*/.exec(
        frameHeaders({ networks: { ...networks, pictures } }, page)['Content-Security-Policy']!,
      )?.[0];
    assert.equal(sources('frame'), "img-src 'self' data: https://service.example");
    assert.equal(sources('read'), "img-src 'self' data:");
    // Names of what they show come from there, too.
    const reached = (page: 'frame' | 'read') =>
      /connect-src [^;]*/.exec(
        frameHeaders({ networks: { ...networks, pictures } }, page)['Content-Security-Policy']!,
      )![0];
    assert.match(reached('frame'), / https:\/\/service\.example( |$)/);
    assert.doesNotMatch(reached('read'), /service\.example/);
    assert.equal(
      Networks.safeParse({ networks: [], pictures: 'https://service.example/pictures' }).success,
      false,
    );
  });

  it('lets any page embed the one for reads, which may use nothing of the device', async () => {
    const { status, headers, body } = await ask(server.url, '/read/');
    assert.equal(status, 200);
    assert.match(body.toString(), /Reads/);
    assert.match(String(headers['content-security-policy']), /; frame-ancestors \*;/);
    assert.match(String(headers['content-security-policy']), /require-trusted-types-for 'script'/);
    assert.doesNotMatch(String(headers['permissions-policy']), /\(self\)/);
    assert.equal(headers['cross-origin-embedder-policy'], 'require-corp');
    const script = await ask(server.url, '/read/assets/main-AbCd_123.js');
    assert.equal(script.headers['content-security-policy'], headers['content-security-policy']);
  });

  it('keeps the wallet’s own page, to which `/` leads, from every other page', async () => {
    const { status, headers, body } = await ask(server.url, '/wallet/');
    assert.equal(status, 200);
    assert.match(body.toString(), /Own page/);
    const policy = String(headers['content-security-policy']);
    assert.match(
      policy,
      /; manifest-src 'self';.*; frame-ancestors 'none';.*require-trusted-types-for 'script'/,
    );
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
    assert.equal(headers['access-control-allow-origin'], undefined);
    assert.match(
      String(headers['permissions-policy']),
      /camera=\(self\).*publickey-credentials-get=\(self\)/,
    );
    for (const path of ['/', '/?to=0x1']) {
      const led = await ask(server.url, path);
      assert.deepEqual([led.status, led.headers['location']], [302, 'wallet/']);
      assert.equal(led.headers['content-security-policy'], policy);
      assert.equal(led.headers['cross-origin-opener-policy'], 'same-origin');
    }
    assert.equal((await ask(server.url, '/', 'POST')).status, 405);
    const custom = { networks: { ...networks, customNodes: true } };
    const reached = (page: 'frame' | 'wallet'): string =>
      /connect-src [^;]*/.exec(frameHeaders(custom, page)['Content-Security-Policy']!)![0];
    assert.match(reached('frame'), / https:( |$)/);
    assert.doesNotMatch(reached('wallet'), / https:( |$)/);
  });

  it('tells a page whether it may embed the wallet, for five minutes', async () => {
    const { status, headers, body } = await ask(server.url, '/embed.json', 'GET', {
      Origin: 'https://other.example',
    });
    assert.equal(status, 200);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['cache-control'], 'public, max-age=300');
    assert.match(String(headers['vary']), /\bOrigin\b/);
    assert.deepEqual(JSON.parse(body.toString()), { embed: networks.embed });
  });

  it('sends its policy with every answer, including errors', async () => {
    const paths = [
      '/',
      '/frame',
      '/frame/missing.js',
      '/read/missing.js',
      '/nothing',
      '/connect.js',
      '/networks.json',
    ];
    for (const path of paths)
      assert.match(
        String((await ask(server.url, path)).headers['content-security-policy']),
        /^default-src 'none';.*frame-ancestors /,
        path,
      );
    assert.match(
      String((await ask(server.url, '/frame/', 'POST')).headers['content-security-policy']),
      /frame-ancestors https:\/\/shop\.example /,
    );
    const tooLong = await ask(server.url, '/frame/', 'GET', { 'X-Long': 'a'.repeat(20_000) });
    assert.equal(tooLong.status, 431);
    assert.match(String(tooLong.headers['content-security-policy']), /frame-ancestors 'none'/);
  });

  it('holds the worker to the policy of the page', async () => {
    const page = await ask(server.url, '/frame/');
    const worker = await ask(server.url, '/frame/assets/worker-AbCd_123.js');
    assert.equal(worker.headers['content-security-policy'], page.headers['content-security-policy']);
  });

  it('lets any page load connect.js, its chunks and networks.json', async () => {
    for (const path of ['/connect.js', '/chunks/form-AbCd_123.js', '/networks.json']) {
      const { status, headers } = await ask(server.url, path);
      assert.equal(status, 200, path);
      assert.equal(headers['access-control-allow-origin'], '*', path);
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin', path);
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
    }
    const { body } = await ask(server.url, '/networks.json');
    assert.deepEqual(Networks.parse(JSON.parse(body.toString())), networks);
  });

  it('serves nothing else', async () => {
    const paths = [
      '/wallet',
      '/frame',
      '/index.js',
      '/demo/index.html',
      '/package.json',
      // An origin that it listed could use the wallet's passkeys.
      '/.well-known/webauthn',
      '/frame/missing.js',
      '/frame/assets/',
      '/frame/.secret',
      '/chunks/',
    ];
    for (const path of paths) assert.equal((await ask(server.url, path)).status, 404, path);
  });

  it('never leaves its folder', async () => {
    const paths = [
      '/frame/../package.json',
      '/frame/../../package.json',
      '/frame/%2e%2e/%2e%2e/package.json',
      '/frame/..%2f..%2fpackage.json',
      '/frame/..\\..\\package.json',
      '/frame/assets/../../index.js',
      '/chunks/../index.js',
      '//etc/passwd',
      '/frame//etc/passwd',
      '/frame/index.html%00.js',
    ];
    for (const path of paths) assert.equal((await ask(server.url, path)).status, 404, path);
  });

  it('answers GET and HEAD only', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await ask(server.url, '/frame/', method);
      assert.equal(status, 405, method);
      assert.equal(headers['allow'], 'GET, HEAD');
    }
    const { status, headers, body } = await ask(server.url, '/connect.js', 'HEAD');
    assert.equal(status, 200);
    assert.equal(body.length, 0);
    assert.ok(Number(headers['content-length']) > 0);
  });

  it('compresses as the browser asks', async () => {
    const plain = await ask(server.url, '/connect.js');
    assert.equal(plain.headers['content-encoding'], undefined);
    const brotli = await ask(server.url, '/connect.js', 'GET', { 'Accept-Encoding': 'gzip, deflate, br' });
    assert.equal(brotli.headers['content-encoding'], 'br');
    assert.deepEqual(brotliDecompressSync(brotli.body), plain.body);
    const gzip = await ask(server.url, '/connect.js', 'GET', { 'Accept-Encoding': 'gzip, br;q=0' });
    assert.equal(gzip.headers['content-encoding'], 'gzip');
    assert.deepEqual(gunzipSync(gzip.body), plain.body);
  });

  it('serves the build’s compressed files, unless the original is newer', async () => {
    const file = join(dist, 'connect.js');
    const text = 'export const connect = "again";'.repeat(40);
    const br = { 'Accept-Encoding': 'br' };
    writeFileSync(file, text);
    writeFileSync(`${file}.br`, brotliCompressSync('as the build made it'));
    const built = await ask(server.url, '/connect.js', 'GET', br);
    assert.equal(String(brotliDecompressSync(built.body)), 'as the build made it');
    const later = new Date(statSync(`${file}.br`).mtimeMs + 60_000);
    utimesSync(file, later, later);
    const edited = await ask(server.url, '/connect.js', 'GET', br);
    assert.equal(String(brotliDecompressSync(edited.body)), text);
    assert.equal((await ask(server.url, '/connect.js.br')).status, 404);
  });

  it('lets browsers cache files named by their content, and revalidate the rest', async () => {
    const hashed = await ask(server.url, '/chunks/form-AbCd_123.js');
    assert.equal(hashed.headers['cache-control'], 'public, max-age=31536000, immutable');
    const page = await ask(server.url, '/frame/');
    assert.equal(page.headers['cache-control'], 'no-cache');
    const again = await ask(server.url, '/frame/', 'GET', { 'If-None-Match': String(page.headers['etag']) });
    assert.equal(again.status, 304);
    assert.equal(again.body.length, 0);
    assert.ok(again.headers['content-security-policy']);
  });

  it('has a different ETag for each encoding', async () => {
    const tags = [];
    for (const encoding of ['identity', 'gzip', 'br']) {
      const accepts = { 'Accept-Encoding': encoding };
      const etag = String((await ask(server.url, '/connect.js', 'GET', accepts)).headers['etag']);
      tags.push(etag);
      for (const known of [etag, `"other", W/${etag}`])
        assert.equal(
          (await ask(server.url, '/connect.js', 'GET', { ...accepts, 'If-None-Match': known })).status,
          304,
        );
    }
    assert.equal(new Set(tags).size, 3);
    const other = { 'Accept-Encoding': 'br', 'If-None-Match': tags[0]! };
    assert.equal((await ask(server.url, '/connect.js', 'GET', other)).status, 200);
  });

  it('sends a file again after it was rebuilt', async () => {
    writeFileSync(join(dist, 'chunks/form-AbCd_123.js'), 'export const changed = true;');
    assert.match((await ask(server.url, '/chunks/form-AbCd_123.js')).body.toString(), /changed/);
  });

  it('answers localhost on each of its addresses', async () => {
    const { port } = new URL(server.url);
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all!.map(({ address }) => address));
    // Containers often have no IPv6.
    for (const host of ['127.0.0.1', '::1'].filter((address) => addresses.includes(address))) {
      const reached = await new Promise<boolean>((resolve) => {
        const socket = createConnection({ host, port: Number(port) }, () => resolve(true));
        socket.once('connect', () => socket.end()).once('error', () => resolve(false));
      });
      assert.ok(reached, host);
    }
  });

  it('names a port that is in use, and the setting it came from', async () => {
    const port = Number(new URL(server.url).port);
    await assert.rejects(startFrameServer({ dist, networks, port }), {
      message: `port ${port} (FRAME_PORT) is taken`,
    });
  });
});

describe('the script of a release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-releases-'));
  const kept = join(folder, 'releases');
  const dist = join(folder, 'dist');
  for (const name of ['0.0.9', '1.9.0', '1.10.0', '2.0.0-rc.1', 'notes']) {
    mkdirSync(join(kept, name, 'chunks'), { recursive: true });
    writeFileSync(join(kept, name, 'connect.js'), `export const of = '${name}';`);
    writeFileSync(join(kept, name, 'chunks/form-AbCd_123.js'), 'export {};');
  }
  mkdirSync(join(dist, 'chunks'), { recursive: true });
  writeFileSync(join(dist, 'connect.js'), 'export const of = "this";');
  writeFileSync(join(dist, 'chunks/form-AbCd_123.js'), 'export {};');
  writeFileSync(join(folder, 'package.json'), '{}');
  let server: Running;

  before(async () => {
    server = await startFrameServer({ dist, releases: kept, networks, port: 0 });
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it('is this one under its version, permanently, and under its line, while it is the newest', async () => {
    const [major, minor] = VERSION.split('.');
    const line = major === '0' ? `/v0.${minor}` : `/v${major}`;
    for (const [path, caching] of [
      [`/v${VERSION}/connect.js`, 'public, max-age=31536000, immutable'],
      [`/v${VERSION}/chunks/form-AbCd_123.js`, 'public, max-age=31536000, immutable'],
      [`${line}/connect.js`, 'no-cache'],
      [`${line}/chunks/form-AbCd_123.js`, 'public, max-age=31536000, immutable'],
      ['/connect.js', 'no-cache'],
    ] as const) {
      const { status, headers, body } = await ask(server.url, path);
      assert.equal(status, 200, path);
      assert.equal(headers['cache-control'], caching, path);
      assert.equal(headers['access-control-allow-origin'], '*', path);
      if (path.endsWith('connect.js')) assert.match(String(body), /this/);
    }
  });

  it('is an earlier one if its folder was kept', async () => {
    const { headers, body } = await ask(server.url, '/v1.9.0/connect.js');
    assert.match(String(body), /1\.9\.0/);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.match(String((await ask(server.url, '/v1/connect.js')).body), /1\.10\.0/);
    assert.match(String((await ask(server.url, '/v0.0/connect.js')).body), /0\.0\.9/);
  });

  it('is a pre-release under its own version, permanently', async () => {
    const { headers, body } = await ask(server.url, '/v2.0.0-rc.1/connect.js');
    assert.match(String(body), /2\.0\.0-rc\.1/);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
  });

  it('is nothing else, and never the wallet', async () => {
    const paths = [
      '/v3.0.0/connect.js',
      '/1.9.0/connect.js',
      '/v3/connect.js',
      '/v0/connect.js',
      '/v1.9/connect.js',
      '/v2.0.0-rc.2/connect.js',
      '/v2.0.0-/connect.js',
      '/v2.0.0-../connect.js',
      '/v2.0.0-rc..1/connect.js',
      '/notes/connect.js',
      '/v1/frame/',
      `/v${VERSION}/frame/index.html`,
      `/v${VERSION}/networks.json`,
      '/v1.9.0/../package.json',
      '/v1.9.0/chunks/../connect.js',
      '/v1.9.0/',
    ];
    for (const path of paths) assert.equal((await ask(server.url, path)).status, 404, path);
  });

  it('is a pre-release under its line only until that has a release', () => {
    const script = join(dist, 'connect.js');
    for (const [version, line] of [
      ['2.0.0-rc.2', script],
      ['2.0.0-beta.1', join(kept, '2.0.0-rc.1/connect.js')],
      ['2.0.0', script],
    ] as const) {
      const find = scripts({ dist, version, kept });
      assert.deepEqual(find('/connect.js'), { file: script, pinned: false });
      assert.deepEqual(find(`/v${version}/connect.js`), { file: script, pinned: true });
      assert.deepEqual(find('/v2/connect.js'), { file: line, pinned: false }, version);
    }
    const find = scripts({ dist, version: '1.11.0-rc.10', kept });
    assert.deepEqual(find('/v1/connect.js')?.file, join(kept, '1.10.0/connect.js'));
  });

  it('comes after its pre-releases', () => {
    const versions = ['0.1.0', '0.2.0-beta.1', '0.2.0-rc.2', '0.2.0-rc.10', '0.2.0', '0.10.0-rc.1'];
    assert.deepEqual(versions.toReversed().toSorted(byAge), versions);
  });
});

describe('what the frame’s server says of its scripts when it starts', () => {
  let folder: string;
  const write = (path: string, text: string | Buffer): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  /** As the build leaves it. */
  const built = (at: string, entry: string): void => {
    write(`${at}/connect.js`, entry);
    write(`${at}/connect.js.br`, brotliCompressSync(entry));
    write(`${at}/chunks/form-AbCd_123.js`, 'export {};');
    write(`${at}/wallet/index.html`, '<!doctype html>');
    write(`${at}/${INTEGRITY}`, JSON.stringify(integrityOf(join(folder, at))));
  };
  const entries = (version = '1.10.0') =>
    checkedEntries({ dist: join(folder, 'dist'), version, kept: join(folder, 'releases') });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'carabiner-integrity-'));
    built('dist', 'hello');
    built('releases/1.9.0', 'earlier');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is the integrity of each release, the newest last', () => {
    const sha = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`;
    assert.deepEqual(entries(), [
      ['1.9.0', sha('earlier')],
      ['1.10.0', sha('hello')],
    ]);
    // The release that is deployed may have been kept already.
    built('releases/1.10.0', 'hello');
    assert.equal(entries().length, 2);
    built('releases/1.10.0-rc.1', 'candidate');
    assert.deepEqual(
      entries().map(([version]) => version),
      ['1.9.0', '1.10.0-rc.1', '1.10.0'],
    );
  });

  for (const [what, change] of [
    ['an entry', () => write('dist/connect.js', 'hullo')],
    ['a chunk', () => write('releases/1.9.0/chunks/form-AbCd_123.js', 'export { };')],
    ['a chunk that is gone', () => rmSync(join(folder, 'dist/chunks/form-AbCd_123.js'))],
    ['a chunk that nobody built', () => write('dist/chunks/more-AbCd_123.js', 'export {};')],
    ['a compressed copy', () => write('dist/connect.js.br', brotliCompressSync('hullo'))],
    ['a page', () => write('dist/wallet/index.html', '<!doctype html><script>')],
    ['what a page loads', () => write('dist/wallet/assets/main-AbCd_123.js', 'export {};')],
  ] as const)
    it(`is an error for ${what} that differs from what was built`, () => {
      change();
      assert.throws(() => entries(), /(connect\.js|AbCd_123\.js|index\.html) does not match integrity\.json/);
    });

  it('takes an earlier release without its pages, which are never served', () => {
    rmSync(join(folder, 'releases/1.9.0/wallet'), { recursive: true });
    assert.equal(entries().length, 2);
  });

  it('is an error for another build under the version of a release', () => {
    assert.throws(() => entries('1.9.0'), /A release never changes: build this one under a new version/);
  });

  it('is an error for a release without its hashes', () => {
    rmSync(join(folder, 'releases/1.9.0', INTEGRITY));
    assert.throws(() => entries(), /1\.9\.0\/integrity\.json is missing/);
  });

  it('keeps `npm run frame` from starting', () => {
    write('networks.json', JSON.stringify(networks));
    write('releases/1.9.0/connect.js', 'changed');
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'service/frame.ts'], {
      env: {
        ...process.env,
        NETWORKS: join(folder, 'networks.json'),
        RELEASES: join(folder, 'releases'),
        FRAME_PORT: '0',
      },
      encoding: 'utf8',
      timeout: DEADLINE_MS,
    });
    assert.match(stderr, /1\.9\.0\/connect\.js does not match integrity\.json/);
    assert.equal(status, 1);
  });
});

describe('the list of pages that may embed the wallet', () => {
  it('takes exact origins with TLS, and without it those on this machine', () => {
    const good = [
      'https://shop.example',
      'https://shop.example:8443',
      'https://xn--bcher-kva.example',
      'http://localhost:5173',
      'http://shop.localhost',
      'http://127.0.0.1:8000',
    ];
    assert.equal(wrongOrigins('embed', good), undefined);
  });

  const bad: [string, RegExp][] = [
    ['https://*.shop.example', /wildcard/],
    ['*', /wildcard/],
    ['https://shop.example/', /must be an origin alone: https:\/\/shop\.example$/],
    ['https://shop.example/pay', /must be an origin alone/],
    ['https://shop.example?a', /must be an origin alone/],
    ['https://user@shop.example', /must be an origin alone/],
    ['https://SHOP.example', /must be an origin alone: https:\/\/shop\.example$/],
    ['https://bücher.example', /must be an origin alone: https:\/\/xn--bcher-kva\.example$/],
    ['https://shop.example:443', /must be an origin alone/],
    ['http://shop.example', /must be https/],
    ['http://notlocalhost', /must be https/],
    ['shop.example', /must be an origin such as/],
    ['null', /must be an origin such as/],
    ['', /must be an origin such as/],
    ["https://shop.example; script-src 'unsafe-inline'", /must be/],
    ['https://[::1]', /must be an origin such as/],
    ['file:///pay.html', /must be an origin such as/],
    ['chrome-extension://abc', /must be an origin such as/],
  ];
  for (const [origin, why] of bad)
    it(`refuses ${origin || 'nothing'}`, () => {
      assert.match(wrongOrigins('embed', ['https://good.example', origin]) ?? '', why);
      assert.match(wrongOrigins('embed', ['https://good.example', origin]) ?? '', /^✖ embed\[1\] /);
    });

  it('is refused at start if it is wrong, with the line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'carabiner-embed-'));
    const file = join(folder, 'networks.json');
    const write = (embed: string[]) => writeFileSync(file, JSON.stringify({ networks: [], embed }));
    try {
      write(['https://shop.example', 'https://shop.example/pay']);
      assert.throws(() => readNetworks(file), {
        message: `${file} has an invalid list of pages that may embed the wallet:\n✖ embed[1] "https://shop.example/pay" must be an origin alone: https://shop.example`,
      });
      write(['https://shop.example']);
      assert.deepEqual(readNetworks(file).embed, ['https://shop.example']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is sent as a whole while it is short, otherwise only for the page that asks', () => {
    const many = Array.from({ length: 100 }, (_, i) => `https://shop-${i}.example`);
    assert.deepEqual(JSON.parse(embedAnswer(many, many[42])), { embed: [many[42]] });
    assert.deepEqual(JSON.parse(embedAnswer(many, 'https://shop.example')), { embed: [] });
    assert.deepEqual(JSON.parse(embedAnswer(many.slice(0, 20), undefined)), { embed: many.slice(0, 20) });
    for (let length = 0; length <= 100; length++)
      assert.ok(embedAnswer(many.slice(0, length), many[0]).length <= 1024);
  });
});

describe('the policy of the frame', () => {
  const policy = (changed: Partial<Parameters<typeof frameHeaders>[0]>): string =>
    frameHeaders({ networks, ...changed })['Content-Security-Policy']!;

  it('reaches other nodes only when custom ones are allowed, plain http only on this machine', () => {
    assert.doesNotMatch(policy({}), /connect-src[^;]*https:( |;)/);
    assert.match(
      policy({ networks: { ...networks, customNodes: true } }),
      /connect-src [^;]*https: http:\/\/localhost:\* http:\/\/127\.0\.0\.1:\*(;|$)/,
    );
  });

  it('reaches the origins that may ask by redirect, from the wallet’s page for sites alone', () => {
    const redirects = { networks: { ...networks, redirects: ['https://shop.example'] } };
    const reaches = /connect-src [^;]* https:\/\/shop\.example(;| )/;
    for (const page of ['frame', 'read', 'wallet'] as const)
      assert.equal(
        reaches.test(frameHeaders(redirects, page)['Content-Security-Policy']!),
        page === 'frame',
        page,
      );
    assert.match(wrongOrigins('redirects', ['https://shop.example/pay']) ?? '', /^✖ redirects\[0\] /);
  });

  it('reaches the wallet service that the networks name', () => {
    assert.match(
      policy({ networks: { ...networks, service: 'https://api.example/wallets' } }),
      /connect-src [^;]* https:\/\/api\.example(;| )/,
    );
  });

  it('reaches the source of prices that the networks name, from the page for reads, too', () => {
    const fiat = { source: 'http', url: 'https://prices.example/v1' };
    const reaches = /connect-src [^;]* https:\/\/prices\.example(;| )/;
    assert.match(policy({ networks: { ...networks, fiat } }), reaches);
    assert.match(
      frameHeaders({ networks: { ...networks, fiat } }, 'read')['Content-Security-Policy']!,
      reaches,
    );
  });

  it('is not made of a source of prices that does not exist: the file is refused, by the field', () => {
    const folder = mkdtempSync(join(tmpdir(), 'carabiner-fiat-'));
    const file = join(folder, 'networks.json');
    try {
      writeFileSync(file, JSON.stringify({ networks: [], fiat: { source: 'http', url: 'prices.example' } }));
      assert.throws(() => readNetworks(file), {
        message: `${file} has an invalid source of prices:\n✖ fiat.url: must be an http or https URL without ? and #`,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('may be embedded by pages that the operator lists, and by none without a list', () => {
    for (const embed of [[], undefined])
      assert.match(policy({ networks: { ...networks, embed } }), /frame-ancestors 'none';/);
  });
});
