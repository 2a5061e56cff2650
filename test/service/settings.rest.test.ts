/** Settings that are wrong: each is named at the start, and nothing is left running. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, connect as dial, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ROOT } from '../../scripts/command.ts';
import { ConfigError, ignoredSettings, readConfig } from '../../service/config.ts';
import { connect } from '../../service/database/embedded/connect.ts';
import { startCluster, type Cluster } from '../../service/database/embedded/cluster.ts';
import { readFrameConfig } from '../../service/frame-config.ts';
import { within } from '../waiting.ts';
import { dataIn, temporaryFolder } from './harness.ts';
import { program } from './programs.ts';

const folder = temporaryFolder();
const networks = join(folder, 'networks.json');
let data: string;
before(() => {
  writeFileSync(networks, '{ "networks": [] }');
  data = dataIn(folder);
});
after(() => rmSync(folder, { recursive: true, force: true }));

function problemsOf(read: (env: NodeJS.ProcessEnv) => unknown, env: NodeJS.ProcessEnv): readonly string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.problems;
  }
}

/** What it prints on standard error before it ends by itself. */
async function started(name: 'main' | 'frame', env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, program(name), {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: folder, SERVICE_PORT: '0', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (words += text));
  const [code] = (await within(once(child, 'close'), JSON.stringify(env))) as [number];
  assert.equal(code, 1, words);
  return words;
}

