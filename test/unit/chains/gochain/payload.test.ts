import { loadPayloads } from '../../../../src/chains/index.ts';
import { GOCHAIN } from '../../../../src/chains/gochain/profile.ts';
import type { Accepted, Refused } from '../evm/payload-cases.ts';
import { payloadSuite } from '../evm/payload-suite.ts';

const payloads = await loadPayloads('GOCHAIN');

const accepted: Accepted[] = [[{ network: null }, {}]];
const refused: Refused[] = [
  [{ network: { name: 'Test', nodeUrl: 'https://node.example/' } }, 'network', /only supported for Ethereum/],
  [{ network: 'mainnet' }, 'network', /only supported for Ethereum/],
  [{ type: 'ETH_TRANSACTION' }, 'type', /must be one of GO_TRANSACTION, GOCHAIN_GO20_TRANSACTION, TRANSFER/],
];

describe('GoChain payloads', () => payloadSuite({ profile: GOCHAIN, payloads, accepted, refused }));
