/** Wallets of Ethereum and similar chains: https://eips.ethereum.org/EIPS/eip-1193, 695, 712, 3085 and 3326. */
import type { Wallet } from '../api/wallet.ts';
import type { Signature } from '../chains/terms.ts';
import type { EvmRequest, EvmSignRequest } from '../chains/evm/payload.ts';
import { CARDS } from '../chains/secret-type.ts';
import { RequestInvalidError, UserRejectedError } from '../base/errors.ts';
import { answerOf, externalError, notSupported, wrongAnswer } from './external-error.ts';
import { networkFor, networkOf, switchTo } from './networks.ts';
import type { Account, ExternalHost, ExternalWallet, Wish } from './types.ts';

export interface Eip1193 {
  request(asked: { method: string; params?: readonly unknown[] }): Promise<unknown>;
  on?(event: string, listener: (value: never) => void): unknown;
}

export function openEip1193(
  provider: Eip1193,
  name: string,
  host: ExternalHost,
): ExternalWallet<EvmRequest, EvmSignRequest> {
  return new Eip1193Wallet(provider, name, host);
}

class Eip1193Wallet implements ExternalWallet<EvmRequest, EvmSignRequest> {
  constructor(
    private readonly provider: Eip1193,
    private readonly name: string,
    private readonly host: ExternalHost,
  ) {}

  async link(wish: Wish): Promise<Account[]> {
    const addresses = await this.#addressesFrom(await this.#ask('eth_requestAccounts'));
    if (!addresses.length) throw new UserRejectedError(`No account was linked in ${this.name}.`);
    const { secretType, network } = await networkFor(this.host, wish, this.name, async () => {
      const current = await this.#chainId();
      return ({ chainId }) => chainId === current;
    });
    return addresses.map((address) => ({ address, secretType, network }));
  }

  async accounts(): Promise<string[]> {
    return this.#addressesFrom(await this.#ask('eth_accounts'));
  }

  async send(from: Wallet, request: EvmRequest): Promise<string> {
    const transaction = transactionOf(request, this.name);
    await this.#checkAccount(from);
    const chainId = await this.#switchFor(from);
    const hash = await this.#ask('eth_sendTransaction', { ...transaction, from: from.address, chainId });
    if (typeof hash === 'string' && CARDS[from.secretType].hash.test(hash)) return hash.toLowerCase();
    throw wrongAnswer(this.name, 'a transaction hash; check its activity before you try again');
  }

  async sign(from: Wallet, request: EvmSignRequest): Promise<Signature> {
    const typed = request.type.endsWith('_TYPED_DATA');
    if ('prefix' in request && !(request.prefix && request.hash))
      throw notSupported(this.name, 'signatures without the message prefix');
    await this.#checkAccount(from);
    // Wallets refuse typed data for another network than their current one.
    if (typed) await this.#switchFor(from);
    const { data } = request;
    const signature = await (typed
      ? this.#ask('eth_signTypedData_v4', from.address, withDomainType(data))
      : this.#ask('personal_sign', data, from.address));
    return signatureOf(signature, this.name);
  }

  watch(changed: (addresses: string[]) => void, reachable: (yes: boolean) => void): void {
    const { provider } = this;
    provider.on?.(
      'accountsChanged',
      (list: unknown) => void this.#addressesFrom(list).then(changed, () => {}),
    );
    provider.on?.('disconnect', () => reachable(false));
    provider.on?.('connect', () => reachable(true));
  }

  #ask(method: string, ...params: unknown[]): Promise<unknown> {
    return answerOf(this.name, () => this.provider.request({ method, params }));
  }

  async #chainId(): Promise<number> {
    const id = await this.#ask('eth_chainId');
    if (typeof id !== 'string' || !/^0x[0-9a-f]{1,13}$/i.test(id)) throw wrongAnswer(this.name, 'a chain id');
    return Number(id);
  }

  async #addressesFrom(list: unknown): Promise<string[]> {
    const { readHexAddress } = await import('../chains/contracts/evm-address.ts');
    try {
      return [...new Set((list as unknown[]).map((each) => readHexAddress(each, 'ETHEREUM')))];
    } catch {
      throw wrongAnswer(this.name, 'a list of addresses');
    }
  }

  /** Switches the wallet to the network that was linked. Returns its chain id. */
  async #switchFor(wallet: Wallet): Promise<string> {
    const { provider, name } = this;
    const network = await networkOf(this.host, wallet, name);
    const target = { chainId: hexOf(network.chainId), name: network.name };
    const request = (call: { method: string; params: unknown[] }) => provider.request(call);
    await switchTo(target, { name, request }, async () => (await this.#chainId()) === network.chainId);
    return target.chainId;
  }

  /** The user may have revoked the account in the wallet. */
  async #checkAccount({ address }: Wallet): Promise<void> {
    if (!(await this.accounts()).includes(address)) throw externalError({ code: 4100 }, this.name);
  }
}

/** The fields of `eth_sendTransaction`. The wallet fills in absent ones. */
function transactionOf(request: EvmRequest, name: string): Record<string, unknown> {
  if ('network' in request && request.network) throw notSupported(name, 'nodes that the request names');
  const { value, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce, accessList } = request as Native;
  const call =
    'tokenAddress' in request
      ? {
          to: request.tokenAddress,
          value: '0x0',
          // transfer(address,uint256)
          data: `0xa9059cbb${wordOf(BigInt(request.to!))}${wordOf(value)}`,
        }
      : {
          ...(request.to !== undefined && { to: request.to }),
          value: hexOf(value),
          ...('data' in request && request.data !== undefined && { data: request.data }),
        };
  return {
    ...call,
    ...quantities({ gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce }),
    ...(accessList && { accessList }),
  };
}

/** In this order: https://eips.ethereum.org/EIPS/eip-712#definition-of-domainseparator */
const DOMAIN = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
};

/** Without the domain's type, wallets such as MetaMask sign an empty domain, which no contract accepts. */
function withDomainType(text: string): string {
  const { types, domain, ...rest } = JSON.parse(text, exact) as { types: object; domain: object };
  if (Object.hasOwn(types, 'EIP712Domain')) return text;
  const EIP712Domain = Object.entries(DOMAIN).flatMap(([name, type]) =>
    Object.hasOwn(domain, name) ? [{ name, type }] : [],
  );
  return JSON.stringify({ types: { EIP712Domain, ...types }, domain, ...rest });
}

/** A larger number would change when it is serialized again. */
function exact(_key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  throw new RequestInvalidError([
    { path: 'data', message: 'has a number above 2^53: write it as text, or add EIP712Domain to the types' },
  ]);
}

type Native = Extract<EvmRequest, { gas?: unknown }>;

function quantities(given: Record<string, bigint | number | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, hexOf(value)]])),
  );
}

const hexOf = (value: bigint | number): string => `0x${value.toString(16)}`;
const wordOf = (value: bigint): string => value.toString(16).padStart(64, '0');

/** 65 bytes; some wallets return 0 or 1 for the last, which contracts refuse. */
function signatureOf(given: unknown, name: string): Signature {
  const [, r, s, last] =
    (typeof given === 'string' && /^0x([0-9a-f]{64})([0-9a-f]{64})(00|01|1b|1c)$/i.exec(given)) || [];
  if (!r || !s || !last)
    throw notSupported(name, '65-byte signatures with this account: it may be a contract');
  const v = Number.parseInt(last, 16) % 27 === 0 ? '0x1b' : '0x1c';
  return { r: `0x${r}`, s: `0x${s}`, v, signature: `0x${r}${s}${v.slice(2)}` };
}
