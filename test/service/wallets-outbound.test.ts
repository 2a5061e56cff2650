/** URLs given by others reach only the public internet. Nothing here leaves this machine. */
import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { isAllowed, readRange } from '../../service/outbound/addresses.ts';
import { Outbound, RefusedAddress } from '../../service/outbound/outbound.ts';

let server: Server;
let port: number;
let connections = 0;

before(async () => {
  server = createServer((request, response) => {
    if (request.url === '/redirect') return response.writeHead(302, { Location: '/' }).end();
    if (request.url === '/empty') return response.writeHead(204).end();
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => response.end(`${request.method} ${request.headers['content-type']} ${body}`));
  }).on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
after(() => server.close());

/** The error that a caller of `fetch` gets, unwrapped from the client's. */
async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'it answered',
    (error: unknown) => error,
  );
}

/** DNS with fixed answers. */
function answering(...addresses: string[]) {
  return ((_host: string, _options: unknown, done: (e: null, found: LookupAddress[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof import('node:dns').lookup;
}

test('private addresses are refused in every notation, without a connection', async () => {
  const outbound = new Outbound();
  const hosts = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '１２７.０.０.１',
    '%31%32%37.0.0.1',
    '127。0。0。1',
    '0',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[2001:db8::1]',
    '[fc00::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[100::1]',
  ];
  const before = connections;
  for (const host of hosts)
    assert.ok((await failure(outbound.fetch(`http://${host}:${port}/`))) instanceof RefusedAddress, host);
  for (const url of ['file:///etc/passwd', 'ftp://example.com/', 'http://user:word@example.com/', 'data:,a'])
    assert.ok((await failure(outbound.fetch(url))) instanceof RefusedAddress, url);
  assert.equal(connections, before);
});

test('a name is refused at the connection, by what it resolves to', async () => {
  const before = connections;
  const refused = async (outbound: Outbound, host = 'node.example') =>
    assert.ok((await failure(outbound.fetch(`http://${host}:${port}/`))) instanceof RefusedAddress, host);
  await refused(new Outbound(), 'localhost');
  await refused(new Outbound([], answering('127.0.0.1')));
  await refused(new Outbound([], answering('::1')));
  await refused(new Outbound([], answering('::ffff:127.0.0.1')));
  await refused(new Outbound([], answering('93.184.216.34', '127.0.0.1')));
  await refused(new Outbound([], answering()));
  assert.equal(connections, before);
});

test('allowed URLs behave like fetch; redirects are not followed', async () => {
  const loopback = [readRange('127.0.0.0/8')];
  const outbound = new Outbound(loopback, answering('127.0.0.1'));
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"é":1}' };
  const answer = await outbound.fetch(`http://node.example:${port}/`, post);
  assert.equal(await answer.text(), 'POST application/json {"é":1}');
  assert.equal((await outbound.fetch(`http://127.0.0.1:${port}/empty`)).status, 204);
  assert.match(String(await failure(outbound.fetch(`http://127.0.0.1:${port}/redirect`))), /redirect/);
  assert.ok((await failure(outbound.fetch(`http://10.0.0.1:${port}/`))) instanceof RefusedAddress);
  const aborted = outbound.fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.abort() });
  assert.match(String(await failure(aborted)), /abort/i);
});

test('public addresses pass, and ranges are parsed as written', () => {
  for (const address of ['8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001:80f::200e'])
    assert.ok(isAllowed(address), address);
  assert.ok(isAllowed('10.1.2.3', [readRange('10.1.0.0/16')]));
  assert.equal(isAllowed('10.2.0.1', [readRange('10.1.0.0/16')]), false);
  assert.ok(isAllowed('::1', [readRange('::1')]));
  assert.equal(isAllowed('node.example'), false);
  assert.throws(() => readRange('localhost'));
  assert.throws(() => readRange('10.0.0.0/64'));
});
