/** `npm run lint`: oxlint, the format check, and checks that oxlint lacks: which folder imports what, circles, how the tree grows, and texts. */
import { pathToFileURL } from 'node:url';
import { answerHelp } from '../service/help.ts';
import { largeCircles } from './circles.ts';
import { run } from './command.ts';
import { brokenLayers } from './layers.ts';
import { checkStrings } from './strings/catalogues.ts';
import { writeCatalogues } from './strings/fresh.ts';
import { overgrown } from './tree.ts';

/** True if nothing was found. */
export async function lint(): Promise<boolean> {
  await writeCatalogues();
  const timeout = 300_000;
  const oxlint = await run('oxlint', ['--deny-warnings', '.'], { timeout });
  const biome = await run('biome', ['format', '.'], { timeout });
  const broken = [...brokenLayers(), ...largeCircles(), ...overgrown(), ...checkStrings()];
  for (const line of broken) console.error(line);
  return oxlint.code === 0 && biome.code === 0 && broken.length === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  answerHelp({
    usage: ['lint'],
    does: 'Runs oxlint and the format check, and checks which folder imports what, circles of imports, how the tree grows, and texts.',
    exits: { 0: 'nothing was found', 1: 'something was' },
  });
  process.exit((await lint()) ? 0 : 1);
}
