/** Circles of imports, types included: files that can only be read together. Read by `npm run lint`. */
import { relative } from 'node:path';
import { ROOT } from './command.ts';
import { importsOf, sourcesIn } from './layers.ts';

/** How many files may import each other. */
const MOST = 3;

/** The files that each file imports at once. */
function importGraph(root: string): Map<string, readonly string[]> {
  const files = new Set(sourcesIn(root).map((path) => relative(ROOT, path)));
  const entries = [...files].map((file): [string, string[]] => [
    file,
    importsOf(`${ROOT}/${file}`).flatMap(({ to, isLazy }) => (isLazy || !files.has(to) ? [] : [to])),
  ]);
  return new Map(entries);
}

/** The strongly connected components of more than one file, by Tarjan's algorithm. */
class Components {
  readonly circles: string[][] = [];
  readonly #graph: ReadonlyMap<string, readonly string[]>;
  readonly #order = new Map<string, number>();
  readonly #stack: string[] = [];

  constructor(graph: ReadonlyMap<string, readonly string[]>) {
    this.#graph = graph;
    for (const file of graph.keys()) if (!this.#order.has(file)) this.#visit(file);
  }

  /** The lowest order that `file` reaches among those on the stack. */
  #visit(file: string): number {
    const order = this.#order.size;
    this.#order.set(file, order);
    this.#stack.push(file);
    let lowest = order;
    for (const next of this.#graph.get(file)!) {
      if (!this.#order.has(next)) lowest = Math.min(lowest, this.#visit(next));
      else if (this.#stack.includes(next)) lowest = Math.min(lowest, this.#order.get(next)!);
    }
    if (lowest < order) return lowest;
    const circle = this.#stack.splice(this.#stack.indexOf(file));
    if (circle.length > 1) this.circles.push(circle);
    return lowest;
  }
}

/** One line for each circle that is too large. */
export function largeCircles(): string[] {
  return new Components(importGraph('src')).circles
    .filter(({ length }) => length > MOST)
    .map((circle) => `${circle.length} files import each other: ${circle.sort().join(', ')}`);
}
