/** A node of Bitcoin's kind in regtest, which makes blocks on request and has coins to give: litecoind, or btcd. */
export interface UtxoNode {
  /** Rejects with `RpcFailure`. */
  rpc<T>(method: string, ...params: unknown[]): Promise<T>;
  mine(blocks: number): Promise<void>;
  /** Satoshi to a script, by a transaction that waits for a block. Answers its id. */
  pay(script: Uint8Array, amount: bigint): Promise<string>;
  close(): Promise<void>;
}

/** A node's refusal in its own words. */
export class RpcFailure extends Error {
  override name = 'RpcFailure';
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Asks a node over HTTP. `login`: user and password, with a colon between. */
export async function askNode<T>(url: string, login: string, method: string, params: unknown[]): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` },
    body: JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }),
  });
  const { result, error } = (await answer.json()) as {
    result: T;
    error: { code: number; message: string } | null;
  };
  if (error) throw new RpcFailure(error.code, error.message);
  return result;
}
