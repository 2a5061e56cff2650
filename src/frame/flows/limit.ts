import type { ChainRequest } from '../../chains/chain.ts';

/** The same request with the allowance `to` where it has `from` as its last argument; unchanged where it has not. */
export function limited(request: ChainRequest, from: bigint, to: bigint): ChainRequest {
  const { data, inputs } = request;
  const word = (value: bigint): string => value.toString(16).padStart(64, '0');
  if (typeof data === 'string' && data.toLowerCase().endsWith(word(from)))
    return { ...request, data: data.slice(0, -64) + word(to) };
  const last: unknown = Array.isArray(inputs) ? inputs.at(-1) : undefined;
  if (!Array.isArray(inputs) || typeof last !== 'object') return request;
  return { ...request, inputs: [...inputs.slice(0, -1), { ...last, value: String(to) }] };
}
