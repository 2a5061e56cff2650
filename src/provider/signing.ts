/** Signatures of messages and typed data. */
import type { SignResult } from '../channel/messages.ts';
import { RequestInvalidError } from '../base/errors.ts';
import { hexDigits } from '../base/bytes.ts';
import { addressOf, bytesOf, isAddress, isBytes, listOf, textOf } from './params.ts';
import { invalidParam } from './rpc-error.ts';
import type { Session } from './session.ts';

/** By chain, the types of the wallet's own requests. */
export const SIGNATURES = {
  ETHEREUM: { message: 'ETHEREUM_RAW', typed: 'ETHEREUM_TYPED_DATA' },
  GOCHAIN: { message: 'GOCHAIN_RAW', typed: 'GOCHAIN_TYPED_DATA' },
} as const;

/** A parameter, and its name in errors. */
interface Param {
  value: string;
  path: string;
}

export async function personalSign(session: Session, params: unknown): Promise<string> {
  let [data, address] = listOf(params, ['data', 'address']);
  let [dataAt, addressAt] = ['params[0]', 'params[1]'];
  // MetaMask does the same: a message of 20 bytes stays the message.
  if (isAddress(data) && !isAddress(address)) {
    [data, address] = [address, data];
    [dataAt, addressAt] = [addressAt, dataAt];
  }
  const message = { value: bytesOfMessage(data, dataAt), path: dataAt };
  const signer = { value: addressOf(address, addressAt), path: addressAt };
  return sign(session, SIGNATURES[session.chain].message, signer, message);
}

export async function signTypedData(session: Session, params: unknown): Promise<string> {
  const [address, data] = listOf(params, ['address', 'typedData']);
  const text = typeof data === 'object' && data ? jsonOf(data) : textOf(data, 'params[1]', 128 * 1024);
  const typedData = { value: text, path: 'params[1]' };
  const signer = { value: addressOf(address, 'params[0]'), path: 'params[0]' };
  // dApps send fields and types that are not signed, and other wallets leave them out.
  return sign(session, SIGNATURES[session.chain].typed, signer, typedData, { unsignedFields: 'omit' });
}

/** Takes the message first, as MetaMask does. */
export async function ecRecover(session: Session, params: unknown): Promise<unknown> {
  const [data, signature] = listOf(params, ['data', 'signature']);
  const message = bytesOfMessage(data, 'params[0]');
  const network = await session.current();
  return session.networks.read(network, 'carabiner_signer', [message, bytesOf(signature, 'params[1]')]);
}

async function sign(
  session: Session,
  type: string,
  signer: Param,
  data: Param,
  how: { unsignedFields?: 'omit' } = {},
): Promise<string> {
  const network = await session.current();
  const { id } = await session.walletAt(signer.value, signer.path, network);
  const name = await session.nameOf(network);
  const request = {
    type,
    walletId: id,
    data: data.value,
    ...(typeof name === 'string' && { network: name }),
  };
  const { result } = await session.prompt.ask<SignResult>(
    'approve',
    (options) =>
      session.host.signRaw({ ...request, ...how }, options).catch((error: unknown) => {
        if (!isUnknownThere(error, how)) throw error;
        return session.host.signRaw(request, options);
      }),
    (path) => path.replace(/^data\b/, data.path),
  );
  return result.signature;
}

/** A wallet that is older than this page refuses what it does not know, before anything is shown. */
function isUnknownThere(error: unknown, fields: object): boolean {
  return error instanceof RequestInvalidError && error.issues.some(({ path }) => Object.hasOwn(fields, path));
}

function bytesOfMessage(data: unknown, path: string): string {
  if (typeof data !== 'string') throw invalidParam(path, 'must be a text, or bytes in hex');
  return isBytes(data) ? data : `0x${hexDigits(new TextEncoder().encode(data))}`;
}

/** A bigint stands for its digits. */
function jsonOf(data: object): string {
  return JSON.stringify(data, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
