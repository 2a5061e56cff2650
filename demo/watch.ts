/** `npm run dev`: runs `dev.ts` in tsx's watcher, which starts it again when server code changes. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { answerHelp } from '../service/help.ts';
import { DEMO_SETTINGS } from './start.ts';

answerHelp({
  usage: ['dev'],
  does: 'Runs the demo as npm start does. The page reloads after a change to elements, frame or page; a change to server code restarts everything.',
  environment: DEMO_SETTINGS,
});

const root = resolve(import.meta.dirname, '..');
const watching = spawn(
  resolve(root, 'node_modules/.bin/tsx'),
  ['watch', '--clear-screen=false', 'demo/dev.ts', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
// Ctrl-C reaches the watcher itself, which ends when the demo has.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => watching.kill(signal));
watching.once('exit', (code) => process.exit(code ?? 1));
