/** Writes the licences of bundled packages beside the bundle: most licences require that their text goes with every copy. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** The folder of the package that a module belongs to; undefined for modules of no package, such as the bundler's own. */
function packageOf(module: string): string | undefined {
  const [path = ''] = module.replace(/^\0/, '').split('?');
  if (!path.includes('/node_modules/')) return undefined;
  for (let folder = dirname(path); folder.includes('/node_modules/'); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    // A subfolder of a package may have a manifest that only says which kind of modules it holds.
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version) return folder;
  }
  return undefined;
}

function licenceOf(folder: string): string {
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  const { name, version, license } = JSON.parse(manifest) as Record<string, string>;
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version}: ${license ?? 'see below'}`, ...texts].join('\n\n');
}

/** `file`: below the output's folder. */
export function licences(file: string): Plugin {
  return {
    name: 'carabiner:licences',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
      const folders = [...new Set(modules.flatMap((module) => packageOf(module) ?? []))].toSorted();
      const source = `${folders.map(licenceOf).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
      this.emitFile({ type: 'asset', fileName: file, source });
    },
  };
}
