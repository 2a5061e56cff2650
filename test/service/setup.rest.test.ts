/** `npm run setup`: the files of one machine, in a folder that stands for its root. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { filesBelow } from '../../scripts/build.ts';
import { ROOT } from '../../scripts/command.ts';
import { readConfig } from '../../service/config.ts';
import { makeFolder } from '../../service/files/make-folder.ts';
import { readNetworks } from '../../service/networks/networks-file.ts';
import { readHostName } from '../../service/setup/host-names.ts';
import { machineOf, type Wishes } from '../../service/setup/machine.ts';
import { productionFiles } from '../../service/setup/production-files.ts';
import { temporaryFolder } from './harness.ts';
import { program } from './programs.ts';

const folder = temporaryFolder();
const root = join(folder, 'root');
const NAMES = ['--shop', 'shop.example', '--wallet', 'connect.example', '--service', 'wallet.example'];
after(() => rmSync(folder, { recursive: true, force: true }));

function setup(...args: string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...program('commands/setup'), '--root', root, ...args],
    { cwd: ROOT, encoding: 'utf8', env: { PATH: process.env['PATH'] } },
  );
  return { status, out: stdout, err: stderr };
}

const at = (path: string): string => join(root, path);
const read = (path: string): string => readFileSync(at(path), 'utf8');
const modeOf = (path: string): number => statSync(at(path)).mode & 0o777;

const WISHES: Wishes = {
  shop: 'shop.example',
  wallet: 'connect.example',
  service: 'wallet.example',
  network: ['ethereum'],
};
const machine = (wishes: Partial<Wishes> = {}) => machineOf({ ...WISHES, ...wishes }, '/srv/carabiner');
const textsOf = (wishes: Partial<Wishes> = {}): Record<string, string> =>
  Object.fromEntries(
    productionFiles(machine(wishes), join(ROOT, 'deploy')).map(({ path, text }) => [path, text]),
  );

describe('a host name', () => {
  it('is read as the DNS has it', () => {
    for (const [text, name] of [
      ['shop.example', 'shop.example'],
      ['SHOP.Example', 'shop.example'],
      ['bücher.example', 'xn--bcher-kva.example'],
      ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
      ['a-b.c1.example', 'a-b.c1.example'],
      [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
    ])
      assert.equal(readHostName('--shop', text!), name);
  });

  it('is refused with its option and the reason', () => {
    for (const [text, reason] of [
      ['https://shop.example', 'no URL'],
      ['shop.example/pay', 'no URL'],
      ['shop.example:8443', 'without a port'],
      ['127.0.0.1', 'IP address'],
      ['127.0.0.1:80', 'IP address'],
      ['::1', 'IP address'],
      ['[2001:db8::1]', 'IP address'],
      ['[::1]:443', 'IP address'],
      ['2130706433.1', 'is no host name'],
      ['0x7f.1', 'its last part is a number'],
      ['shop.0x7f', 'is no host name'],
      ['shop.example.', 'end with a dot'],
      ['localhost', 'needs a domain'],
      ['', 'is no host name'],
      ['.example', 'is no host name'],
      ['a..example', 'is no host name'],
      ['-a.example', 'is no host name'],
      ['a-.example', 'is no host name'],
      ['a_b.example', 'is no host name'],
      ['*.example', 'is no host name'],
      ['user@shop.example', 'is no host name'],
      ['xn--a.example', 'is no host name'],
      [`${'a'.repeat(64)}.example`, 'is no host name'],
      [`${'abcdefg.'.repeat(32)}example`, 'is no host name'],
      ['shop.example;id', 'is no host name'],
      ['$(id).example', 'is no host name'],
      ['shop.example\nCORS_ORIGINS=*', 'is no host name'],
      ['shop.example {', 'is no host name'],
      ['shop。example', 'is no host name'],
      ['shop.example%2e', 'is no host name'],
      ['shop.exam\u200bple', 'is no host name'],
    ])
      assert.throws(
        () => readHostName('--shop', text!),
        (error: Error) => error.message.startsWith('--shop ') && error.message.includes(reason!),
        text,
      );
  });

  it('is refused where two are one, or one is below another, whatever their spelling', () => {
    for (const [wishes, message] of [
      [{ wallet: 'SHOP.example' }, '--wallet and --shop are both shop.example'],
      [{ service: 'connect.example' }, '--service and --wallet are both connect.example'],
      [{ wallet: 'connect.shop.example' }, '--wallet connect.shop.example is below --shop shop.example'],
      [{ shop: 'shop.connect.example' }, '--shop shop.connect.example is below --wallet connect.example'],
      [{ service: 'api.connect.example' }, '--service api.connect.example is below --wallet connect.example'],
      [{ embed: 'shop.example' }, '--embed shop.example must be a domain that'],
      [{ network: ['etherium'] }, '--network: there is no preset “etherium”'],
    ] as const)
      assert.throws(
        () => machine(wishes),
        (error: Error) => error.message.startsWith(message),
        message,
      );
    // The same ending is no domain of the other.
    machine({ shop: 'example.org', wallet: 'my-example.org' });
  });
});

describe('the files of one machine', () => {
  it('lets nobody embed the wallet unless asked', () => {
    const networks = (wishes = {}) => JSON.parse(textsOf(wishes)['etc/carabiner/networks.json']!) as object;
    assert.deepEqual(networks(), { service: 'https://wallet.example', presets: ['ethereum'] });
    const names = { shop: 'shop.example.com', wallet: 'connect.example.com', embed: 'example.com' };
    assert.deepEqual(networks({ ...names, network: ['ethereum', 'base'] }), {
      site: 'example.com',
      embed: ['https://shop.example.com'],
      service: 'https://wallet.example',
      presets: ['ethereum', 'base'],
    });
  });

  it('puts each name where its template has it, also one that looks like another’s place', () => {
    const { 'etc/caddy/Caddyfile': caddy, 'etc/carabiner/service.env': env } = textsOf({
      wallet: 'wallet.example.org',
      service: 'connect.example.net',
    });
    assert.match(caddy!, /^wallet\.example\.org \{\n\treverse_proxy 127\.0\.0\.1:4000$/m);
    assert.match(caddy!, /^connect\.example\.net \{\n\treverse_proxy 127\.0\.0\.1:4001$/m);
    assert.match(env!, /^SERVICE_URL=https:\/\/connect\.example\.net$/m);
    assert.match(env!, /^FRAME_URL=https:\/\/wallet\.example\.org$/m);
  });

  it('is the wallet alone without a service', () => {
    const texts = textsOf({ service: undefined });
    assert.deepEqual(Object.keys(texts), [
      'etc/carabiner/networks.json',
      'etc/carabiner/frame.env',
      'etc/caddy/Caddyfile',
      'etc/systemd/system/carabiner-frame.service',
    ]);
    assert.doesNotMatch(Object.values(texts).join('\n'), /4001|wallet\.example/);
  });

  it('has units that run where the archive was unpacked, and takes no folder that a unit would read otherwise', () => {
    const files = productionFiles(machineOf(WISHES, '/opt/wallet'), join(ROOT, 'deploy'));
    const units = files.filter(({ path }) => path.includes('systemd'));
    assert.equal(units.length, 2);
    for (const { text } of units) assert.match(text, /^WorkingDirectory=\/opt\/wallet$/m);
    for (const home of ['/srv/my wallet', '/srv/%h', '/srv/a\nb'])
      assert.throws(() => machineOf(WISHES, home), /^Error: move /);
  });
});

describe('npm run setup', () => {
  beforeEach(() => rmSync(root, { recursive: true, force: true }));

  it('takes the line of the operator’s guide, which enables the units only afterwards', () => {
    const guide = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
    const [, line] = /^npm run setup -- (.+)$/m.exec(guide)!;
    const { status, err } = setup(...line!.split(' '), '--dry-run');
    assert.equal(status, 0, err);
    assert.ok(guide.indexOf('npm run setup -- ') < guide.indexOf('systemctl daemon-reload'));
    assert.doesNotMatch(guide, /git checkout|git clone/);
  });

  it('prints what it would write, and writes nothing', () => {
    makeFolder(at('etc/carabiner'));
    writeFileSync(at('etc/carabiner/service.env'), 'STRIPE_SECRET_KEY=sk_live_of_the_operator\n');
    const { status, out, err } = setup(...NAMES, '--dry-run');
    assert.equal(status, 0, err);
    assert.match(out, /networks\.json \(0644\): would be written\n\{/);
    assert.match(out, /service\.env \(0640\): is there, and differs\n/);
    assert.doesNotMatch(out + err, /sk_live/);
    assert.deepEqual(filesBelow(root), [at('etc/carabiner/service.env')]);
  });

  it('writes settings that both servers start with, readable as they must be, and changes nothing again', () => {
    // It is inherited. By itself it would have everybody write every file.
    const mask = process.umask(0);
    const { status, out, err } = setup(...NAMES);
    process.umask(mask);
    assert.equal(status, 0, err);
    assert.match(out, /enable --now carabiner-frame carabiner-service/);
    assert.equal(modeOf('etc/carabiner/service.env'), 0o640);
    for (const path of ['etc/carabiner/networks.json', 'etc/carabiner/frame.env', 'etc/caddy/Caddyfile'])
      assert.equal(modeOf(path), 0o644, path);
    const networks = at('etc/carabiner/networks.json');
    assert.equal(readNetworks(networks).networks[0]!.id, 'ethereum');
    const lines = read('etc/carabiner/service.env').matchAll(/^([A-Z_]+)=(.*)$/gm);
    const settings = Object.fromEntries([...lines].map(([, name, value]) => [name!, value!]));
    const config = readConfig({ ...settings, NETWORKS: networks });
    assert.equal(config.frameUrl, 'https://connect.example');
    const times = filesBelow(root).map((file) => statSync(file).mtimeMs);
    const again = setup(...NAMES);
    assert.equal(again.status, 0, again.err);
    assert.match(again.out, /^Nothing was changed/);
    assert.deepEqual(
      filesBelow(root).map((file) => statSync(file).mtimeMs),
      times,
    );
  });

  it('overwrites nothing, and keeps what it replaces', () => {
    makeFolder(at('etc/caddy'));
    writeFileSync(at('etc/caddy/Caddyfile'), ':80 {\n}\n');
    const { status, err } = setup(...NAMES);
    assert.equal(status, 1);
    assert.match(err, /differ\. Nothing was written.*\n {2}\S+\/etc\/caddy\/Caddyfile\n$/);
    assert.deepEqual(filesBelow(root), [at('etc/caddy/Caddyfile')]);
    writeFileSync(at('etc/caddy/Caddyfile.old'), 'earlier\n');
    const replaced = setup(...NAMES, '--replace');
    assert.equal(replaced.status, 0, replaced.err);
    assert.equal(read('etc/caddy/Caddyfile.old'), 'earlier\n');
    assert.equal(read('etc/caddy/Caddyfile.old2'), ':80 {\n}\n');
    assert.match(read('etc/caddy/Caddyfile'), /^connect\.example \{$/m);
  });

  it('follows no link that somebody put in a file’s place', () => {
    makeFolder(at('etc/carabiner'));
    writeFileSync(join(folder, 'elsewhere'), 'as it was');
    symlinkSync(join(folder, 'elsewhere'), at('etc/carabiner/service.env'));
    assert.equal(setup(...NAMES).status, 1);
    assert.equal(setup(...NAMES, '--replace').status, 0);
    assert.equal(readFileSync(join(folder, 'elsewhere'), 'utf8'), 'as it was');
    assert.equal(modeOf('etc/carabiner/service.env'), 0o640);
  });

  it('says what is wrong, and writes nothing then', () => {
    for (const [args, message] of [
      [[], /^Usage:\n {2}npm run setup/],
      [['--shop', 'shop.example'], /^Usage:/],
      [['--hsop', 'shop.example'], /--hsop/],
      [['--shop', 'shop.example', '--wallet', '$(touch hacked).example'], /--wallet "\$\(touch hacked\)/],
      [[...NAMES, '--root', '/proc/carabiner'], /\/proc\/carabiner/],
    ] as const) {
      const { status, err } = setup(...args);
      assert.equal(status, 1);
      assert.match(err, message);
    }
    assert.throws(() => statSync(root));
  });
});
