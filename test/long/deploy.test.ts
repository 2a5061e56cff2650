/**
 * The configurations of `docs/recipes.md` and `docs/deploying.md`, as an operator copies them, in nginx and Caddy themselves: each answers as
 * the repository's server does. And what promtool and systemd say of alerts and units. Programs that are not installed are skipped. On
 * Debian: `apt-get install nginx libnginx-mod-http-brotli-static caddy openssl prometheus systemd`.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ROOT } from '../../scripts/command.ts';
import { linkPackages, unpackArchive } from '../service/archive-setup.ts';
import { poll } from '../waiting.ts';

const DIST = join(ROOT, 'dist');
const DEPLOY = join(ROOT, 'deploy');
/** Where Debian puts it. */
const BROTLI = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so';
/** Debian's, with which the server is root's, like the test's folder. */
const NGINX_MAIN = `user root;
worker_processes 1;
include /etc/nginx/modules-enabled/*.conf;
events {}
http {
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  gzip on;
  access_log off;
`;
/** What nginx would keep in folders of the system. */
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
const SECURITY = [
  'content-security-policy',
  'permissions-policy',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
  'access-control-allow-origin',
];

const folder = mkdtempSync(join(tmpdir(), 'carabiner-deploy-'));
const releases = join(folder, 'releases');
const running: ChildProcess[] = [];
/** The unpacked archive, which is what runs in production. */
let home: string;

const has = (program: string): boolean =>
  process.env['PATH']!.split(delimiter).some((path) => existsSync(join(path, program)));
const without = (...programs: string[]): string | false => {
  const missing = programs.filter((program) => !has(program));
  return missing.length > 0 && `${missing.join(' and ')} cannot be run: not installed`;
};

/** The first block of the language in a section of a page. */
function block(page: string, language: string, holds: string): string {
  const blocks = readFileSync(join(ROOT, 'docs', page), 'utf8').matchAll(/^```(\w*)\n([^]*?)^```$/gm);
  for (const [, named, code] of blocks) if (named === language && code!.includes(holds)) return code!;
  throw new Error(`docs/${page} has no ${language || 'plain'} block with ${holds}`);
}

/** Puts what is of this machine in place of what is of the reader's. */
function adapted(text: string, places: Record<string, string>): string {
  for (const [from, to] of Object.entries(places)) {
    assert.ok(text.includes(from), `${from} is not in the configuration`);
    text = text.replaceAll(from, to);
  }
  return text;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

interface Asked {
  method?: string;
  headers?: Record<string, string>;
}

function ask(url: string, path: string, { method = 'GET', headers = {} }: Asked = {}): Promise<Answer> {
  const { protocol, port } = new URL(url);
  const open = protocol === 'https:' ? overHttps : overHttp;
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { Host: 'connect.example', ...headers },
      servername: 'connect.example',
      // Of its own, made for this test.
      rejectUnauthorized: false,
      agent: false,
    };
    const sent = open(options, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) });
    });
    sent.once('error', reject).end();
  });
}

function plain({ headers, body }: Answer): string {
  const encoding = headers['content-encoding'];
  if (encoding === 'br') return brotliDecompressSync(body).toString();
  return (encoding === 'gzip' ? gunzipSync(body) : body).toString();
}

/** Waits until it answers. */
async function answers(url: string, child: ChildProcess): Promise<void> {
  const look = async (): Promise<boolean> => {
    const answer = await ask(url, '/frame/').catch(() => undefined);
    assert.ok(answer || child.exitCode === null, `${child.spawnfile} ended`);
    return answer !== undefined;
  };
  await poll(look, `${child.spawnfile} to answer`);
}

