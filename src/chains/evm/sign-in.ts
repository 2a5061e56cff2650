/**
 * Sign-In with Ethereum (https://eips.ethereum.org/EIPS/eip-4361): the message's grammar, and what it gets wrong. Its dialects of
 * CAIP-122 name another chain than Ethereum, and may have the chain id further below.
 */
import type { Mismatch, SigningScene, SignInMessage, SignInSigning } from '../approval/signing.ts';
import { checksum } from '../contracts/evm-address.ts';
import { signInTrouble } from '../messages/describe-message.ts';
import {
  AUTHORITY,
  domainMismatch,
  HEX,
  originOf,
  parseHead,
  SCHEME,
  SUB_DELIMITERS,
  UNRESERVED,
} from '../messages/sign-in-head.ts';

/** Tolerated clock skew. */
const SKEW = 60_000;

const PCHAR = `(?:[${UNRESERVED}${SUB_DELIMITERS}:@]|${HEX})`;
const URI = new RegExp(
  `^${SCHEME}:(?://${AUTHORITY}(?:/${PCHAR}*)*|/(?:${PCHAR}+(?:/${PCHAR}*)*)?|${PCHAR}+(?:/${PCHAR}*)*)?` +
    `(?:\\?(?:${PCHAR}|[/?])*)?(?:#(?:${PCHAR}|[/?])*)?$`,
);
const STATEMENT = new RegExp(`^[${UNRESERVED}:/?#\\[\\]@${SUB_DELIMITERS} ]+$`);
const REQUEST_ID = new RegExp(`^${PCHAR}*$`);
/** RFC 3339 `date-time`. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;

/** What a text that reads like a sign-in claims, and gets wrong; undefined for a dialect of which only the domain can be read, and is right. */
export async function readSignIn(
  text: string,
  scene: SigningScene,
  signer: Signer,
): Promise<Pick<SignInSigning, 'message' | 'mismatches'> | undefined> {
  const message = parseSignIn(text);
  if (message) return { message, mismatches: await withNames(compareSignIn(message, scene, signer), scene) };
  const mismatches = signInTrouble(text, scene);
  if (mismatches) return { mismatches };
  return isOfEthereum(text) ? { mismatches: [] } : undefined;
}

/** A network by its trusted name, whatever the message calls it. */
async function withNames(mismatches: Mismatch[], { networks }: SigningScene): Promise<Mismatch[]> {
  if (!mismatches.some(({ what }) => what === 'network')) return mismatches;
  const { chainName } = await import('./well-known.ts');
  return mismatches.map((mismatch) =>
    mismatch.what === 'network'
      ? { ...mismatch, network: chainName(Number(mismatch.named), networks)?.name }
      : mismatch,
  );
}

function isOfEthereum(text: string): boolean {
  return parseHead(text.split('\n', 1)[0]!)?.chain === ETHEREUM;
}

const ETHEREUM = 'Ethereum';

/** Undefined for anything that is not exactly of the standard's form. */
export function parseSignIn(text: string): SignInMessage | undefined {
  const lines = text.split('\n');
  const take = (): string | undefined => lines.shift();
  const head = parseHead(take() ?? '');
  if (!head) return undefined;
  const { scheme, domain } = head;
  const isDialect = head.chain !== ETHEREUM;
  const written = take() ?? '';
  // CAIP-10 has the chain before it.
  const address = isDialect ? written.replace(/^eip155:\d{1,78}:/, '') : written;
  if (!/^0x[0-9a-fA-F]{40}$/.test(address) || (!isDialect && checksum(address) !== address)) return undefined;
  if (take() !== '') return undefined;
  const statement = lines[0] === '' ? undefined : take();
  if ((statement !== undefined && !STATEMENT.test(statement)) || take() !== '') return undefined;

  /** What follows the name, where the next line has it and it is of the form. */
  const field = (name: string, form: (value: string) => boolean): string | undefined => {
    if (!lines[0]?.startsWith(`${name}: `)) return undefined;
    const value = lines[0].slice(name.length + 2);
    if (!form(value)) return undefined;
    take();
    return value;
  };
  const uri = field('URI', isUri);
  const version = field('Version', (value) => value === '1');
  const readChainId = () =>
    field('Chain ID', (value) => (isDialect ? /^(?:eip155:)?\d{1,78}$/ : /^\d{1,78}$/).test(value));
  let chainId = readChainId();
  const nonce = field('Nonce', (value) => /^[A-Za-z0-9]{8,}$/.test(value));
  const issuedAt = field('Issued At', isTime);
  if (!uri || !version || !nonce || !issuedAt) return undefined;
  const expirationTime = field('Expiration Time', isTime);
  const notBefore = field('Not Before', isTime);
  const requestId = field('Request ID', (value) => REQUEST_ID.test(value));
  if (isDialect) chainId ??= readChainId();
  if (!chainId) return undefined;
  const resources: string[] = [];
  if (lines[0] === 'Resources:') {
    take();
    for (let line = lines[0]; line?.startsWith('- ') && isUri(line.slice(2)); line = lines[0]) {
      resources.push(line.slice(2));
      take();
    }
  }
  if (lines.length > 0) return undefined;
  return {
    scheme,
    domain,
    address,
    statement,
    uri,
    chainId: chainId.replace('eip155:', ''),
    nonce,
    issuedAt,
    expirationTime,
    notBefore,
    requestId,
    resources,
  };
}

/** Who signs, and on which network. */
interface Signer {
  address: string;
  chainId: number;
}

/** Every claim of the message that is wrong, worst first. */
export function compareSignIn(
  message: SignInMessage,
  { origin, now }: SigningScene,
  { address, chainId }: Signer,
): Mismatch[] {
  const { expirationTime, notBefore } = message;
  const mismatches: Mismatch[] = [];
  const elsewhere = domainMismatch(message, origin);
  if (elsewhere) mismatches.push(elsewhere);
  if (originOf(message.uri) !== origin) mismatches.push({ what: 'uri', named: message.uri, actual: origin });
  if (message.address.toLowerCase() !== address.toLowerCase())
    mismatches.push({ what: 'address', named: message.address, actual: address });
  if (BigInt(message.chainId) !== BigInt(chainId))
    mismatches.push({ what: 'network', named: message.chainId, actual: String(chainId) });
  const at = new Date(now).toISOString();
  if (expirationTime && Date.parse(expirationTime) + SKEW <= now)
    mismatches.push({ what: 'expired', named: expirationTime, actual: at });
  if (notBefore && Date.parse(notBefore) - SKEW > now)
    mismatches.push({ what: 'not-yet', named: notBefore, actual: at });
  return mismatches;
}

function isUri(text: string): boolean {
  return URI.test(text);
}

function isTime(text: string): boolean {
  if (!TIME.test(text) || Number.isNaN(Date.parse(text))) return false;
  // Parsers disagree about 30 February.
  const day = Number(text.slice(8, 10));
  const days = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
  return day >= 1 && day <= days;
}
