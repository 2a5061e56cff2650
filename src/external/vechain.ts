/**
 * VeWorld, and wallets that inject the same object: https://github.com/vechain/vechain-dapp-kit (`provider.ts`, `certificate-wallet.ts`). They
 * sign and send in one step. The id of a network's first block, in each request, binds it to that network.
 */
import type { Wallet } from '../api/wallet.ts';
import type { CertificateSignature } from '../chains/chain.ts';
import { CARDS } from '../chains/secret-type.ts';
import type { CertificateRequest, NativeRequest, VechainSignRequest } from '../chains/vechain/payload.ts';
import { msg } from '../base/localize.ts';
import { textOf } from './data.ts';
import { externalError, notSupported, wrongAnswer } from './external-error.ts';
import { networkFor, networkOf, networksOf } from './networks.ts';
import type { Account, ExternalHost, ExternalWallet, Wish } from './types.ts';

interface Clause {
  to: string;
  /** Wei of VET, hex. */
  value: string;
  data: string;
}

interface CertificateMessage {
  purpose: CertificateRequest['purpose'];
  payload: { type: 'text'; content: string };
}

interface Signer {
  signTx(
    clauses: Clause[],
    options: { signer: string; gas?: number; dependsOn?: string },
  ): Promise<{ txid?: unknown; signer?: unknown } | null>;
  signCert(
    message: CertificateMessage,
    options: { signer?: string },
  ): Promise<{ annex?: Partial<Record<string, unknown>>; signature?: unknown } | null>;
}

export interface VechainProvider {
  newConnexSigner(genesisId: string): Signer;
  /** Absent in older versions. */
  send?(asked: { method: string; genesisId: string; params?: object }): Promise<unknown>;
}

export function openVechain(
  provider: VechainProvider,
  name: string,
  host: ExternalHost,
): ExternalWallet<NativeRequest, VechainSignRequest> {
  async function asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw externalError(error, name);
    }
  }

  async function addressOf(given: unknown): Promise<string> {
    const { readHexAddress } = await import('../chains/contracts/evm-address.ts');
    try {
      return readHexAddress(given, 'VECHAIN');
    } catch {
      throw wrongAnswer(name, 'an address of VeChain');
    }
  }

  /** Whether the wallet supports a newer method. */
  async function knows(method: string, genesisId: string): Promise<boolean> {
    const methods = await provider.send?.({ method: 'thor_methods', genesisId }).catch(() => []);
    return Array.isArray(methods) && methods.includes(method);
  }

  /** The first block's id, which networks.json must have for VeChain because it is signed. */
  const genesisOf = async (home: Parameters<typeof networkOf>[1]) =>
    (await networkOf(host, home, name)).genesis!;

  async function link(wish: Wish): Promise<Account[]> {
    // The wallet does not report its network.
    const home = await networkFor(host, wish, name, async () => () => false);
    const genesisId = await genesisOf(home);
    const connects = await knows('thor_connect', genesisId);
    const { signer } = await asked(async () =>
      connects
        ? ((await provider.send!({ method: 'thor_connect', genesisId, params: { value: null } })) as {
            signer?: unknown;
          })
        : { signer: await certifiedSigner(genesisId) },
    );
    return [{ address: await addressOf(signer), ...home }];
  }

  /** Gets the account from older versions, which have no other way than signing a certificate. */
  async function certifiedSigner(genesisId: string): Promise<unknown> {
    const content = `${msg('Connect a wallet')}: ${location.host}`;
    const answer = await provider
      .newConnexSigner(genesisId)
      .signCert({ purpose: 'identification', payload: { type: 'text', content } }, {});
    return answer?.annex?.['signer'];
  }

  async function accounts(): Promise<string[]> {
    const [network] = await networksOf(host, 'VECHAIN');
    const genesisId = network?.genesis;
    if (!genesisId || !(await knows('thor_wallet', genesisId))) return [];
    const address = await asked(async () => provider.send!({ method: 'thor_wallet', genesisId }));
    return address ? [await addressOf(address)] : [];
  }

  async function send(from: Wallet, request: NativeRequest): Promise<string> {
    const clauses = clausesOf(request);
    const options = optionsOf(request, name);
    const genesisId = await genesisOf(from);
    const answer = await asked(async () =>
      provider.newConnexSigner(genesisId).signTx(clauses, { signer: from.address, ...options }),
    );
    const { txid, signer } = Object(answer) as { txid?: unknown; signer?: unknown };
    if (typeof txid !== 'string' || !CARDS.VECHAIN.hash.test(txid))
      throw wrongAnswer(name, 'a transaction id; check its activity before you try again');
    if ((await addressOf(signer)) !== from.address)
      throw wrongAnswer(name, 'a transaction of the linked account; check its activity before you try again');
    return txid.toLowerCase();
  }

  async function sign(from: Wallet, request: VechainSignRequest): Promise<CertificateSignature> {
    if (!('purpose' in request)) throw notSupported(name, 'signatures other than certificates');
    const content = textOf(request.data);
    if (content === undefined) throw notSupported(name, 'certificates that are not UTF-8 text');
    const genesisId = await genesisOf(from);
    const message: CertificateMessage = { purpose: request.purpose, payload: { type: 'text', content } };
    const answer = await asked(async () =>
      provider.newConnexSigner(genesisId).signCert(message, { signer: from.address }),
    );
    return certificateOf(answer, from);
  }

  async function certificateOf(answer: unknown, { address }: Wallet): Promise<CertificateSignature> {
    const { annex, signature } = Object(answer) as { annex?: unknown; signature?: unknown };
    const { domain, timestamp, signer } = Object(annex) as Record<string, unknown>;
    if (typeof signature !== 'string' || !/^0x[0-9a-f]{128}0[01]$/i.test(signature))
      throw wrongAnswer(name, 'a signature of 65 bytes');
    if (domain !== location.host || !Number.isSafeInteger(timestamp))
      throw wrongAnswer(name, `a certificate for ${location.host}`);
    if ((await addressOf(signer)) !== address) throw wrongAnswer(name, 'a certificate of the linked account');
    // Exactly the fields that were signed.
    return { annex: { domain, timestamp: timestamp as number, signer: signer as string }, signature };
  }

  return {
    link,
    accounts,
    send,
    sign,
    // The wallet has no events.
    watch() {},
  };
}

const VTHO = '0x0000000000000000000000000000456E65726779';

function clausesOf({ type, clauses }: NativeRequest): Clause[] {
  return clauses.map((clause) => {
    const { to, amount } = clause;
    if (type === 'VET_TRANSACTION') {
      const { data = '0x' } = clause as { data?: string };
      return { to, value: hexOf(amount), data };
    }
    const token = 'tokenAddress' in clause ? clause.tokenAddress : VTHO;
    // transfer(address,uint256)
    return { to: token, value: '0x0', data: `0xa9059cbb${wordOf(BigInt(to))}${wordOf(amount)}` };
  });
}

/** The wallet fills in absent fields. */
function optionsOf(request: NativeRequest, name: string): { gas?: number; dependsOn?: string } {
  for (const field of ['blockRef', 'chainTag', 'expiration', 'gasPriceCoef', 'nonce'] as const)
    if (request[field] !== undefined) throw notSupported(name, `${field} of a transaction: leave it out`);
  const { gas, dependsOn } = request;
  return {
    ...(gas !== undefined && { gas: Number(gas) }),
    ...(dependsOn !== undefined && { dependsOn }),
  };
}

const hexOf = (value: bigint): string => `0x${value.toString(16)}`;
const wordOf = (value: bigint): string => value.toString(16).padStart(64, '0');
