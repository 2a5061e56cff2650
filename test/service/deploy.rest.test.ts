/** The files of `deploy/`, as far as they can be checked without the programs that read them. `npm run test:ha` runs the cluster. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { readConfig, VARIABLES } from '../../service/config.ts';
import { startTested, type Tested } from './harness.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const DEPLOY = join(ROOT, 'deploy');
const read = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8');

let service: Tested;
before(async () => {
  service = await startTested({ metricsPort: 0 });
});
after(() => service.close());

const scraped = async (path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${service.metricsPort!}${path}`);

test('metrics have a port of their own, which answers nothing else, and are not on the public port', async () => {
  assert.equal((await service.get('/metrics')).status, 404);
  const answer = await scraped('/metrics');
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type')!, /^text\/plain/);
  assert.equal((await scraped('/health')).status, 404);
  assert.equal((await scraped('/api/profile')).status, 404);
});

/** Names in a PromQL expression, without its functions, labels and units of time. */
function metricsIn(expression: string): string[] {
  const bare = expression.replace(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, ' ');
  return [...bare.matchAll(/\b[a-z]+(?:_[a-z0-9]+)+\b(?!\s*\()/g)].map(([name]) => name);
}

function expressions(): string[] {
  const { panels } = JSON.parse(read('monitoring/grafana.json')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const { groups } = parse(read('monitoring/alerts.yml')) as { groups: { rules: { expr: string }[] }[] };
  return [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ];
}

test('the service has every metric that dashboard and alerts use', async () => {
  // A histogram has no line before its first observation.
  await service.get('/health/live');
  const text = await (await scraped('/metrics')).text();
  const there = new Set([...text.matchAll(/^(\w+)[ {]/gm)].map(([, name]) => name!));
  const own = [...new Set(expressions().flatMap(metricsIn))].filter(
    (name) => !/^(patroni|haproxy)_/.test(name),
  );
  assert.ok(own.length >= 12, own.join(' '));
  // Counters with labels have no line before they count; their descriptions are always there.
  const described = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!));
  assert.deepEqual(
    own.filter((name) => !there.has(name) && !described.has(name)),
    [],
  );
});

test('each alert is explained in the guide', () => {
  const { groups } = parse(read('monitoring/alerts.yml')) as { groups: { rules: { alert: string }[] }[] };
  const guide = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
  const [, table] = guide.split('## When an alert fires');
  assert.deepEqual(
    groups
      .flatMap(({ rules }) => rules.map(({ alert }) => alert))
      .filter((name) => !table!.includes(`\`${name}\``)),
    [],
  );
});

for (const place of ['one-machine', 'cluster'])
  test(`the service starts with the settings of deploy/${place}, and knows each of them`, () => {
    const lines = read(`${place}/service.env`).split('\n');
    const pairs = lines
      .filter((line) => /^[A-Z_]+=/.test(line))
      .map((line) => line.split(/=(.*)/s).slice(0, 2));
    const settings = Object.fromEntries(pairs as [string, string][]);
    assert.deepEqual(
      Object.keys(settings).filter((name) => !VARIABLES.includes(name)),
      [],
    );
    const networks = join(service.folder, 'networks.json');
    writeFileSync(networks, JSON.stringify({ networks: [] }));
    const config = readConfig({ ...settings, NETWORKS: networks });
    assert.equal(config.url, 'https://wallet.example');
    assert.ok(config.metricsPort);
    const frame = readFileSync(join(ROOT, 'service/frame.ts'), 'utf8');
    for (const [, name] of read(`${place}/frame.env`).matchAll(/^([A-Z_]+)=/gm))
      assert.match(frame, new RegExp(`\\b${name}\\b`));
  });

interface Compose {
  services: Record<string, Container>;
  networks?: Record<string, unknown>;
  volumes?: Record<string, unknown>;
}
interface Container {
  image?: string;
  build?: { context: string; dockerfile: string };
  env_file?: string;
  volumes?: string[];
  networks?: string[] | Record<string, { ipv4_address: string }>;
  network_mode?: string;
}
/** What operators put beside the files themselves. */
const THEIRS = /^\.\/(networks\.json|master-key\.json|userlist\.txt|database-password|certificates)$/;

for (const place of ['one-machine', 'cluster'])
  test(`the containers of deploy/${place} name files, volumes and networks that exist`, () => {
    const compose = parse(read(`${place}/compose.yaml`), { merge: true }) as Compose;
    for (const [name, one] of Object.entries(compose.services)) {
      assert.ok(one.image, name);
      if (one.build)
        assert.ok(existsSync(join(DEPLOY, place, one.build.context, one.build.dockerfile)), name);
      if (one.env_file) assert.ok(existsSync(join(DEPLOY, place, one.env_file)), name);
      for (const [source] of (one.volumes ?? []).map((volume) => volume.split(':') as [string]))
        if (source.startsWith('./'))
          assert.ok(THEIRS.test(source) || existsSync(join(DEPLOY, place, source)), `${name}: ${source}`);
        else assert.ok(source in compose.volumes!, `${name}: ${source}`);
      const joined = Array.isArray(one.networks) ? one.networks : Object.keys(one.networks ?? {});
      for (const network of joined) assert.ok(network in compose.networks!, `${name}: ${network}`);
      const shared = /^service:(.+)$/.exec(one.network_mode ?? '')?.[1];
      assert.ok(joined.length > 0 || (shared !== undefined && shared in compose.services), name);
    }
  });

test('neither an image nor a commit has what operators put beside the files', () => {
  const [docker, git] = ['.dockerignore', '.gitignore'].map((name) =>
    readFileSync(join(ROOT, name), 'utf8').split('\n'),
  );
  for (const [, name] of THEIRS.source.matchAll(/([\w-]+(?:\\\.\w+)?)(?=[|)])/g)) {
    const line = `deploy/*/${name!.replace('\\', '')}`;
    assert.ok(docker!.includes(line) && git!.includes(line), line);
  }
  // They have passwords: containers get them by `env_file` and `volumes`.
  for (const line of ['deploy/*/*.env', 'deploy/cluster/patroni.yml'])
    assert.ok(docker!.includes(line), line);
  // The build needs what it copies.
  for (const file of ['Dockerfile', 'Dockerfile.database'])
    for (const [, source] of read(file).matchAll(/^COPY (\S+) /gm))
      assert.ok(!docker!.includes(source!), `${file}: ${source}`);
});

