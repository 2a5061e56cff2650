import type { Chain } from '../../../src/chains/chain.ts';
import type { Draft, Known, Node, PrivateKey } from '../../../src/chains/terms.ts';
import type { Payloads } from '../../../src/chains/requests/payloads.ts';

type Scene = Parameters<NonNullable<Chain['describeSigning']>>[4];

/** A chain behind its payload schemas, as in frame and service: takes requests as pages write them. */
export function fromPage<C extends Chain<D, R, S>, D extends Draft, R, S>(
  chain: C & Chain<D, R, S>,
  payloads: Payloads<R, S>,
) {
  return {
    ...chain,
    prepare: async (request: object, from: string, node: Node, known: Known) =>
      (await chain.prepare(payloads.parse(request), from, node, known)) as Awaited<ReturnType<C['prepare']>>,
    build: async (body: object, from: string, node: Node) => chain.build(payloads.parse(body), from, node),
    describeSigning: async (request: object, from: string, node: Node, known: Known, scene?: Scene) =>
      chain.describeSigning!(payloads.parseSigning(request), from, node, known, scene),
    signData: async (request: object, key: PrivateKey) =>
      (await chain.signData!(payloads.parseSigning(request), key)) as Awaited<
        ReturnType<NonNullable<C['signData']>>
      >,
  };
}
