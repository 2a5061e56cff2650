import { expect } from '@open-wc/testing';
import { loadChain } from '../../../../src/chains/index.ts';
import { encodeCall, selector } from '../../../../src/chains/contracts/abi.ts';
import type { Reader } from '../../../../src/frame/frame.ts';
import { listNonFungibles } from '../../../../src/frame/reads/non-fungibles.ts';
import { read } from '../../../../src/frame/reads/reads.ts';
import { readParams } from '../../../../src/channel/read-schema.ts';
import type { HostRequest } from '../../../../src/channel/link.ts';
import { type Asked, NETWORK, QUIET, fakeNode } from '../../chains/fake-node.ts';

const chain = await loadChain('ETHEREUM');
const OWNER = '0x1111111111111111111111111111111111111111';
const CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const frame = { networks: { customNodes: false, networks: [NETWORK], reported: [] } } as unknown as Reader;

const word = (value: bigint | number) => value.toString(16).padStart(64, '0');
/** An ABI-encoded string, as a contract returns it. */
const string = (text: string) => `0x${encodeCall('f', ['string'], [text]).slice(10)}`;

/** An enumerable contract in which the owner holds token 7, with the metadata at `uri`. */
function contractWith(uri: string) {
  const answers: Record<string, string> = {
    [selector('supportsInterface', ['bytes4'])]: `0x${word(1)}`,
    [selector('balanceOf', ['address'])]: `0x${word(1)}`,
    [selector('name', [])]: string('Demo Ticket'),
    [selector('symbol', [])]: string('TICKET'),
    [selector('tokenOfOwnerByIndex', ['address', 'uint256'])]: `0x${word(7)}`,
    [selector('ownerOf', ['uint256'])]: `0x${word(BigInt(OWNER))}`,
    [selector('tokenURI', ['uint256'])]: string(uri),
  };
  return fakeNode({
    ...QUIET,
    eth_blockNumber: '0x10',
    eth_call: ({ params }: Asked) => answers[params[0].data.slice(0, 10)] ?? new Error('execution reverted'),
  });
}

describe('non-fungible tokens of a browser wallet', () => {
  it('have metadata if the contract returns it inline', async () => {
    const { node } = contractWith('data:application/json,{"name":"Seat 7","image":"ipfs://bafy/7.png"}');
    const [found] = await listNonFungibles(frame, chain, node, OWNER, [CONTRACT, CONTRACT.toLowerCase()]);
    expect(found).to.deep.equal({
      id: '7',
      tokenId: '7',
      owner: OWNER,
      name: 'Seat 7',
      description: '',
      url: '',
      backgroundColor: null,
      imageUrl: 'https://ipfs.io/ipfs/bafy/7.png',
      imagePreviewUrl: null,
      imageThumbnailUrl: null,
      contract: {
        name: 'Demo Ticket',
        description: '',
        address: CONTRACT,
        symbol: 'TICKET',
        url: '',
        imageUrl: '',
        type: 'ERC_721',
      },
    });
  });

  it('are listed without metadata if it is elsewhere: the frame queries only nodes', async () => {
    const { node } = contractWith('https://tickets.example/7');
    const [found] = await listNonFungibles(frame, chain, node, OWNER, [CONTRACT]);
    expect([found!.tokenId, found!.name, found!.imageUrl]).to.deep.equal(['7', '', '']);
  });

  it('are those of the contracts that the network lists, unless others are named', async () => {
    const { node, requests } = contractWith('');
    expect(await listNonFungibles(frame, chain, node, OWNER, undefined)).to.deep.equal([]);
    expect(requests).to.have.length(0);
    let error: { issues?: { path: string }[] } = {};
    await listNonFungibles(frame, chain, node, OWNER, [CONTRACT, '0x12']).catch((e) => (error = e));
    expect(error.issues?.map(({ path }) => path)).to.deep.equal(['contracts.1']);
  });

  it('are read by a hidden frame, by address alone', async () => {
    const { node } = contractWith('');
    const reader = { ...frame, chain: async () => ({ ...chain, node: () => node }) } as unknown as Reader;
    const params = readParams('nonFungibles', {
      secretType: 'ETHEREUM',
      address: OWNER,
      contracts: [CONTRACT],
    });
    const found = await new Promise<unknown>((resolve, reject) => {
      void read(reader, { action: 'nonFungibles', params, resolve, reject } as unknown as HostRequest);
    });
    expect((found as { tokenId: string }[]).map(({ tokenId }) => tokenId)).to.deep.equal(['7']);
  });
});
