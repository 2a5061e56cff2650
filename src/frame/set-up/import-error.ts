/** Explains to the user why a key or key file was rejected; the chains' own errors are worded for developers. */
import { chainOfAddress } from '../../chains/requests/foreign-address.ts';
import { type KeyTrouble, KeyInvalidError } from '../../chains/keys/key-error.ts';
import { CARDS, CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import { ConnectError, RequestInvalidError } from '../../base/errors.ts';
import { msg, str } from '../../base/localize.ts';
import type { ImportSecret } from './import-view.ts';

/** The message for an error that the user can correct in the view. Rethrows any other. */
export function importError(error: unknown, secret: ImportSecret, secretType: SecretType): string {
  if (error instanceof RequestInvalidError)
    return secret.kind === 'keystore'
      ? fileProblem(error, secret.text, secretType)
      : keyProblem(error, secret.text, secretType);
  if (!(error instanceof ConnectError) || error.code !== 'request.conflict') throw error;
  const { alias, archived } = error.details;
  if (typeof alias !== 'string')
    return msg('This browser has a wallet already. Close this window and try again.');
  return archived
    ? msg(str`You have this wallet already, in the archive: “${alias}”.`)
    : msg(str`You have this wallet already: “${alias}”.`);
}

function fileProblem({ issues }: RequestInvalidError, text: string, secretType: SecretType): string {
  if (issues[0]?.path === 'password') return msg('This password does not open the key file.');
  const file = jsonOf(text);
  if (!file) return msg('This is not a key file. Choose the JSON file that your other wallet saved.');
  const other = chainOfFile(file);
  return other && other !== secretType
    ? msg(str`This key file belongs to ${CHAIN_NAMES[other]}, not to ${CHAIN_NAMES[secretType]}.`)
    : msg('This key file cannot be opened. It is damaged, or of a kind that the wallet does not know.');
}

function keyProblem(error: RequestInvalidError, text: string, secretType: SecretType): string {
  if (jsonOf(text))
    return CARDS[secretType].privateKey.keystore
      ? msg('This is the text of a key file. Choose “Key file” above, and the file itself.')
      : msg('This is a key file. Only the private key itself can be imported here.');
  const name = CHAIN_NAMES[secretType];
  const { trouble = 'form', chain = undefined } = error instanceof KeyInvalidError ? error : {};
  const digits = text.trim().replace(/^0x/i, '').length;
  const words: Record<KeyTrouble, () => string> = {
    form: () => msg(str`This is not a private key for ${name}. Check that you copied all of it.`),
    length: () =>
      msg(str`A private key does not have ${digits} characters. Check that you copied all of it.`),
    range: () => msg('This is not a valid private key. Check each character.'),
    checksum: () => msg('A character of this key is mistyped or missing. Check each one.'),
    uncompressed: () =>
      msg(
        'This WIF key is of the older, uncompressed form: its coins are on an address that this wallet does not use. Send them from the wallet that made it.',
      ),
    'live-network': () =>
      msg(str`This key is of ${name}’s live network, and the wallet would be on another.`),
    'test-network': () =>
      msg(str`This key is of a test network, and the wallet would be on ${name}’s live one.`),
    chain: () => msg(str`This is a ${CHAIN_NAMES[chain ?? secretType]} key, not a ${name} one.`),
    encrypted: () =>
      msg('This key is encrypted with a password. Decrypt it with the wallet that made it first.'),
    extended: () => msg('This key stands for many addresses. Import the private key of one address.'),
    address: () => msg('This is an address. Import the private key that belongs to it.'),
    'public-half': () =>
      msg('The second half of this key does not belong to the first: a digit is mistyped. Check each one.'),
  };
  return words[trouble]();
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The chain identified by the file's address or public key format. Key files of Ethereum and similar chains look the same. */
function chainOfFile({ address, public_key }: Record<string, unknown>): SecretType | undefined {
  const own = public_key ?? address;
  return typeof own === 'string' ? chainOfAddress(own) : undefined;
}
