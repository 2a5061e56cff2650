/**
 * THORChain's vaults on the demo's local Ethereum, as its scanner sees it (`bifrost/pkg/chainclients/ethereum`): the router's deposits, and
 * coins sent to a vault with the memo as data. The router is THORChain's own contract.
 */
import {
  AbiCoder,
  getCreateAddress,
  hexlify,
  Interface,
  isAddress,
  JsonRpcProvider,
  keccak256,
  type TransactionReceipt,
  Wallet,
  ZeroAddress,
} from 'ethers';
import { type Account, anvilAccount } from '../../exchanges/account.ts';
import { fromUnits, toUnits } from '../books.ts';
import { type Deposit, type LocalSide, type Payment, vaultKey } from '../engine.ts';
import artifact from '../router.json' with { type: 'json' };

export const ROUTER_ABI = new Interface([
  'function depositWithExpiry(address vault, address asset, uint256 amount, string memo, uint256 expiry) payable',
  'function transferOut(address to, address asset, uint256 amount, string memo) payable',
  'event Deposit(address indexed to, address indexed asset, uint256 amount, string memo)',
  'event TransferOut(address indexed vault, address indexed to, address asset, uint256 amount, string memo)',
]);
const ERC20 = new Interface(['function approve(address spender, uint256 amount) returns (bool)']);
/** The argument of its constructor: a token that is burnt, and not here. */
const RUNE = '0x3155BA85D5F96b2d030a4966AF206230e46849cb';
/** Of anvil's accounts, one that nothing else uses, and the one that has the tokens. */
const DEPLOYER = 8;
const OWNER = 0;
const ETHER_DECIMALS = 18;
/** Blobs, and code for an account. */
const UNSEEN_TYPES = [3, 4];
/** The memo of the tokens that the demo gives a vault. */
const GIFT = 'GIFT';

export interface EthereumToken {
  /** THORChain's name: `ETH.USDC-0X…`. */
  asset: string;
  address: string;
  decimals: number;
}

export interface Router {
  address: string;
  /** Of its code. */
  codeHash: string;
}

/** Where `EthereumSide` puts it, if nothing else uses the account. */
export async function routerOf(url: string): Promise<Router> {
  const provider = newProvider(url);
  try {
    const { address: from } = await anvilAccount(url, DEPLOYER);
    const nonce = await provider.getTransactionCount(from);
    return { address: getCreateAddress({ from, nonce }), codeHash: artifact.codeHash };
  } finally {
    provider.destroy();
  }
}

function newProvider(url: string): JsonRpcProvider {
  const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  provider.pollingInterval = 50;
  return provider;
}

/** As nodes answer it. */
interface RawTransaction {
  hash: string;
  from: string;
  to: string | null;
  input: string;
  value: string;
  type: string;
}

export class EthereumSide implements LocalSide {
  readonly name = 'ETH';
  readonly skipped: LocalSide['skipped'] = [];
  readonly #provider: JsonRpcProvider;
  /** Height of the last block that was read. */
  #scanned = 0;

  private constructor(
    url: string,
    readonly router: string,
    private readonly owner: Account,
    private readonly tokens: readonly EthereumToken[],
  ) {
    this.#provider = newProvider(url);
  }

