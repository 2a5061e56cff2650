/**
 * The baseline for the service: `node:http` that verifies the token with jose on every request, for the service's issuer, and answers the
 * profile. With `/asks` it queries PostgreSQL each time; with any other path only the first time.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import pg from 'pg';

const { ISSUER = '', DATABASE_URL = '' } = process.env;
const jwks = await fetch(`${ISSUER}/protocol/openid-connect/certs`);
const keys = createLocalJWKSet((await jwks.json()) as JSONWebKeySet);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

const QUERY = `select id, username, email, first_name, last_name, exists (select from pins where id = accounts.id) as "hasMasterPin"
  from accounts where id = $1`;

interface Row {
  id: string;
  username: string | null;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  hasMasterPin: boolean;
}

async function read(id: string): Promise<Row> {
  const { rows } = await pool.query<Row>({ name: 'profile', text: QUERY, values: [id] });
  return rows[0]!;
}

const known = new Map<string, Row>();

async function remembered(id: string): Promise<Row> {
  const row = known.get(id) ?? (await read(id));
  known.set(id, row);
  return row;
}

function usage(): string {
  const { user, system } = process.cpuUsage();
  return `process_cpu_seconds_total ${(user + system) / 1e6}\nprocess_resident_memory_bytes ${process.memoryUsage.rss()}\n`;
}

const server = createServer((request, response) => {
  if (request.url === '/metrics') {
    response.end(usage());
    return;
  }
  void (async () => {
    try {
      const { payload } = await jwtVerify(request.headers.authorization!.slice(7), keys, {
        issuer: ISSUER,
        audience: 'carabiner-api',
        typ: 'at+jwt',
        algorithms: ['ES256'],
        requiredClaims: ['sub', 'exp', 'client_id'],
      });
      if (!String(payload['scope']).split(' ').includes('view:profile')) throw new Error('scope');
      const answer = request.url === '/asks' ? read : remembered;
      const row = await answer(payload.sub!);
      const { id, hasMasterPin, username, email, first_name, last_name } = row;
      const body = JSON.stringify({
        userId: id,
        hasMasterPin,
        username,
        email,
        firstName: first_name,
        lastName: last_name,
      });
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
        .end(body);
    } catch {
      response.writeHead(401, { 'Content-Length': 0 }).end();
    }
  })();
});
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  console.log(JSON.stringify({ url }));
});
process.once('SIGTERM', () => process.exit(0));