function start(program: string, args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(program, args, {
    cwd: home,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  return child;
}

/** Pages that may embed the wallet: more than one answer of `embed.json` can name. */
const MANY = Array.from({ length: 50 }, (_, i) => `https://shop-${i}.example.com`);

/** Words for a contract: an ABI, large enough to be compressed. */
const WORDS = JSON.stringify(
  Array.from({ length: 50 }, (_, i) => ({ type: 'function', name: `claimReward${i}`, inputs: [] })),
);
const WORDS_HASH = createHash('sha256').update(WORDS).digest('hex');

function networksFile(embed: string[]): string {
  const path = join(folder, `networks-${embed.length}.json`);
  const file = JSON.parse(readFileSync(join(ROOT, 'demo/networks/public.json'), 'utf8')) as object;
  writeFileSync(join(folder, 'pool.json'), WORDS);
  const entry = {
    file: 'pool.json',
    sha256: WORDS_HASH,
    address: `0x${'70'.repeat(20)}`,
    codeHash: `0x${'ab'.repeat(32)}`,
  };
  const networks = [{ id: 'ethereum', descriptors: [entry] }];
  writeFileSync(path, JSON.stringify({ ...file, networks, embed }));
  return path;
}

/** As the container runs it. */
async function startFrame(embed: string[]): Promise<string> {
  const dockerfile = block('recipes.md', 'dockerfile', 'FROM');
  const settings = /^ENV (.+)$/m.exec(dockerfile)![1]!.split(' ');
  const [program, ...args] = JSON.parse(/^CMD (.+)$/m.exec(dockerfile)![1]!) as [string, ...string[]];
  const child = start(program, args, {
    ...Object.fromEntries(settings.map((each) => each.split('=', 2))),
    FRAME_HOST: '127.0.0.1',
    FRAME_PORT: '0',
    NETWORKS: networksFile(embed),
    RELEASES: releases,
  });
  const [line] = (await once(child.stdout!.setEncoding('utf8'), 'data')) as [string];
  const port = /^frame http:\/\/localhost:(\d+)$/m.exec(line)?.[1];
  assert.ok(port, line);
  return `http://127.0.0.1:${port}`;
}

/** One of each kind. */
function paths(): string[] {
  const chunk = readdirSync(join(DIST, 'chunks')).find((name) => name.endsWith('.js'))!;
  // nginx compresses nothing that is tiny.
  const assets = (page: string): string[] => {
    const folder = join(DIST, page, 'assets');
    const large = readdirSync(folder).filter((name) => statSync(join(folder, name)).size > 1000);
    return ['.js', '.css'].flatMap((end) =>
      large
        .filter((name) => name.endsWith(end))
        .slice(0, 1)
        .map((name) => `/${page}/assets/${name}`),
    );
  };
  const scripts = ['/connect.js', `/chunks/${chunk}`];
  return [
    '/frame/',
    '/wallet/',
    '/wallet/manifest.json',
    '/read/',
    '/networks.json',
    '/embed.json',
    `/descriptors/${WORDS_HASH}.json`,
    ...assets('frame'),
    ...assets('wallet'),
    ...assets('read'),
    ...scripts,
    ...['/v9.8.7', '/v9'].flatMap((version) => scripts.map((script) => version + script)),
  ];
}
const MISSING = [
  '/frame',
  '/wallet',
  '/index.js',
  '/demo/index.html',
  '/pay/index.html',
  '/integrity.json',
  '/frame/missing.js',
  '/wallet/missing.js',
  '/read/missing.js',
  '/chunks/missing-AbCd1234.js',
  '/v9.8.6/connect.js',
  '/v9.8.7/integrity.json',
  '/chunks/..%2findex.js',
  `/descriptors/${'ab'.repeat(32)}.json`,
];
const ENCODINGS = ['br, gzip', 'gzip', 'identity'];

const pick = ({ headers }: Answer, names: string[]): object =>
  Object.fromEntries(names.map((name) => [name, headers[name]]));

/** `own`: header names in which it may differ, as it makes them itself. */
async function compare(real: string, url: string, own: string[] = []): Promise<void> {
  const compared = [...SECURITY, 'cache-control', 'content-encoding', 'vary', 'content-type', 'etag'].filter(
    (name) => !own.includes(name),
  );
  for (const path of paths())
    for (const encoding of ENCODINGS) {
      const what = `${path} (${encoding})`;
      // On the long list.
      const headers = { 'Accept-Encoding': encoding, Origin: MANY[7]! };
      const [wanted, got] = [await ask(real, path, { headers }), await ask(url, path, { headers })];
      assert.deepEqual([wanted.status, got.status], [200, 200], what);
      assert.deepEqual(pick(got, compared), pick(wanted, compared), what);
      assert.equal(plain(got), plain(wanted), what);
      if (got.headers['content-encoding'])
        assert.match(String(got.headers['vary']), /\bAccept-Encoding\b/i, what);
      const etag = got.headers['etag'];
      assert.ok(typeof etag === 'string', what);
      const again = await ask(url, path, { headers: { ...headers, 'If-None-Match': etag } });
      assert.equal(again.status, 304, what);
      assert.deepEqual(pick(again, SECURITY), pick(wanted, SECURITY), what);
    }
  for (const path of MISSING) {
    const [wanted, got] = [await ask(real, path), await ask(url, path)];
    assert.deepEqual([wanted.status, got.status], [404, 404], path);
    const policy = String(got.headers['content-security-policy']);
    assert.match(policy, /^default-src 'none';.*; frame-ancestors (https:|\*|'none')/, path);
    assert.equal(got.headers['cache-control'], undefined, path);
  }
  const [wanted, got] = [await ask(real, '/?to=0x1'), await ask(url, '/?to=0x1')];
  assert.deepEqual([wanted.status, got.status], [302, 302]);
  assert.deepEqual(pick(got, [...SECURITY, 'location']), pick(wanted, [...SECURITY, 'location']));
  assert.equal((await ask(url, '/frame/', { method: 'POST' })).status, 405);
}

/** A certificate of its own. */
function certificate(): { '/etc/ssl/connect.example.pem': string; '/etc/ssl/connect.example.key': string } {
  const [pem, key] = [join(folder, 'own.pem'), join(folder, 'own.key')];
  if (!existsSync(pem))
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'].concat(
        ['-subj', '/CN=connect.example', '-keyout', key, '-out', pem],
      ),
      { stdio: 'ignore' },
    );
  return { '/etc/ssl/connect.example.pem': pem, '/etc/ssl/connect.example.key': key };
}

