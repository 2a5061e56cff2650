/** `--help` of every command of package.json, in one form. */
export interface Help {
  /** What follows `npm run`: `service:client -- list [--json]`. */
  usage: readonly string[];
  /** What the command does, in whole sentences. */
  does: string;
  /** By name, with what each means. */
  options?: Readonly<Record<string, string>>;
  /** Environment variables. */
  environment?: Readonly<Record<string, string>>;
  /** By exit status, where it is more than 0 for success and 1 for failure. */
  exits?: Readonly<Record<string, string>>;
}

const EXITS = { 0: 'success', 1: 'failure; standard error says why' };

/** The usage, which an invalid command line is answered with, too. */
export function usageOf({ usage }: Help): string {
  return `Usage:\n${usage.map((line) => `  npm run ${line}`).join('\n')}`;
}

function helpText(help: Help): string {
  const { does, options = {}, environment = {}, exits = EXITS } = help;
  return [
    usageOf(help),
    does,
    ...list('Options', { ...options, '--help': 'prints this, and does nothing else' }),
    ...list('Environment', environment),
    ...list('Exit status', exits),
  ].join('\n\n');
}

function list(head: string, entries: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(entries);
  if (names.length === 0) return [];
  const width = Math.max(...names.map((name) => name.length));
  return [`${head}:\n${names.map((name) => `  ${name.padEnd(width)}  ${entries[name]}`).join('\n')}`];
}

/** Prints the help and ends the process, if the command line asks for it. Before anything else is done. */
export function answerHelp(help: Help, args: readonly string[] = process.argv.slice(2)): void {
  if (!args.includes('--help') && !args.includes('-h')) return;
  console.log(helpText(help));
  process.exit(0);
}
