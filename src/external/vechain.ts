/**
 * VeWorld, and wallets that inject the same object: https://github.com/vechain/vechain-dapp-kit (`provider.ts`, `certificate-wallet.ts`). They
 * sign and send in one step. The id of a network's first block, in each request, binds it to that network.
 */
import type { Wallet } from '../api/wallet.ts';
import type { CertificateSignature } from '../chains/terms.ts';
import { CARDS } from '../chains/secret-type.ts';
import type { CertificateRequest, NativeRequest, VechainSignRequest } from '../chains/vechain/payload.ts';
import { msg } from '../base/localize.ts';
import { textOf } from './data.ts';
import { answerOf, notSupported, wrongAnswer } from './external-error.ts';
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
  return new VechainWallet(provider, name, host);
}

class VechainWallet implements ExternalWallet<NativeRequest, VechainSignRequest> {
  constructor(
    private readonly provider: VechainProvider,
    private readonly name: string,
    private readonly host: ExternalHost,
  ) {}

  async link(wish: Wish): Promise<Account[]> {
    // The wallet does not report its network.
    const home = await networkFor(this.host, wish, this.name, async () => () => false);
    const genesisId = await this.#genesisOf(home);
    const connects = await this.#knows('thor_connect', genesisId);
    const { signer } = await answerOf(this.name, () =>
      connects ? this.#connect(genesisId) : this.#certify(genesisId),
    );
    return [{ address: await this.#addressOf(signer), ...home }];
  }

  async accounts(): Promise<string[]> {
    const [network] = await networksOf(this.host, 'VECHAIN');
    const genesisId = network?.genesis;
    if (!genesisId || !(await this.#knows('thor_wallet', genesisId))) return [];
    const address = await answerOf(this.name, () =>
      this.provider.send!({ method: 'thor_wallet', genesisId }),
    );
    return address ? [await this.#addressOf(address)] : [];
  }

  async send(from: Wallet, request: NativeRequest): Promise<string> {
    const { provider, name } = this;
    const clauses = clausesOf(request);
    const options = optionsOf(request, name);
    const genesisId = await this.#genesisOf(from);
    const answer = await answerOf(name, () =>
      provider.newConnexSigner(genesisId).signTx(clauses, { signer: from.address, ...options }),
    );
    const { txid, signer } = Object(answer) as { txid?: unknown; signer?: unknown };
    if (typeof txid !== 'string' || !CARDS.VECHAIN.hash.test(txid))
      throw wrongAnswer(name, 'a transaction id; check its activity before you try again');
    if ((await this.#addressOf(signer)) !== from.address)
      throw wrongAnswer(name, 'a transaction of the linked account; check its activity before you try again');
    return txid.toLowerCase();
  }

  async sign(from: Wallet, request: VechainSignRequest): Promise<CertificateSignature> {
    const { provider, name } = this;
    if (!('purpose' in request)) throw notSupported(name, 'signatures other than certificates');
    const content = textOf(request.data);
    if (content === undefined) throw notSupported(name, 'certificates that are not UTF-8 text');
    const genesisId = await this.#genesisOf(from);
    const message: CertificateMessage = { purpose: request.purpose, payload: { type: 'text', content } };
    const answer = await answerOf(name, () =>
      provider.newConnexSigner(genesisId).signCert(message, { signer: from.address }),
    );
    return this.#certificateOf(answer, from);
  }

  /** The wallet has no events. */
  watch(): void {}

  async #addressOf(value: unknown): Promise<string> {
    const { readHexAddress } = await import('../chains/contracts/evm-address.ts');
    try {
      return readHexAddress(value, 'VECHAIN');
    } catch {
      throw wrongAnswer(this.name, 'an address of VeChain');
    }
  }

  /** Whether the wallet supports a newer method. */
  async #knows(method: string, genesisId: string): Promise<boolean> {
    const methods = await this.provider.send?.({ method: 'thor_methods', genesisId }).catch(() => []);
    return Array.isArray(methods) && methods.includes(method);
  }

  /** The first block's id, which networks.json must have for VeChain because it is signed. */
  async #genesisOf(home: Parameters<typeof networkOf>[1]): Promise<string> {
    return (await networkOf(this.host, home, this.name)).genesis!;
  }

  async #connect(genesisId: string): Promise<{ signer?: unknown }> {
    const answer = await this.provider.send!({ method: 'thor_connect', genesisId, params: { value: null } });
    return answer as { signer?: unknown };
  }

  /** Gets the account from older versions, which have no other way than signing a certificate. */
  async #certify(genesisId: string): Promise<{ signer?: unknown }> {
    const content = `${msg('Connect a wallet')}: ${location.host}`;
    const answer = await this.provider
      .newConnexSigner(genesisId)
      .signCert({ purpose: 'identification', payload: { type: 'text', content } }, {});
    return { signer: answer?.annex?.['signer'] };
  }

  async #certificateOf(answer: unknown, { address }: Wallet): Promise<CertificateSignature> {
    const { annex, signature } = Object(answer) as { annex?: unknown; signature?: unknown };
    const { domain, timestamp, signer } = Object(annex) as Record<string, unknown>;
    if (typeof signature !== 'string' || !/^0x[0-9a-f]{128}0[01]$/i.test(signature))
      throw wrongAnswer(this.name, 'a signature of 65 bytes');
    if (domain !== location.host || !Number.isSafeInteger(timestamp))
      throw wrongAnswer(this.name, `a certificate for ${location.host}`);
    if ((await this.#addressOf(signer)) !== address)
      throw wrongAnswer(this.name, 'a certificate of the linked account');
    // Exactly the fields that were signed.
    return { annex: { domain, timestamp: timestamp as number, signer: signer as string }, signature };
  }
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
