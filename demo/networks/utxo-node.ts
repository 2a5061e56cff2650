/** A Bitcoin-like node in regtest, which mines on request and funds addresses: litecoind or btcd. */
export interface UtxoNode {
  /** Rejects with `RpcFailure`. */
  rpc<T>(method: string, ...params: unknown[]): Promise<T>;
  mine(blocks: number): Promise<void>;
  /** Sends satoshis to a script, in a transaction that stays unconfirmed until the next block. Returns its id. */
  pay(script: Uint8Array, amount: bigint): Promise<string>;
  close(): Promise<void>;
}

/** A JSON-RPC error of the node. */
export class RpcFailure extends Error {
  override name = 'RpcFailure';
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Calls a node over HTTP. `login`: `user:password`. */
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