test('the containers of the cluster have the addresses that its configurations name', () => {
  const { services } = parse(read('cluster/compose.yaml'), { merge: true }) as Compose;
  const given = Object.values(services)
    .map(({ networks }) => (networks as Record<string, { ipv4_address: string }> | undefined)?.['machines'])
    .flatMap((network) => network?.ipv4_address ?? [])
    .sort();
  const files = readdirSync(join(DEPLOY, 'cluster')).filter((name) => name !== 'compose.yaml');
  const named = files.flatMap((name) => [...read(`cluster/${name}`).matchAll(/\b10\.0\.0\.\d+(?![\d/])/g)]);
  assert.deepEqual([...new Set(named.map(([address]) => address))].sort(), given);
});

// Seen on machines with systemd and Debian's packages, which no test here has.
test('units let Node start, and Patroni finds the password of its own socket', () => {
  // Node asks for memory protection keys, and the filter would kill it.
  for (const name of ['service', 'frame'])
    assert.match(read(`systemd/carabiner-${name}.service`), /^SystemCallFilter=@system-service @pkey$/m);
  const { postgresql } = parse(read('cluster/patroni.yml')) as {
    postgresql: { parameters: Record<string, string> };
  };
  // libpq looks up its built-in folder as `localhost`, which Patroni does not write.
  assert.notEqual(postgresql.parameters['unix_socket_directories'], '/var/run/postgresql');
});

test('units, containers and commands run the built modules, which an archive has', () => {
  const units = readdirSync(join(DEPLOY, 'systemd')).map((name) => `systemd/${name}`);
  const composes = ['one-machine', 'cluster'].map((place) => `${place}/compose.yaml`);
  const texts = [...units, ...composes, 'Dockerfile', 'command'].map(read);
  for (const text of texts) assert.doesNotMatch(text, /tsx|\.ts\b/);
  const modules = texts.flatMap((text) => [...text.matchAll(/service\/[\w/-]+\.js/g)].map(([path]) => path));
  for (const path of modules) assert.ok(existsSync(join(ROOT, path.replace(/js$/, 'ts'))), path);
  assert.ok(modules.includes('service/main.js'));
});

test('a restored database starts on another machine, by settings of its own', () => {
  const folder = join(service.folder, 'restored/data');
  const backup = join(service.folder, 'backup');
  const archive = join(service.folder, 'archive');
  mkdirSync(backup);
  mkdirSync(archive);
  for (const name of ['postgresql.conf', 'pg_hba.conf', 'postgresql.auto.conf', 'standby.signal'])
    writeFileSync(join(backup, name), '# as it was\n');
  const { status, stderr } = spawnSync(
    join(DEPLOY, 'cluster/restore'),
    [backup, archive, folder, '2026-01-31'],
    {
      encoding: 'utf8',
    },
  );
  assert.equal(status, 0, stderr);
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  // A cluster that is made of it must not keep any of this.
  for (const name of ['postgresql.conf', 'postgresql.auto.conf', 'pg_hba.conf'])
    assert.equal(text(name), '# as it was\n');
  const settings = text('restored.conf');
  assert.match(settings, /^listen_addresses = '127.0.0.1'$/m);
  assert.match(settings, /^recovery_target_time = '2026-01-31'$/m);
  assert.ok(settings.includes(`hba_file = '${folder}/restored_hba.conf'`));
  assert.match(text('restored_hba.conf'), /^host all all 127.0.0.1\/32 scram-sha-256$/m);
  assert.ok(existsSync(join(folder, 'recovery.signal')));
  assert.ok(!existsSync(join(folder, 'standby.signal')));
});
