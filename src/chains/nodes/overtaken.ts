/** Whether blocks gave a transaction's place to another one, according to the nodes of its network. */

/**
 * Each node is asked by itself, so that what it says is about one chain: one that is some blocks behind another has not seen ours yet. `says`:
 * whether another transaction is in its place, false if ours is in a block, undefined if neither is known. True if a node says so and none
 * has ours.
 */
export async function isOvertakenAt<N>(
  nodes: readonly N[],
  says: (node: N) => Promise<boolean | undefined>,
): Promise<boolean> {
  const said = await Promise.all(nodes.map((node) => says(node).catch(() => undefined)));
  return said.includes(true) && !said.includes(false);
}