  /** `url`: of anvil itself, or of a proxy in front of it. */
  static async start(url: string, tokens: readonly EthereumToken[]): Promise<EthereumSide> {
    const deployer = await anvilAccount(url, DEPLOYER);
    const argument = AbiCoder.defaultAbiCoder().encode(['address'], [RUNE]).slice(2);
    const router = await deployer.create(artifact.bytecode + argument);
    const side = new EthereumSide(url, router, await anvilAccount(url, OWNER), tokens);
    const codeHash = keccak256(await side.#provider.getCode(router));
    if (codeHash !== artifact.codeHash) throw new Error(`The router’s code has the hash ${codeHash}.`);
    side.#scanned = await side.height();
    return side;
  }

  addressOf(vault: number): string {
    return this.#wallet(vault).address.toLowerCase();
  }

  isAddress(text: string): boolean {
    return text.startsWith('0x') && isAddress(text);
  }

  height(): Promise<number> {
    return this.#provider.getBlockNumber();
  }

  async scan(vaults: readonly number[]): Promise<Deposit[]> {
    const deposits: Deposit[] = [];
    const height = await this.height();
    for (let next = this.#scanned + 1; next <= height; next++) {
      const at = `0x${next.toString(16)}`;
      const { transactions } = (await this.#provider.send('eth_getBlockByNumber', [at, true])) as {
        transactions: RawTransaction[];
      };
      for (const raw of transactions) {
        const deposit = await this.#depositIn(raw, next, vaults);
        if (deposit) deposits.push(deposit);
      }
    }
    this.#scanned = height;
    return deposits;
  }

  async pay({ vault, to, asset, amount, memo }: Payment): Promise<{ hash: string; gas: bigint }> {
    const { address, decimals } = this.#assetOf(asset);
    const units = toUnits(amount, decimals);
    const sent = await this.#wallet(vault).sendTransaction({
      to: this.router,
      value: address === ZeroAddress ? units : 0n,
      data: ROUTER_ABI.encodeFunctionData('transferOut', [to, address, units, memo]),
    });
    const receipt = (await sent.wait())!;
    return { hash: idOf(sent.hash), gas: fromUnits(receipt.fee, ETHER_DECIMALS) };
  }

  async mine(): Promise<void> {
    await this.#provider.send('evm_mine', []);
  }

  async fund(vault: number, asset: string, amount: bigint): Promise<void> {
    const { address, decimals } = this.#assetOf(asset);
    const to = this.addressOf(vault);
    const units = toUnits(amount, decimals);
    if (address === ZeroAddress) return this.owner.call(to, '0x', units);
    await this.owner.call(address, ERC20.encodeFunctionData('approve', [this.router, units]));
    const deposit = [to, address, units, GIFT, 2n ** 64n];
    await this.owner.call(this.router, ROUTER_ABI.encodeFunctionData('depositWithExpiry', deposit));
  }

  close(): Promise<void> {
    this.#provider.destroy();
    return Promise.resolve();
  }

  #wallet(vault: number): Wallet {
    return new Wallet(hexlify(vaultKey(this.name, vault)), this.#provider);
  }

  #assetOf(asset: string): { address: string; decimals: number } {
    if (asset === 'ETH.ETH') return { address: ZeroAddress, decimals: ETHER_DECIMALS };
    const token = this.tokens.find((each) => each.asset === asset);
    if (!token) throw new Error(`${asset} is not listed on Ethereum.`);
    return token;
  }

  /** What THORChain calls coins or a token, and how much they are. */
  #counted(contract: string, units: bigint): Pick<Deposit, 'asset' | 'amount'> {
    if (contract === ZeroAddress) return { asset: 'ETH.ETH', amount: fromUnits(units, ETHER_DECIMALS) };
    const token = this.tokens.find(({ address }) => isSame(address, contract));
    return token
      ? { asset: token.asset, amount: fromUnits(units, token.decimals) }
      : { asset: `ETH.UNKNOWN-${contract.toUpperCase()}`, amount: units };
  }

  async #depositIn(
    { hash, from, to, input, value, type }: RawTransaction,
    block: number,
    vaults: readonly number[],
  ): Promise<Deposit | undefined> {
    const vaultAt = (address: string): number | undefined =>
      vaults.find((vault) => isSame(this.addressOf(vault), address));
    const isToRouter = to !== null && isSame(to, this.router);
    const direct = to === null ? undefined : vaultAt(to);
    // Payments of vaults go through the router, too.
    if ((!isToRouter && direct === undefined) || vaultAt(from) !== undefined) return undefined;
    const skip = (reason: string): undefined => void this.skipped.push({ hash: idOf(hash), reason });
    const receipt = await this.#provider.getTransactionReceipt(hash);
    if (receipt?.status !== 1) return skip('failed');
    if (UNSEEN_TYPES.includes(Number(type))) return skip('type of transaction');
    if ((await this.#provider.getCode(from)) !== '0x') return skip('sender has code');
    const common = { hash: idOf(hash), from: from.toLowerCase(), block };
    if (direct !== undefined) {
      const memo = Buffer.from(input.slice(2), 'hex').toString();
      return { ...common, vault: direct, ...this.#counted(ZeroAddress, BigInt(value)), memo };
    }
    const event = this.#depositOf(receipt);
    if (!event) return skip('no single deposit');
    const vault = vaultAt(event.to);
    if (vault === undefined) return skip('deposit to no vault');
    if (event.memo === GIFT && isSame(from, this.owner.address)) return undefined;
    return { ...common, vault, ...this.#counted(event.asset, event.amount), memo: event.memo };
  }

  /** The router's event, if it has one only. */
  #depositOf({ logs }: TransactionReceipt) {
    const [event, ...more] = logs
      .filter(({ address }) => isSame(address, this.router))
      .map((log) => ROUTER_ABI.parseLog(log))
      .filter((parsed) => parsed?.name === 'Deposit');
    if (!event || more.length > 0) return undefined;
    const [to, asset, amount, memo] = event.args as unknown as [string, string, bigint, string];
    return { to, asset, amount, memo };
  }
}

/** As THORChain writes hashes. */
function idOf(hash: string): string {
  return hash.slice(2).toUpperCase();
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
