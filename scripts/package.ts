/** What npm would publish: publint's rules, and the entries that a server imports. */
import { pathToFileURL } from 'node:url';
import { formatMessage } from 'publint/utils';
import { publint } from 'publint';
import { ROOT, run } from './command.ts';

/** True when nothing was found. */
export async function checkPackage(): Promise<boolean> {
  const { messages, pkg } = await publint({ pkgDir: ROOT, strict: true });
  for (const message of messages) console.error(formatMessage(message, pkg));
  // Neither entry may need a DOM.
  const server = await run(
    process.execPath,
    ['--input-type=module', '-e', "await import('carabiner'); await import('carabiner/chains');"],
    { timeout: 60_000 },
  );
  return messages.length === 0 && server.code === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exit((await checkPackage()) ? 0 : 1);
