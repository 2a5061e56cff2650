/**
 * `npm run setup -- --shop shop.example --wallet connect.example --service wallet.example`: the settings of one machine, from the templates in
 * `deploy/`. Run as root, before the units are enabled.
 */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { answerHelp, type Help, usageOf } from '../help.ts';
import { machineOf } from '../setup/machine.ts';
import { type Machine, productionFiles, type SetupFile } from '../setup/production-files.ts';
import { FileSystem } from '../setup/write-files.ts';
import { runCommand, UsageError } from './command.ts';

const HELP: Help = {
  usage: ['setup -- --shop <host> --wallet <host> [--service <host>] [--dry-run]'],
  does: 'Writes the settings of one machine: networks.json, the .env files, the Caddyfile and the units. It starts nothing, overwrites nothing, and changes nothing when it is run again.',
  options: {
    '--shop': 'host name of the pages that use the wallet',
    '--wallet': "host name of the wallet's own origin, with nothing else on it",
    '--service': 'host name of the wallet service; without it, the wallet alone',
    '--network': 'a preset of networks.json, once for each; ethereum without it',
    '--embed':
      'the domain that shop and wallet share: the shop may then show the wallet in a dialog. Trust it as much as the wallet',
    '--root': 'folder to write to, in place of /',
    '--replace': 'keeps each file that differs beside it, as .old, and writes ours',
    '--dry-run': 'prints what would be written, and writes nothing',
  },
  exits: { 0: 'the files are there', 1: 'an option is wrong, or a file that is there differs' },
};

const HOME = resolve(import.meta.dirname, '../..');
const GROUP = 'carabiner';

function readOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        shop: { type: 'string' },
        wallet: { type: 'string' },
        service: { type: 'string' },
        network: { type: 'string', multiple: true, default: ['ethereum'] },
        embed: { type: 'string' },
        root: { type: 'string', default: '/' },
        replace: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usageOf(HELP)}`);
  }
}

/** Undefined where files are not root's, or not of this machine. */
async function groupFor(root: string): Promise<number | undefined> {
  if (root !== '/' || process.getuid?.() !== 0) return undefined;
  const id = await promisify(execFile)('id', ['-g', GROUP]).catch(() => undefined);
  if (id) return Number(id.stdout);
  throw new Error(
    `there is no user ${GROUP}. Make it first: useradd --system --home-dir /var/lib/carabiner --shell /usr/sbin/nologin ${GROUP}`,
  );
}

function dryRun(files: readonly SetupFile[], there: FileSystem): string {
  const WORDS = { missing: 'would be written', same: 'is there already', other: 'is there, and differs' };
  return files
    .map((file) => {
      const state = there.state(file);
      const head = `# ${there.pathOf(file)} (0${file.mode.toString(8)}): ${WORDS[state]}`;
      return state === 'same' ? head : `${head}\n${file.text}`;
    })
    .join('\n');
}

function next({ shop, wallet, service }: Machine): string {
  const units = ['carabiner-frame', ...(service ? ['carabiner-service'] : [])].join(' ');
  return `Next, when ${[wallet, service].filter(Boolean).join(' and ')} lead to this machine:
  systemctl daemon-reload && systemctl enable --now ${units} && systemctl reload caddy
Pages of ${shop} load https://${wallet}/connect.js.`;
}

async function main(): Promise<string> {
  const options = readOptions(process.argv.slice(2));
  const { shop, wallet } = options;
  if (!shop || !wallet) throw new UsageError(usageOf(HELP));
  const machine = machineOf({ ...options, shop, wallet }, HOME);
  const root = resolve(options.root);
  const files = productionFiles(machine, resolve(HOME, 'deploy'));
  if (options['dry-run']) return dryRun(files, new FileSystem(root));
  // Modes are those that files are opened with.
  process.umask(0o022);
  const there = new FileSystem(root, await groupFor(root));
  const others = files.filter((file) => there.state(file) === 'other');
  if (others.length && !options.replace)
    throw new Error(
      `these files are there and differ. Nothing was written; --replace keeps them beside ours, as .old:\n${others.map((file) => `  ${there.pathOf(file)}`).join('\n')}`,
    );
  const missing = files.filter((file) => there.state(file) !== 'same');
  if (missing.length === 0) return 'Nothing was changed: every file is there as it would be written.';
  const lines = others.map((file) => `kept    ${there.putAside(file)}`);
  for (const file of missing) {
    there.write(file);
    lines.push(`written ${there.pathOf(file)}`);
  }
  return [...lines, next(machine)].join('\n');
}

answerHelp(HELP);
await runCommand(main);
