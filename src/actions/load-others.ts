import type { Context } from './context.ts';

export type Others = typeof import('./others.ts');

/** Loads the code for external wallets, and looks for the linked ones. */
export async function loadOthers(context: Context): Promise<Others> {
  if (context.others) return context.others;
  const others = await import('./others.ts');
  void others.resumeExternal(context);
  return (context.others = others);
}
