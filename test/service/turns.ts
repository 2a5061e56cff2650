/** How often other work had its turn while `work` ran. */
export async function turnsWhile(work: () => Promise<unknown>): Promise<number> {
  let [turns, working] = [0, true];
  const count = (): void => {
    turns++;
    if (working) setImmediate(count);
  };
  setImmediate(count);
  await work();
  working = false;
  return turns;
}
