/**
 * Chain ids of EVM networks, so that a network is named by its id even when `networks.json` does not list it.
 * Ids from https://github.com/ethereum-lists/chains; names as the projects write them.
 */
import type { Network } from '../network.ts';
import { coinOf } from '../secret-type.ts';

export interface KnownChain {
  chainId: number;
  name: string;
  kind: Network['kind'];
  /** Symbol of its coin; ETH without one. */
  symbol?: string;
}

const LIVE: Readonly<Record<number, readonly [name: string, symbol?: string]>> = {
  1: ['Ethereum mainnet'],
  10: ['OP Mainnet'],
  14: ['Flare', 'FLR'],
  19: ['Songbird', 'SGB'],
  25: ['Cronos', 'CRO'],
  30: ['Rootstock', 'RBTC'],
  40: ['Telos', 'TLOS'],
  50: ['XDC Network', 'XDC'],
  56: ['BNB Smart Chain', 'BNB'],
  60: ['GoChain', 'GO'],
  61: ['Ethereum Classic', 'ETC'],
  100: ['Gnosis', 'xDAI'],
  122: ['Fuse', 'FUSE'],
  130: ['Unichain'],
  137: ['Polygon', 'POL'],
  146: ['Sonic', 'S'],
  169: ['Manta Pacific'],
  204: ['opBNB', 'BNB'],
  250: ['Fantom', 'FTM'],
  252: ['Fraxtal', 'frxETH'],
  288: ['Boba Network'],
  324: ['ZKsync Era'],
  369: ['PulseChain', 'PLS'],
  480: ['World Chain'],
  999: ['HyperEVM', 'HYPE'],
  1088: ['Metis Andromeda', 'METIS'],
  1101: ['Polygon zkEVM'],
  1284: ['Moonbeam', 'GLMR'],
  1285: ['Moonriver', 'MOVR'],
  1329: ['Sei', 'SEI'],
  1868: ['Soneium'],
  2020: ['Ronin', 'RON'],
  2222: ['Kava', 'KAVA'],
  2741: ['Abstract'],
  5000: ['Mantle', 'MNT'],
  8217: ['Kaia', 'KAIA'],
  8453: ['Base'],
  13371: ['Immutable zkEVM', 'IMX'],
  33139: ['ApeChain', 'APE'],
  34443: ['Mode'],
  42161: ['Arbitrum One'],
  42170: ['Arbitrum Nova'],
  42220: ['Celo', 'CELO'],
  43114: ['Avalanche C-Chain', 'AVAX'],
  57073: ['Ink'],
  59144: ['Linea'],
  80094: ['Berachain', 'BERA'],
  81457: ['Blast'],
  88888: ['Chiliz', 'CHZ'],
  534352: ['Scroll'],
  7777777: ['Zora'],
  1313161554: ['Aurora'],
  1666600000: ['Harmony', 'ONE'],
};

/** Their coins are worthless. An id in neither list counts as live. */
const TEST: Readonly<Record<number, string>> = {
  3: 'Ethereum Ropsten test network',
  4: 'Ethereum Rinkeby test network',
  5: 'Ethereum Goerli test network',
  31: 'Rootstock test network',
  51: 'XDC Apothem test network',
  97: 'BNB Smart Chain test network',
  300: 'ZKsync Sepolia test network',
  338: 'Cronos test network',
  1001: 'Kaia Kairos test network',
  1287: 'Moonbase Alpha test network',
  1301: 'Unichain Sepolia test network',
  // Default of ganache and geth --dev.
  1337: 'Local test network',
  4002: 'Fantom test network',
  4801: 'World Chain Sepolia test network',
  5003: 'Mantle Sepolia test network',
  10200: 'Gnosis Chiado test network',
  17000: 'Ethereum Holesky test network',
  // anvil and hardhat, and GoChain's test network.
  31337: 'Local or GoChain test network',
  43113: 'Avalanche Fuji test network',
  44787: 'Celo Alfajores test network',
  59141: 'Linea Sepolia test network',
  80001: 'Polygon Mumbai test network',
  80002: 'Polygon Amoy test network',
  84532: 'Base Sepolia test network',
  421614: 'Arbitrum Sepolia test network',
  534351: 'Scroll Sepolia test network',
  560048: 'Ethereum Hoodi test network',
  11155111: 'Ethereum Sepolia test network',
  11155420: 'OP Sepolia test network',
  168587773: 'Blast Sepolia test network',
};

/**
 * The name shown for a chain id, whatever a site calls it: from `networks.json`, else from the lists above.
 * Undefined: no trusted source knows it.
 */
export function chainName(chainId: number, networks: readonly Network[] = []): KnownChain | undefined {
  const listing = wellKnownChain(chainId);
  // A live chain stays live whatever the file says about its id.
  if (listing?.kind === 'mainnet') return listing;
  const network = networks.find((each) => each.chainId === chainId);
  if (!network) return listing;
  const { name, kind } = network;
  return { chainId, name, kind, symbol: coinOf(network).symbol };
}

function wellKnownChain(chainId: number): KnownChain | undefined {
  const live = Object.hasOwn(LIVE, chainId) ? LIVE[chainId] : undefined;
  if (live) return { chainId, name: live[0], kind: 'mainnet', ...(live[1] ? { symbol: live[1] } : {}) };
  const test = Object.hasOwn(TEST, chainId) ? TEST[chainId] : undefined;
  return test ? { chainId, name: test, kind: 'testnet' } : undefined;
}
