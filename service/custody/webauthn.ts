/** Verifies an authenticator's answers: WebAuthn Level 3, sections 7.1 and 7.2, with the frame as the only relying party. */
import { createHash, verify } from 'node:crypto';
import { ConnectError } from '../../src/base/errors.ts';
import { readCoseKey } from './cose.ts';

/** Where passkeys are made and used. */
export interface RelyingParty {
  /** The origin of the frame. */
  origin: string;
  /** The frame's host name. */
  rpId: string;
}

type Check =
  | 'credential'
  | 'time'
  | 'used'
  | 'type'
  | 'challenge'
  | 'origin'
  | 'rp'
  | 'present'
  | 'verified'
  | 'key'
  | 'signature'
  | 'counter';

/** Bits of the flags: user present, user verified, credential data follows. */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const CREDENTIAL = 0x40;

/** `details.check` says which check failed. */
export function invalidPasskey(check: Check): ConnectError {
  return new ConnectError(
    'passkey.invalid',
    'The passkey’s answer does not match this request. Ask the passkey again. Nothing was done.',
    { check },
  );
}

interface Said {
  clientDataJSON: Buffer;
  authenticatorData: Buffer;
}

interface Meant {
  type: 'webauthn.create' | 'webauthn.get';
  challenge: Buffer;
  party: RelyingParty;
}

/** Returns the signature counter. Any page may be around the frame: the frame decides where it approves. */
function checkSaid(
  { clientDataJSON, authenticatorData: data }: Said,
  { type, challenge, party }: Meant,
): number {
  const client = readClientData(clientDataJSON);
  if (client['type'] !== type) throw invalidPasskey('type');
  if (client['challenge'] !== challenge.toString('base64url')) throw invalidPasskey('challenge');
  if (client['origin'] !== party.origin) throw invalidPasskey('origin');
  if (!data.subarray(0, 32).equals(sha256(Buffer.from(party.rpId)))) throw invalidPasskey('rp');
  const flags = data.readUInt8(32);
  if (!(flags & PRESENT)) throw invalidPasskey('present');
  if (!(flags & VERIFIED)) throw invalidPasskey('verified');
  return data.readUInt32BE(33);
}

export interface Credential {
  id: Buffer;
  /** In COSE form. */
  publicKey: Buffer;
  counter: number;
}

/** A new credential. Attestation is not requested: a user may choose any authenticator. */
export function readNewCredential(said: Said, meant: Omit<Meant, 'type'>): Credential {
  const counter = checkSaid(said, { ...meant, type: 'webauthn.create' });
  const data = said.authenticatorData;
  // Flags, counter, 16 bytes of the model, the length of the id.
  if (!(data.readUInt8(32) & CREDENTIAL) || data.length < 55) throw invalidPasskey('credential');
  const end = 55 + data.readUInt16BE(53);
  const [id, publicKey] = [data.subarray(55, end), data.subarray(end)];
  if (id.length === 0 || id.length > 1023 || end > data.length) throw invalidPasskey('credential');
  if (!readCoseKey(publicKey)) throw invalidPasskey('key');
  return { id, publicKey, counter };
}

/** Returns the new counter, which the caller compares with the previous one. */
export function checkAssertion(
  said: Said & { signature: Buffer },
  { publicKey, ...meant }: Omit<Meant, 'type'> & { publicKey: Buffer },
): number {
  const counter = checkSaid(said, { ...meant, type: 'webauthn.get' });
  const cose = readCoseKey(publicKey);
  if (!cose) throw invalidPasskey('key');
  const signed = Buffer.concat([said.authenticatorData, sha256(said.clientDataJSON)]);
  if (!verify('sha256', signed, cose.key, said.signature)) throw invalidPasskey('signature');
  return counter;
}

function readClientData(bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
