/** The local Ethereum of the demo: anvil, contracts to play with, and a faucet. */
import {
  Contract,
  ContractFactory,
  Interface,
  JsonRpcProvider,
  type JsonRpcSigner,
  parseEther,
  parseUnits,
} from 'ethers';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Network } from '../../src/chains/network.ts';
import { CHAIN_ID, startAnvil } from './anvil.ts';
import { type NodeProxy, startNodeProxy } from './node-proxy.ts';

/** What the faucet gives, by the name a request asks for. */
export type FaucetAsset = 'ETH' | 'DUSD' | 'DCENT' | 'NFT' | 'ITEM';
export const FAUCET_ASSETS: readonly FaucetAsset[] = ['ETH', 'DUSD', 'DCENT', 'NFT', 'ITEM'];

export interface LocalEthereum {
  network: Network;
  /** The node that the frame uses: `node.down` takes it off the network. */
  node: NodeProxy;
  contracts: Record<Exclude<FaucetAsset, 'ETH'>, string>;
  /** A real transfer from the first development account. Answers the transaction hash. */
  give(asset: FaucetAsset, address: string): Promise<string>;
  close(): Promise<void>;
}

interface Artifact {
  abi: ConstructorParameters<typeof Interface>[0];
  bytecode: string;
}

function artifact(name: string): Artifact {
  const path = createRequire(import.meta.url).resolve(`@openzeppelin/contracts/build/contracts/${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as Artifact;
}

/** OpenZeppelin's ERC-20 with 6 decimals: `decimals()` stores a `PUSH1 18` to memory, which its code does in one place. */
function withSixDecimals({ abi, bytecode }: Artifact): Artifact {
  const parts = bytecode.split('60405160128152');
  if (parts.length !== 2) throw new Error('OpenZeppelin’s ERC-20 is not the one that this patch knows.');
  return { abi, bytecode: parts.join('60405160068152') };
}

async function deploy(owner: JsonRpcSigner, from: Artifact, ...args: unknown[]): Promise<Contract> {
  const contract = await new ContractFactory(from.abi, from.bytecode, owner).deploy(...args);
  await contract.waitForDeployment();
  return new Contract(await contract.getAddress(), from.abi, owner);
}

export async function startEthereum({ port }: { port: number }): Promise<LocalEthereum> {
  const anvil = await startAnvil();
  let provider: JsonRpcProvider | undefined;
  try {
    const node = await startNodeProxy({ target: anvil.url, port, setting: 'ETHEREUM_PORT' });
    provider = new JsonRpcProvider(anvil.url, CHAIN_ID, { staticNetwork: true, cacheTimeout: -1 });
    provider.pollingInterval = 50;
    const owner = await provider.getSigner(0);
    const erc20 = artifact('ERC20PresetFixedSupply');
    // One after the other: the owner's nonces, and so the addresses, are the same on every start.
    const DUSD = await deploy(owner, erc20, 'Demo Dollar', 'DUSD', parseEther('1000000000'), owner.address);
    const DCENT = await deploy(
      owner,
      withSixDecimals(erc20),
      'Demo Cent',
      'DCENT',
      parseUnits('1000000000', 6),
      owner.address,
    );
    const NFT = await deploy(
      owner,
      artifact('ERC721PresetMinterPauserAutoId'),
      'Demo Ticket',
      'TICKET',
      'https://demo.invalid/',
    );
    const ITEM = await deploy(owner, artifact('ERC1155PresetMinterPauser'), 'https://demo.invalid/{id}');
    const contracts = {
      DUSD: String(DUSD.target),
      DCENT: String(DCENT.target),
      NFT: String(NFT.target),
      ITEM: String(ITEM.target),
    };
    const gifts: Record<FaucetAsset, (to: string) => Promise<{ hash: string; wait(): Promise<unknown> }>> = {
      ETH: (to) => owner.sendTransaction({ to, value: parseEther('10') }),
      DUSD: (to) => DUSD.getFunction('transfer')(to, parseEther('1000')),
      DCENT: (to) => DCENT.getFunction('transfer')(to, parseUnits('1000', 6)),
      NFT: (to) => NFT.getFunction('mint')(to),
      ITEM: (to) => ITEM.getFunction('mint')(to, 7, 5, '0x'),
    };
    const closeAll = async (): Promise<void> => {
      provider?.destroy();
      await node.close();
      await anvil.close();
    };
    return {
      network: {
        id: 'ethereum-local',
        secretType: 'ETHEREUM',
        name: 'Local Ethereum',
        kind: 'local',
        chainId: CHAIN_ID,
        nodes: [node.url],
        tokens: [
          { address: contracts.DUSD, symbol: 'DUSD', name: 'Demo Dollar', decimals: 18, logo: '' },
          { address: contracts.DCENT, symbol: 'DCENT', name: 'Demo Cent', decimals: 6, logo: '' },
        ],
        feeCeiling: parseEther('0.05').toString(),
      },
      node,
      contracts,
      give: async (asset, address) => {
        const sent = await gifts[asset](address);
        await sent.wait();
        return sent.hash;
      },
      close: closeAll,
    };
  } catch (error) {
    provider?.destroy();
    await anvil.close();
    throw error;
  }
}
