/** Variables that are nearly a setting's name: whoever wrote one believes that it is set. */

/** A swap of two neighbours, a letter more, less or another one: each counts 1 (Damerau-Levenshtein, restricted). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const steps = [rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + same];
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        steps.push(rows[i - 2]![j - 2]! + 1);
      row.push(Math.min(...steps));
    }
    rows.push(row);
  }
  return rows.at(-1)!.at(-1)!;
}

/** Above this length two slips are a slip, and not another word. */
const LONG = 10;

function meantBy(name: string, settings: readonly string[]): string | undefined {
  const upper = name.toUpperCase();
  return settings.find((setting) => {
    const most = setting.length > LONG ? 2 : 1;
    return Math.abs(upper.length - setting.length) <= most && distance(upper, setting) <= most;
  });
}

/** One line for each; `settings` are the names that exist, and `others` those of programs beside, which are none of ours. */
export function misspelt(
  env: NodeJS.ProcessEnv,
  settings: readonly string[],
  others: readonly string[] = [],
): string[] {
  const names = new Set([...settings, ...others]);
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value?.trim() || names.has(name)) return [];
    const setting = meantBy(name, settings);
    return setting ? [`${name} is no setting. Did you mean ${setting}?`] : [];
  });
}

/** One line for each variable that begins like ours, and is none: it has no effect. */
export function ignored(
  env: NodeJS.ProcessEnv,
  settings: readonly string[],
  beginnings: readonly string[],
): string[] {
  return Object.keys(env)
    .filter((name) => !settings.includes(name) && beginnings.some((beginning) => name.startsWith(beginning)))
    .map((name) => `${name} is no setting of the service and has no effect.`);
}
