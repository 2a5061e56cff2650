import type { Context } from './context.ts';

export type Others = typeof import('./others.ts');

/** What external wallets take. Those that are linked are looked for. */
export async function loadOthers(context: Context): Promise<Others> {
  if (context.others) return context.others;
  const others = await import('./others.ts');
  void others.resumeExternal(context);
  return (context.others = others);
}
