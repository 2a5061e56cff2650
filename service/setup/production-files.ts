/** The files of one machine, from the templates in `deploy/`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SetupFile {
  /** From the root of the file system, without a slash before it. */
  path: string;
  text: string;
  mode: number;
}

export interface Machine {
  shop: string;
  wallet: string;
  /** Absent: the wallet alone. */
  service: string | undefined;
  /** The domain that both are in, if the shop may show the wallet in a dialog. */
  site: string | undefined;
  /** Presets of `networks.json`. */
  networks: readonly string[];
  /** Folder of the unpacked archive. */
  home: string;
}

/** May come to hold Stripe's key or a database's password: not for everybody on the machine. */
const SECRET = 0o640;
const OPEN = 0o644;
/** What the templates have in place of a machine's own. */
const PLACES = /wallet\.example|connect\.example|\/srv\/carabiner/g;

function networksJson({ shop, service, site, networks }: Machine): string {
  const file = {
    ...(site && { site, embed: [`https://${shop}`] }),
    ...(service && { service: `https://${service}` }),
    presets: networks,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** `deploy`: the folder of the templates. Everything in it is a template, and no name gets into a shell. */
export function productionFiles(machine: Machine, deploy: string): SetupFile[] {
  const { wallet, service, home } = machine;
  const own: Record<string, string> = { 'connect.example': wallet, '/srv/carabiner': home };
  if (service) own['wallet.example'] = service;
  // In one pass: a name may hold another's place.
  const filled = (text: string): string => text.replace(PLACES, (place) => own[place] ?? place);
  const template = (name: string): string => readFileSync(join(deploy, name), 'utf8');
  const from = (name: string, path: string, mode = OPEN): SetupFile => ({
    path,
    text: filled(template(name)),
    mode,
  });
  const unit = (name: string): SetupFile => from(`systemd/${name}`, `etc/systemd/system/${name}`);
  const sites = template('one-machine/Caddyfile')
    .split('\n\n')
    .filter((block) => service || !block.startsWith('wallet.example'));
  return [
    { path: 'etc/carabiner/networks.json', text: networksJson(machine), mode: OPEN },
    from('one-machine/frame.env', 'etc/carabiner/frame.env'),
    ...(service ? [from('one-machine/service.env', 'etc/carabiner/service.env', SECRET)] : []),
    { path: 'etc/caddy/Caddyfile', text: filled(`${sites.join('\n\n').trimEnd()}\n`), mode: OPEN },
    unit('carabiner-frame.service'),
    ...(service ? [unit('carabiner-service.service')] : []),
  ];
}
