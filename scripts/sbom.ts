/**
 * `npm run sbom`: writes the package's dependencies as CycloneDX to standard output; `npm run sbom -- service`: those of the service. npm
 * lists everything that is installed, including tools and tests, and its `--omit dev` omits whatever a tool also needs, such as Lit. So the
 * list is reduced here to what is reachable from `dependencies`, and from what the package's build puts into files of its own.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { answerHelp } from '../service/help.ts';
import { ROOT } from './command.ts';

interface Component {
  'bom-ref': string;
  name: string;
}

/** https://cyclonedx.org/docs/1.5/json/ */
export interface Bill {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** Development dependencies that are in a file of the package. */
const BUILT_IN = ['@walletconnect/sign-client'];

interface Manifest {
  name: string;
  version: string;
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** The installed packages that are reachable from the `dependencies` of `manifest`. */
export function cut(bill: Bill, { name, version, dependencies, devDependencies = {} }: Manifest): Bill {
  const ref = `${name}@${version}`;
  const builtIn = Object.entries(devDependencies).filter(([each]) => BUILT_IN.includes(each));
  const direct = [...Object.entries(dependencies), ...builtIn].map(([each, exact]) => `${each}@${exact}`);
  const needs = new Map(bill.dependencies.map((each) => [each.ref, each.dependsOn]));
  const found = new Set<string>();
  const open = [...direct];
  for (const each of open) {
    if (found.has(each)) continue;
    const further = needs.get(each);
    if (!further) throw new Error(`${each} is not installed: run npm ci.`);
    found.add(each);
    open.push(...further);
  }
  const component = {
    ...bill.metadata.component,
    'bom-ref': ref,
    name,
    purl: `pkg:npm/${encodeURI(name)}@${version}`,
  };
  return {
    ...bill,
    metadata: { ...bill.metadata, component },
    components: bill.components.filter((each) => found.has(each['bom-ref'])),
    dependencies: [{ ref, dependsOn: direct }, ...bill.dependencies.filter((each) => found.has(each.ref))],
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  answerHelp({
    usage: ['sbom', 'sbom service'],
    does: 'Prints the runtime dependencies of the npm package, or of the service, as CycloneDX.',
  });

  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'library'];
  const all = JSON.parse(
    execFileSync('npm', args, {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as Bill;
  const manifest = join(ROOT, process.argv[2] ?? '.', 'package.json');
  console.log(JSON.stringify(cut(all, JSON.parse(readFileSync(manifest, 'utf8')) as Manifest), null, 2));
}
