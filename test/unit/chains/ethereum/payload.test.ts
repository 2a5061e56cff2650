import { loadPayloads } from '../../../../src/chains/index.ts';
import { ETHEREUM } from '../../../../src/chains/ethereum/profile.ts';
import type { Accepted, Refused } from '../evm/payload-cases.ts';
import { payloadSuite } from '../evm/payload-suite.ts';

const payloads = await loadPayloads('ETHEREUM');

const network = { name: 'Test', nodeUrl: 'https://node.example/', chainId: 5 };

/** A request may name its own node. */
const accepted: Accepted[] = [
  [{ network }, { network }],
  [
    { network: { ...network, chainId: null } },
    { network: { name: 'Test', nodeUrl: 'https://node.example/', chainId: undefined } },
  ],
];
const refused: Refused[] = [
  [{ network: 'mainnet' }, 'network', /object/],
  [{ network: { ...network, name: '' } }, 'network.name', /required/],
  [{ network: [] }, 'network', /object/],
  [{ network: { ...network, name: 5 } }, 'network.name', /text/],
  [{ network: { ...network, name: 'n'.repeat(65) } }, 'network.name', /64 characters/],
  [{ network: { name: 'x' } }, 'network.nodeUrl', /required/],
  [{ network: { ...network, nodeUrl: 5 } }, 'network.nodeUrl', /text/],
  [{ network: { ...network, nodeUrl: 'node.example' } }, 'network.nodeUrl', /full URL/],
  [{ network: { ...network, nodeUrl: 'ftp://x' } }, 'network.nodeUrl', /http/],
  [{ network: { ...network, nodeUrl: 'https://a:b@x' } }, 'network.nodeUrl', /password/],
  [{ network: { ...network, chainId: -1 } }, 'network.chainId', /negative/],
  [{ network: { ...network, chainId: 0 } }, 'network.chainId', /chain id/],
  [{ network: { ...network, chainId: 'one' } }, 'network.chainId', /decimal/],
  [{ network: { ...network, chainId: 2n ** 53n } }, 'network.chainId', /chain id/],
  [{ network: { ...network, chainId: 1.5 } }, 'network.chainId', /whole/],
  [{ network: { ...network, kind: 'x' } }, 'network.kind', /not a field/],
];

describe('Ethereum payloads', () => payloadSuite({ profile: ETHEREUM, payloads, accepted, refused }));
