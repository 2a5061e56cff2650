/** A local EVM network of the demo: anvil, test contracts and a faucet. */
import {
  Contract,
  ContractFactory,
  type ContractTransactionResponse,
  JsonRpcProvider,
  type JsonRpcSigner,
  parseEther,
  parseUnits,
} from 'ethers';
import type { Network } from '../../src/chains/network.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import { type Artifact, artifact } from './artifact.ts';
import type { LocalNetwork } from './local-network.ts';
import { TICKETS } from '../tickets.ts';
import { type NodeProxy, type NodeProxyOptions, startNodeProxy } from './node-proxy.ts';

export type DemoContract = 'DUSD' | 'DCENT' | 'NFT' | 'ITEM';
const DEMO_CONTRACTS: readonly DemoContract[] = ['DUSD', 'DCENT', 'NFT', 'ITEM'];

export interface LocalEvm<CoinSymbol extends string> extends LocalNetwork {
  /** The network's endpoint: that of `node`. */
  url: string;
  /** The node that the frame uses; `node.down` takes it offline. */
  node: NodeProxy;
  contracts: Record<DemoContract, string>;
  assets: readonly (CoinSymbol | DemoContract)[];
  give(asset: CoinSymbol | DemoContract, address: string): Promise<string>;
  /** Token id of an NFT gift. */
  ticketOf(transactionHash: string): Promise<string | undefined>;
  /** Sends any amount of the coin, in wei. */
  fund(address: string, amount: bigint): Promise<void>;
}

export interface LocalEvmOptions<CoinSymbol extends string> extends Omit<NodeProxyOptions, 'target'> {
  coin: CoinSymbol;
  network: Omit<Network, 'nodes' | 'tokens' | 'chainId'> & { chainId: number };
  flags?: readonly string[];
  /** An anvil that is already running, with this chain id. */
  anvil?: Anvil | undefined;
  /** Which development account deploys the contracts; their addresses follow from it. */
  owner?: number;
  /** Wei per gas, on a network that has only type 0 transactions. */
  gasPrice?: bigint;
}

/** OpenZeppelin's ERC-20 with 6 decimals: `decimals()` stores a `PUSH1 18` to memory, which occurs once in its code. */
function withSixDecimals({ abi, bytecode }: Artifact): Artifact {
  const parts = bytecode.split('60405160128152');
  if (parts.length !== 2)
    throw new Error('This patch does not fit the installed version of OpenZeppelin’s ERC-20.');
  return { abi, bytecode: parts.join('60405160068152') };
}

interface Prices {
  type?: 0;
  gasPrice?: bigint;
}

async function deployContracts(
  owner: JsonRpcSigner,
  prices: Prices,
): Promise<Record<DemoContract, Contract>> {
  const deploy = async ({ abi, bytecode }: Artifact, ...args: unknown[]): Promise<Contract> => {
    const contract = await new ContractFactory(abi, bytecode, owner).deploy(...args, prices);
    await contract.waitForDeployment();
    return new Contract(await contract.getAddress(), abi, owner);
  };
  const erc20 = artifact('ERC20PresetFixedSupply');
  // In sequence: the owner's nonces, and so the addresses, are the same on every start.
  return {
    DUSD: await deploy(erc20, 'Demo Dollar', 'DUSD', parseEther('1000000000'), owner.address),
    DCENT: await deploy(
      withSixDecimals(erc20),
      'Demo Cent',
      'DCENT',
      parseUnits('1000000000', 6),
      owner.address,
    ),
    NFT: await deploy(artifact('ERC721PresetMinterPauserAutoId'), 'Demo Ticket', 'TICKET', TICKETS),
    ITEM: await deploy(artifact('ERC1155PresetMinterPauser'), 'https://demo.invalid/{id}'),
  };
}

export async function startLocalEvm<CoinSymbol extends string>({
  coin,
  network,
  flags = [],
  anvil: running,
  owner: index = 0,
  gasPrice,
  ...proxy
}: LocalEvmOptions<CoinSymbol>): Promise<LocalEvm<CoinSymbol>> {
  const prices: Prices = gasPrice === undefined ? {} : { type: 0, gasPrice };
  const anvil = running ?? (await startAnvil('--chain-id', String(network.chainId), ...flags));
  let node: NodeProxy | undefined;
  let provider: JsonRpcProvider | undefined;
  const close = async (): Promise<void> => {
    provider?.destroy();
    await node?.close();
    await anvil.close();
  };
  try {
    node = await startNodeProxy({ target: anvil.url, ...proxy });
    provider = new JsonRpcProvider(anvil.url, network.chainId, { staticNetwork: true, cacheTimeout: -1 });
    provider.pollingInterval = 50;
    const owner = await provider.getSigner(index);
    const { DUSD, DCENT, NFT, ITEM } = await deployContracts(owner, prices);
    const contracts = {
      DUSD: String(DUSD.target),
      DCENT: String(DCENT.target),
      NFT: String(NFT.target),
      ITEM: String(ITEM.target),
    };
    const call = (contract: Contract, name: string, ...args: unknown[]) =>
      contract.getFunction(name)(...args, prices) as Promise<ContractTransactionResponse>;
    const pay = (to: string, value: bigint) => owner.sendTransaction({ to, value, ...prices });
    const gifts: Record<DemoContract, (to: string) => Promise<ContractTransactionResponse>> = {
      DUSD: (to) => call(DUSD, 'transfer', to, parseEther('1000')),
      DCENT: (to) => call(DCENT, 'transfer', to, parseUnits('1000', 6)),
      NFT: (to) => call(NFT, 'mint', to),
      ITEM: (to) => call(ITEM, 'mint', to, 7, 5, '0x'),
    };
    const proxied = node;
    return {
      network: {
        ...network,
        nodes: [node.url],
        tokens: [
          { address: contracts.DUSD, symbol: 'DUSD', name: 'Demo Dollar', decimals: 18, logo: '' },
          { address: contracts.DCENT, symbol: 'DCENT', name: 'Demo Cent', decimals: 6, logo: '' },
        ],
        nonFungibles: [{ address: contracts.NFT }],
        ...(network.secretType === 'ETHEREUM' && { nonFungibles: [{ address: contracts.NFT }] }),
      },
      url: node.url,
      node,
      get down() {
        return proxied.down;
      },
      set down(value) {
        proxied.down = value;
      },
      contracts,
      assets: [coin, ...DEMO_CONTRACTS],
      async give(asset, address) {
        const gift = asset === coin ? undefined : gifts[asset as DemoContract];
        const sent = await (gift ? gift(address) : pay(address, parseEther('10')));
        await sent.wait();
        return sent.hash;
      },
      async ticketOf(hash) {
        // The third indexed argument of ERC-721's Transfer.
        const id = (await provider!.getTransactionReceipt(hash))?.logs[0]?.topics[3];
        return id && BigInt(id).toString();
      },
      async fund(address, amount) {
        await (await pay(address, amount)).wait();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