describe('settings of the service', () => {
  it('are named when they are misspelt, with what was meant', () => {
    for (const [name, setting] of [
      ['TRUST_PROXIE', 'TRUST_PROXY'],
      ['TRUSTPROXY', 'TRUST_PROXY'],
      ['NETWORK', 'NETWORKS'],
      ['SERVCIE_URL', 'SERVICE_URL'],
      ['service_url', 'SERVICE_URL'],
      ['DATABSE_URL', 'DATABASE_URL'],
      ['TOKEN_RATE_LIMITS', 'TOKEN_RATE_LIMIT'],
      ['STRIPE_WEBHOOK_SECRETS_FILE', 'STRIPE_WEBHOOK_SECRET_FILE'],
    ])
      assert.deepEqual(problemsOf(readConfig, { [name!]: 'x' }), [
        `${name} is no setting. Did you mean ${setting}?`,
      ]);
    // Of the frame's server, of other programs, or empty.
    const others = {
      FRAME_PORT: '1',
      NODE_ENV: 'x',
      VAULT_NAMESPACE: 'x',
      DATABASE_PASSWORD: 'x',
      HOME: 'x',
    };
    assert.deepEqual(problemsOf(readConfig, { ...others, SERVICE_PORTS: ' ' }), []);
    assert.deepEqual(ignoredSettings({ ...others, COPY_FOREVER: 'on' }), [
      'COPY_FOREVER is no setting of the service and has no effect.',
    ]);
  });

  it('are named when their value cannot be used', () => {
    for (const [name, value, problem] of [
      ['TRUST_PROXY', 'foo', /^TRUST_PROXY\.0 cannot be used: foo is neither an address nor a range/],
      ['TRUST_PROXY', '10.0.0.0/99', /^TRUST_PROXY\.0 .*10\.0\.0\.0\/99 is neither/],
      ['OUTBOUND_RANGES', '10.0.0.0/8, 1.2.3.4/x', /^OUTBOUND_RANGES\.1 .*1\.2\.3\.4\/x is neither/],
      ['SERVICE_URL', 'https://wallet.example/?a#b', /^SERVICE_URL must be a URL without a query/],
      ['SERVICE_URL', 'https://u:p@wallet.example', /^SERVICE_URL must be a URL without/],
      ['FRAME_URL', 'http://connect.example', /^FRAME_URL must be an https URL/],
      ['FRAME_URL', 'connect', /^FRAME_URL must be an https URL/],
    ] as const) {
      const problems = problemsOf(readConfig, { [name]: value });
      assert.equal(problems.length, 1);
      assert.match(problems[0]!, problem);
    }
    const { trustProxy } = readConfig({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8 fd00::/8 loopback' });
    assert.deepEqual(trustProxy, ['127.0.0.1', '10.0.0.0/8', 'fd00::/8', 'loopback']);
  });

  it('of e-mail are named without their password, and belong together', () => {
    const from = 'Mug shop <receipts@shop.example>';
    for (const [env, problem] of [
      [{ SMTP_URL: 'mail.example' }, /^SMTP_URL cannot be used: write smtp:\/\/user:password@host:587 or/],
      [{ SMTP_URL: 'smtp://' }, /^SMTP_URL cannot be used: write smtp/],
      [{ SMTP_URL: 'https://u:hunter2@mail.example' }, /^SMTP_URL cannot be used: write smtp/],
      [{ SMTP_URL: 'smtp://u:hunter2/x@mail.example' }, /^SMTP_URL cannot be used: /],
      [{ SMTP_URL: 'smtps://u:hunter2@mail.example/?x' }, /^SMTP_URL .* in the password, \/ is written %2F/],
      [{ SMTP_URL: 'smtps://u:hunter2%@mail.example' }, /^SMTP_URL .* a % in the user or the password/],
      [{ SMTP_URL: 'smtps://hunter2@mail.example' }, /^SMTP_URL .* user and password belong together/],
      [{ MAIL_FROM: 'Mug shop' }, /^MAIL_FROM cannot be used: write an e-mail address, or a name and/],
      [{ MAIL_FROM: 'a@shop.example, b@shop.example' }, /^MAIL_FROM cannot be used/],
      [{ MAIL_FROM: 'Mug\nBcc: b@shop.example <a@shop.example>' }, /^MAIL_FROM cannot be used/],
      [{ MAIL_FROM: from }, /^SMTP_URL and MAIL_FROM belong together/],
      [{ SMTP_URL: 'smtps://mail.example' }, /^SMTP_URL and MAIL_FROM belong together/],
      [{ SMTP_URLS: 'x' }, /^SMTP_URLS is no setting\. Did you mean SMTP_URL\?/],
    ] as const) {
      const problems = problemsOf(readConfig, env);
      assert.equal(problems.length, 1, problems.join());
      assert.match(problems[0]!, problem);
      assert.doesNotMatch(problems[0]!, /hunter2/);
    }
    const serverOf = (url: string) => readConfig({ SMTP_URL: url, MAIL_FROM: from }).mail?.server;
    assert.deepEqual(readConfig({ SMTP_URL: 'smtp://mail.example', MAIL_FROM: from }).mail?.from, {
      name: 'Mug shop',
      address: 'receipts@shop.example',
    });
    assert.deepEqual(serverOf('smtp://shop%40x:p%2Fw%25@mail.example'), {
      host: 'mail.example',
      port: 587,
      tls: 'required',
      auth: { user: 'shop@x', pass: 'p/w%' },
    });
    const { port, tls } = serverOf('smtps://mail.example') ?? {};
    assert.deepEqual([port, tls], [465, 'first']);
    assert.deepEqual(serverOf('smtp://[::1]:2525'), {
      host: '::1',
      port: 2525,
      tls: 'none',
      auth: undefined,
    });
    assert.equal(readConfig({}).mail, undefined);
  });

  it('are named when only the start shows that they are wrong', async () => {
    for (const [env, words] of [
      // Node's own way to make the folder would go on for ever here.
      [{ DATA_DIR: '/proc/x' }, /: DATA_DIR \/proc\/x cannot be used: ENOENT/],
      [{ DATA_DIR: join(networks, 'data') }, /: DATA_DIR \S+ cannot be used: ENOTDIR/],
      [{ DATA_DIR: data, SERVICE_HOST: '203.0.113.9' }, /: 203\.0\.113\.9 \(SERVICE_HOST\) is no address of/],
      [
        { DATA_DIR: data, METRICS_PORT: '0', METRICS_HOST: '203.0.113.9' },
        /: 203\.0\.113\.9 \(METRICS_HOST\)/,
      ],
      [{ DATA_DIR: data, MASTER_KEY_FILE: join(networks, 'key') }, /: MASTER_KEY_FILE: \S+ cannot be made/],
      [
        { DATA_DIR: data, VAULT_ADDR: 'http://127.0.0.1:1', VAULT_TOKEN: 'x' },
        /: VAULT_ADDR: Vault cannot be reached: /,
      ],
      [
        { DATA_DIR: data, VAULT_ADDR: 'http://127.0.0.1:1', VAULT_TOKEN_FILE: join(folder, 'none') },
        /: VAULT_TOKEN_FILE cannot be read: ENOENT/,
      ],
    ] as const)
      assert.match(await started('main', env), words);
  });
});

describe('settings of the frame’s server', () => {
  it('are named when they are wrong or misspelt', async () => {
    for (const [env, problem] of [
      [{}, 'NETWORKS is not set. It is the path of the networks.json that the frame uses.'],
      [{ NETWORKS: networks, FRAME_PORT: '80x' }, 'FRAME_PORT must be a whole number'],
      [{ NETWORKS: networks, FRAME_PORTS: '80' }, 'FRAME_PORTS is no setting. Did you mean FRAME_PORT?'],
      [{ NETWORKS: networks, RELEASES: networks }, `RELEASES cannot be used: ${networks} is no folder`],
    ] as const)
      assert.deepEqual(problemsOf(readFrameConfig, env), [problem]);
    // Both servers may have one environment.
    readFrameConfig({ NETWORKS: networks, SERVICE_PORT: '4001', TRUST_PROXY: '127.0.0.1' });
    const words = await started('frame', { NETWORKS: networks, FRAME_PORT: '0', FRAME_HOST: '203.0.113.9' });
    assert.match(words, /^203\.0\.113\.9 \(FRAME_HOST\) is no address of this machine/);
  });
});

describe('a built-in PostgreSQL that is slow to answer', () => {
  let cluster: Cluster;
  before(async () => {
    cluster = await startCluster(data, () => {});
  });
  after(() => cluster.stop());

  it('is asked again, and only then given up', async () => {
    const open: Socket[] = [];
    let silent = 2;
    const server = createServer((socket) => {
      open.push(socket);
      socket.on('error', () => {});
      if (silent-- > 0) return;
      const to = dial(cluster.connection.port!, '127.0.0.1');
      open.push(to);
      socket.pipe(to).pipe(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const config = { ...cluster.connection, port: (server.address() as AddressInfo).port };
    const client = await connect(config, { attemptMs: 200 });
    assert.equal((await client.query('select 1 as one')).rows[0].one, 1);
    await client.end();
    silent = Infinity;
    await assert.rejects(
      connect(config, { attemptMs: 50, patienceMs: 120 }),
      /accepts connections and does not answer \(port \d+\)/,
    );
    for (const socket of open) socket.destroy();
    server.close();
  });
});
