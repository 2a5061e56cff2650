/**
 * `npm run audit`: checks of the dependencies that need no network, also part of `npm test`: licences,
 * install scripts, and the lock file. Then `npm audit`, if the registry answers it.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { answerHelp } from '../service/help.ts';
import { ROOT } from './command.ts';
import { type Lock, type Manifest, nameOf, readLock, readManifest, runtimeOf } from './lock.ts';

/** Licences of what we ship or run. All allow use in a closed product. */
const LICENCES: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '(MIT OR Apache-2.0)',
]);

/** A library in a file of its own, which the service loads unmodified: npm's package of it satisfies LGPL section 4. */
const LOADED = /^@img\/sharp-/;

/** One line per problem. */
export function problemsOf(lock: Lock, manifests: readonly Manifest[]): string[] {
  return [
    ...licenceProblems(lock),
    ...scriptProblems(lock, manifests),
    ...integrityProblems(lock),
    ...versionProblems(lock, manifests),
  ];
}

function licenceProblems(lock: Lock): string[] {
  const paths = new Set([...runtimeOf(lock, ''), ...runtimeOf(lock, 'service')]);
  return [...paths]
    .map((path) => [nameOf(path), lock.packages[path]!.license ?? 'none'] as const)
    .filter(([name, licence]) => !LICENCES.has(licence) && !LOADED.test(name))
    .map(
      ([name, licence]) => `${name} has the licence ${licence}: it is not in the list of scripts/audit.ts`,
    );
}

function scriptProblems({ packages }: Lock, manifests: readonly Manifest[]): string[] {
  const known = new Set(manifests.flatMap(({ allowScripts = {} }) => Object.keys(allowScripts)));
  return Object.entries(packages)
    .filter(([path, { hasInstallScript }]) => hasInstallScript && !known.has(nameOf(path)))
    .map(
      ([path]) =>
        `${path} runs a script when it is installed: allow or forbid it in allowScripts of package.json`,
    );
}

/** Packages for other platforms have no hash in a lock file written on this one. */
function integrityProblems({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { link, integrity, resolved, optional }]) => {
    if (!path.includes('node_modules/') || link) return [];
    const from = resolved === undefined || resolved.startsWith('https://registry.npmjs.org/');
    const isAbsent = integrity === undefined && optional === true && !existsSync(join(ROOT, path));
    return [
      ...(from ? [] : [`${path} is locked to ${resolved}, which is not the registry`]),
      ...(integrity?.startsWith('sha512-') || isAbsent
        ? []
        : [`${path} has no SHA-512 in package-lock.json`]),
    ];
  });
}

function versionProblems({ packages }: Lock, manifests: readonly Manifest[]): string[] {
  return manifests.flatMap(({ name, dependencies, devDependencies = {} }) => {
    const locked = Object.entries(packages).find(([path, one]) =>
      path === '' ? name === 'carabiner' : !one.link && path === name.replace('@carabiner/', ''),
    )?.[1];
    return Object.entries({ ...dependencies, ...devDependencies }).flatMap(([each, version]) => [
      ...(/^(npm:@?[^@]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)
        ? []
        : [`${name} depends on ${each} ${version}: give an exact version`]),
      ...({ ...locked?.dependencies, ...locked?.devDependencies }[each] === version
        ? []
        : [
            `package-lock.json has another version of ${each} for ${name}: run npm install --package-lock-only`,
          ]),
    ]);
  });
}

/** Without the network. True if nothing was found. */
export function checkDependencies(): boolean {
  const problems = problemsOf(readLock(), ['.', 'service'].map(readManifest));
  for (const problem of problems) console.error(problem);
  return problems.length === 0;
}

interface Report {
  error?: { summary?: string; code?: string };
  message?: string;
  metadata?: { vulnerabilities: Record<string, number> };
}

/** npm's advisories about runtime dependencies. Undefined if the registry does not answer. */
async function advisories(): Promise<{ text: string; holds: boolean } | undefined> {
  const args = ['audit', '--omit', 'dev', '--json', '--fetch-retries', '0', '--fetch-timeout', '15000'];
  const text = await promisify(execFile)('npm', args, {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
    timeout: 60_000,
  }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? '',
  );
  let report: Report;
  try {
    report = JSON.parse(text) as Report;
  } catch {
    return undefined;
  }
  const found = report.metadata?.vulnerabilities;
  if (!found) return undefined;
  const { critical = 0, high = 0, moderate = 0, low = 0 } = found;
  return {
    text: `npm audit: ${critical} critical, ${high} high, ${moderate} moderate, ${low} low, among what runs.`,
    holds: critical + high === 0,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  answerHelp({
    usage: ['audit [-- --offline]'],
    does: 'Checks licences, install scripts and the lock file, without a network; then asks the registry for advisories about what runs, and says so if it does not answer.',
    options: { '--offline': 'does not ask the registry' },
    exits: { 0: 'nothing was found', 1: 'something was, or an advisory is high or critical' },
  });
  const holds = checkDependencies();
  if (holds) console.log('Licences, install scripts and the lock file are as they must be.');
  if (process.argv.includes('--offline')) process.exit(holds ? 0 : 1);
  const answer = await advisories();
  console.log(answer?.text ?? 'npm audit: not run. The registry of this machine does not answer advisories.');
  process.exit(holds && (answer?.holds ?? true) ? 0 : 1);
}
