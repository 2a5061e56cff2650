/**
 * THORChain's vaults on the demo's local Ethereum, as its scanner sees it (`bifrost/pkg/chainclients/ethereum`): the router's deposits, and
 * coins sent to a vault with the memo as data. The router is THORChain's own contract.
 */
import { createHash } from 'node:crypto';
import {
  AbiCoder,
  getAddress,
  getCreateAddress,
  Interface,
  isAddress,
  JsonRpcProvider,
  keccak256,
  Wallet,
  ZeroAddress,
} from 'ethers';
import { anvilAccount } from '../../exchanges/account.ts';
import type { Deposit, LocalSide, Payment } from '../engine.ts';
import artifact from '../router.json' with { type: 'json' };

export const ROUTER_ABI = new Interface([
  'function depositWithExpiry(address vault, address asset, uint256 amount, string memo, uint256 expiry) payable',
  'function transferOut(address to, address asset, uint256 amount, string memo) payable',
  'function vaultAllowance(address vault, address token) view returns (uint256)',
  'event Deposit(address indexed to, address indexed asset, uint256 amount, string memo)',
  'event TransferOut(address indexed vault, address indexed to, address asset, uint256 amount, string memo)',
]);
const ERC20 = new Interface([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function transfer(address to, uint256 amount) returns (bool)',
]);
/** Its constructor's argument: a token that is burnt, and not here. */
const RUNE = '0x3155BA85D5F96b2d030a4966AF206230e46849cb';
/** Of anvil's accounts, one that nothing else uses. */
const DEPLOYER = 8;
/** A wei is so little of a hundred-millionth. */
const WEI = 10n ** 10n;
/** Blobs, and code for an account. */
const UNSEEN_TYPES = [3, 4];

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

