import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { frameHeaders } from '../../service/frame-headers.ts';
import { type Running, startFrameServer } from '../../service/frame-server.ts';
import { Networks } from '../../src/chains/network.ts';

const networks = Networks.parse({
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

/** Sends the path as it is: `fetch` would take the dots out. */
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
      'frame-ancestors *',
      "require-trusted-types-for 'script'",
      'trusted-types lit-html carabiner',
    ]);
    assert.equal(headers['cross-origin-opener-policy'], 'unsafe-none');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(headers['origin-agent-cluster'], '?1');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['x-frame-options'], undefined);
    assert.equal(headers['access-control-allow-origin'], undefined);
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

  it('has nothing else', async () => {
    const paths = [
      '/',
      '/frame',
      '/index.js',
      '/demo/index.html',
      '/package.json',
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

  it('lets a browser keep what is named after its content, and ask about the rest', async () => {
    const hashed = await ask(server.url, '/chunks/form-AbCd_123.js');
    assert.equal(hashed.headers['cache-control'], 'public, max-age=31536000, immutable');
    const page = await ask(server.url, '/frame/');
    assert.equal(page.headers['cache-control'], 'no-cache');
    const again = await ask(server.url, '/frame/', 'GET', { 'If-None-Match': String(page.headers['etag']) });
    assert.equal(again.status, 304);
    assert.equal(again.body.length, 0);
    assert.ok(again.headers['content-security-policy']);
  });

  it('sends a file anew after it was built again', async () => {
    writeFileSync(join(dist, 'chunks/form-AbCd_123.js'), 'export const changed = true;');
    assert.match((await ask(server.url, '/chunks/form-AbCd_123.js')).body.toString(), /changed/);
  });

  it('answers localhost on both of its addresses', async (test) => {
    const { port } = new URL(server.url);
    for (const host of ['127.0.0.1', '::1']) {
      const reached = await new Promise<boolean>((resolve) => {
        const socket = createConnection({ host, port: Number(port) }, () => resolve(true));
        socket.once('connect', () => socket.end()).once('error', () => resolve(false));
      });
      if (host === '::1' && !reached) test.skip('this machine has no IPv6');
      else assert.ok(reached, host);
    }
  });

  it('names a port that is taken, and the setting it came from', async () => {
    const port = Number(new URL(server.url).port);
    await assert.rejects(startFrameServer({ dist, networks, port }), {
      message: `port ${port} (FRAME_PORT) is taken`,
    });
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

  it('reaches the wallet service that the networks name', () => {
    assert.match(
      policy({ networks: { ...networks, service: 'https://api.example/wallets' } }),
      /connect-src [^;]* https:\/\/api\.example(;| )/,
    );
  });

  it('may be embedded by whom the operator says', () => {
    assert.match(
      policy({ frameAncestors: 'https://shop.example' }),
      /frame-ancestors https:\/\/shop\.example;/,
    );
  });
});