async function startNginx(configuration: string, port: number): Promise<string> {
  const path = join(folder, `nginx-${port}.conf`);
  const own = TEMPORARY.map((kind) => `${kind}_temp_path ${folder}/${kind};\n`).join('');
  writeFileSync(path, `${NGINX_MAIN}${own}${configuration}}\n`);
  const global = `daemon off; pid ${folder}/nginx-${port}.pid; error_log stderr error;`;
  const child = start('nginx', ['-c', path, '-g', global]);
  await answers(`https://127.0.0.1:${port}`, child);
  return `https://127.0.0.1:${port}`;
}

before(async () => {
  const unpacked = await unpackArchive(folder);
  linkPackages(unpacked);
  home = unpacked.home;
  const release = join(releases, '9.8.7');
  mkdirSync(release, { recursive: true });
  for (const name of ['connect.js', 'connect.js.br', 'integrity.json', 'chunks'])
    cpSync(join(DIST, name), join(release, name), { recursive: true, preserveTimestamps: true });
  symlinkSync('9.8.7', join(releases, '9'));
});
after(async () => {
  for (const child of running) {
    const ended = child.exitCode === null && once(child, 'exit');
    child.kill();
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

test('nginx in front of the server passes its answers on as they are', {
  skip: without('nginx', 'openssl'),
}, async () => {
  const real = await startFrame(MANY);
  const port = await freePort();
  const configuration = adapted(block('recipes.md', 'nginx', 'proxy_pass'), {
    'listen 443 ssl;': `listen 127.0.0.1:${port} ssl;`,
    'http://127.0.0.1:4000': real,
    ...certificate(),
  });
  await compare(real, await startNginx(configuration, port));
});

test('Caddy in front of the server passes its answers on as they are', {
  skip: without('caddy'),
}, async () => {
  const real = await startFrame(MANY);
  const [port, plainPort] = [await freePort(), await freePort()];
  const path = join(folder, 'Caddyfile');
  const own = `{
  admin off
  http_port ${plainPort}
  https_port ${port}
  default_bind 127.0.0.1
  local_certs
  skip_install_trust
  storage file_system ${join(folder, 'caddy')}
  log {
    level ERROR
  }
}
`;
  writeFileSync(
    path,
    own + adapted(block('recipes.md', '', 'reverse_proxy'), { '127.0.0.1:4000': real.slice(7) }),
  );
  const child = start('caddy', ['run', '--config', path, '--adapter', 'caddyfile'], { HOME: folder });
  const url = `https://127.0.0.1:${port}`;
  await answers(url, child);
  await compare(real, url);
});

const noBrotli = !existsSync(BROTLI) && `nginx has no brotli_static: ${BROTLI} is missing`;
test('nginx without Node answers as the server does', {
  skip: without('nginx', 'openssl') || noBrotli,
}, async () => {
  const embed = MANY.slice(0, 9);
  const real = await startFrame(embed);
  const written = join(folder, 'carabiner');
  const env = { ...process.env, NETWORKS: networksFile(embed), RELEASES: releases };
  execFileSync('npm', ['run', '--silent', 'frame', '--', '--nginx', written], { cwd: home, env });
  const port = await freePort();
  const configuration = adapted(block('deploying.md', 'nginx', 'brotli_static'), {
    'listen 443 ssl;': `listen 127.0.0.1:${port} ssl;`,
    '/srv/carabiner/dist': DIST,
    '/srv/carabiner/releases': releases,
    '/etc/nginx/carabiner': written,
    'include carabiner/': `include ${written}/`,
    ...certificate(),
  });
  // It writes its own tags and types. `Vary` is the same but for `Origin`, by which this `embed.json` does not differ.
  await compare(real, await startNginx(configuration, port), ['etag', 'content-type', 'vary']);
});

test('the Dockerfile has only what Docker knows, and settings that the server reads', () => {
  const lines = block('recipes.md', 'dockerfile', 'FROM').trim().split('\n');
  const known = /^(FROM|WORKDIR|COPY|RUN|USER|ENV|EXPOSE|CMD) \S/;
  assert.deepEqual(
    lines.filter((line) => !known.test(line)),
    [],
  );
  const server = readFileSync(join(ROOT, 'service/frame.ts'), 'utf8');
  const names = /^ENV (.+)$/m
    .exec(lines.join('\n'))![1]!
    .split(' ')
    .map((each) => each.split('=')[0]!);
  for (const name of names) assert.match(server, new RegExp(`\\b${name}\\b`));
});

test('alerts fire at the first 500, and when nothing is left that could report', {
  skip: without('promtool'),
}, () => {
  const rules = readFileSync(join(import.meta.dirname, 'alerts.yml'), 'utf8');
  const file = join(folder, 'alerts.yml');
  writeFileSync(file, rules.replace('RULES', join(DEPLOY, 'monitoring/alerts.yml')));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});

test('systemd accepts the units', { skip: without('systemd-analyze') }, () => {
  const units = readdirSync(join(DEPLOY, 'systemd'));
  const adaptedUnits = units.map((unit) => {
    const file = join(folder, unit);
    // Programs that are installed elsewhere here.
    const text = readFileSync(join(DEPLOY, 'systemd', unit), 'utf8')
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll('/srv/carabiner/deploy', DEPLOY)
      .replaceAll(/^Documentation=.*$/gm, '');
    writeFileSync(file, text);
    return file;
  });
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...adaptedUnits], {
    encoding: 'utf8',
  });
  // What it says of this machine's own units is not about ours.
  assert.deepEqual(
    stderr.split('\n').filter((line) => /carabiner-/.test(line)),
    [],
  );
});