/** Where `ethereumSide` puts it, if nothing else uses the account. */
export async function routerOf(url: string): Promise<Router> {
  const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  try {
    const { address: from } = await anvilAccount(url, DEPLOYER);
    const nonce = await provider.getTransactionCount(from);
    return { address: getCreateAddress({ from, nonce }), codeHash: artifact.codeHash };
  } finally {
    provider.destroy();
  }
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

/** `url`: of anvil itself, or of a proxy in front of it. Anvil's account 0 has the tokens. */
export async function ethereumSide(
  url: string,
  tokens: readonly EthereumToken[],
): Promise<LocalSide & { router: string }> {
  const deployer = await anvilAccount(url, DEPLOYER);
  const owner = await anvilAccount(url, 0);
  const router = getAddress(
    await deployer.create(
      artifact.bytecode + AbiCoder.defaultAbiCoder().encode(['address'], [RUNE]).slice(2),
    ),
  );
  const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  provider.pollingInterval = 50;
  const codeHash = keccak256(await provider.getCode(router));
  if (codeHash !== artifact.codeHash) throw new Error(`The router’s code has the hash ${codeHash}.`);
  const skipped: LocalSide['skipped'] = [];
  const keyOf = (vault: number): Wallet =>
    new Wallet(
      `0x${createHash('sha256').update(`Carabiner demo: THORChain vault ${vault} on ETH`).digest('hex')}`,
      provider,
    );
  const addressOf = (vault: number): string => keyOf(vault).address.toLowerCase();
  const tokenOf = (address: string): EthereumToken | undefined =>
    tokens.find((token) => token.address.toLowerCase() === address.toLowerCase());

  /** Of coins or a token in its own units, and what THORChain calls it. */
  function counted(token: string, amount: bigint): Pick<Deposit, 'asset' | 'amount'> {
    if (token === ZeroAddress) return { asset: 'ETH.ETH', amount: amount / WEI };
    const listed = tokenOf(token);
    if (!listed) return { asset: `ETH.UNKNOWN-${token.toUpperCase()}`, amount };
    const places = listed.decimals - 8;
    return {
      asset: listed.asset,
      amount: places > 0 ? amount / 10n ** BigInt(places) : amount * 10n ** BigInt(-places),
    };
  }

  async function depositIn(
    { hash, from, to, input, value, type }: RawTransaction,
    block: number,
    vaults: readonly number[],
  ): Promise<Deposit | undefined> {
    const vaultAt = (address: string): number | undefined =>
      vaults.find((vault) => addressOf(vault) === address.toLowerCase());
    const isRouter = to?.toLowerCase() === router.toLowerCase();
    const direct = to ? vaultAt(to) : undefined;
    if (!isRouter && direct === undefined) return undefined;
    // Payments of vaults.
    if (vaultAt(from) !== undefined) return undefined;
    const id = hash.slice(2).toUpperCase();
    const skip = (reason: string): undefined => void skipped.push({ hash: id, reason });
    const receipt = await provider.getTransactionReceipt(hash);
    if (!receipt || receipt.status !== 1) return skip('failed');
    if (UNSEEN_TYPES.includes(Number(type))) return skip('type of transaction');
    if ((await provider.getCode(from)) !== '0x') return skip('sender has code');
    const common = { hash: id, from: from.toLowerCase(), block };
    if (direct !== undefined)
      return {
        ...common,
        vault: direct,
        ...counted(ZeroAddress, BigInt(value)),
        memo: Buffer.from(input.slice(2), 'hex').toString(),
      };
    const events = receipt.logs
      .filter(({ address }) => address.toLowerCase() === router.toLowerCase())
      .map((log) => ROUTER_ABI.parseLog(log))
      .filter((event) => event?.name === 'Deposit');
    if (events.length !== 1) return skip('no single deposit');
    const [vaultAddress, asset, amount, memo] = events[0]!.args as unknown as [
      string,
      string,
      bigint,
      string,
    ];
    const vault = vaultAt(vaultAddress);
    if (vault === undefined) return skip('deposit to no vault');
    return { ...common, vault, ...counted(asset, amount), memo };
  }

  async function pay({ vault, to, asset, amount, memo }: Payment): Promise<{ hash: string; gas: bigint }> {
    const token = tokens.find((each) => each.asset === asset);
    const isCoin = asset === 'ETH.ETH';
    if (!isCoin && !token) throw new Error(`${asset} is not listed on Ethereum.`);
    const units = token ? unitsOf(token, amount) : amount * WEI;
    const sent = await keyOf(vault).sendTransaction({
      to: router,
      value: isCoin ? units : 0n,
      data: ROUTER_ABI.encodeFunctionData('transferOut', [to, token?.address ?? ZeroAddress, units, memo]),
    });
    const receipt = (await sent.wait())!;
    return { hash: sent.hash.slice(2).toUpperCase(), gas: receipt.fee / WEI };
  }

  let scanned = await provider.getBlockNumber();

  return {
    name: 'ETH',
    router,
    skipped,
    addressOf,
    isAddress: (text) => text.startsWith('0x') && isAddress(text),
    height: () => provider.getBlockNumber(),
    async scan(vaults) {
      const deposits: Deposit[] = [];
      for (const height = await provider.getBlockNumber(); scanned < height; ) {
        const next = scanned + 1;
        const { transactions } = (await provider.send('eth_getBlockByNumber', [
          `0x${next.toString(16)}`,
          true,
        ])) as { transactions: RawTransaction[] };
        for (const raw of transactions) {
          const deposit = await depositIn(raw, next, vaults);
          if (deposit) deposits.push(deposit);
        }
        scanned = next;
      }
      return deposits;
    },
    pay,
    mine: async () => void (await provider.send('evm_mine', [])),
    async fund(vault, asset, amount) {
      if (asset === 'ETH.ETH') return owner.call(addressOf(vault), '0x', amount * WEI);
      const token = tokens.find((each) => each.asset === asset)!;
      const units = unitsOf(token, amount);
      await owner.call(token.address, ERC20.encodeFunctionData('approve', [router, units]));
      const expiry = 2n ** 64n;
      await owner.call(
        router,
        ROUTER_ABI.encodeFunctionData('depositWithExpiry', [
          addressOf(vault),
          token.address,
          units,
          'FUND',
          expiry,
        ]),
      );
      scanned = await provider.getBlockNumber();
    },
    close: async () => provider.destroy(),
  };
}

/** Hundred-millionths in a token's own units. */
function unitsOf({ decimals }: EthereumToken, amount: bigint): bigint {
  return decimals > 8 ? amount * 10n ** BigInt(decimals - 8) : amount / 10n ** BigInt(8 - decimals);
}
