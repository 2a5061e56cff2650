/** Names looked up on a real node, with a contract in the place of ENS's Universal Resolver. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AbiCoder, dnsEncode, Interface, keccak256, namehash, toBeHex } from 'ethers';
import { loadChain } from '../../src/chains/load.ts';
import { UNIVERSAL_RESOLVER } from '../../src/chains/names/registers.ts';
import { lookUp, NameProblem } from '../../src/chains/names/look-up.ts';
import type { Network } from '../../src/chains/network.ts';
import { type Anvil, startAnvil } from './anvil.ts';

const ADA = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';

/**
 * Answers a call with what is stored under the hash of its data, as `(bytes, address)`; without that, reverts with `ResolverNotFound`:
 * calldatacopy(0, 0, size) · v := sload(keccak256(0, size)) · if v goto 0x1a · revert(0x77209fe8) · return (0x40, 0, 0x20, v)
 */
const RESOLVER =
  '0x365f5f37' +
  '365f2054' +
  '80601a57' +
  '6377209fe860e01b5f5260045ffd' +
  '5b60405f525f60205260206040526060526080' +
  '5ff3';
/** Reverts with `OffchainLookup` (ERC-3668). */
const GATEWAY = '0x63556f183060e01b5f5260045ffd';

const RESOLVE = new Interface(['function resolve(bytes name, bytes data)', 'function addr(bytes32)']);

let anvil: Anvil;
let network: Network;
before(async () => {
  anvil = await startAnvil();
  network = {
    id: 'local',
    secretType: 'ETHEREUM',
    name: 'Local Ethereum',
    kind: 'local',
    chainId: 31337,
    nodes: [anvil.url],
    tokens: [],
  };
});
after(() => anvil.stop());

async function find(name: string) {
  const chain = await loadChain('ETHEREUM');
  const networks = { customNodes: false, reported: [], networks: [network] };
  return lookUp(name, network, { networks, node: async (at) => chain.node(at) });
}

const problem = (reason: string, where: string) => (error: unknown) =>
  error instanceof NameProblem && error.reason === reason && error.where === where;

/** The call as ethers encodes it, so that a call of ours that differs in a byte finds nothing. */
async function register(name: string, address: string): Promise<void> {
  const call = RESOLVE.encodeFunctionData('resolve', [
    dnsEncode(name, 255),
    RESOLVE.encodeFunctionData('addr', [namehash(name)]),
  ]);
  const value = AbiCoder.defaultAbiCoder().encode(['address'], [address]);
  await anvil.rpc('anvil_setStorageAt', UNIVERSAL_RESOLVER, keccak256(call), value);
}

test('a network without the contract has no register of names', async () => {
  await assert.rejects(find('ada.eth'), problem('no-registry', 'Local Ethereum'));
});

test('a name is the address that its register gives, however it is typed', async () => {
  await anvil.rpc('anvil_setCode', UNIVERSAL_RESOLVER, RESOLVER);
  await register('ada.eth', ADA);
  const long = `${'a'.repeat(60)}.${'b'.repeat(40)}.eth`;
  await register(long, ADA);
  assert.deepEqual(await find('Ada.ETH'), { name: 'ada.eth', address: ADA, network: 'Local Ethereum' });
  assert.equal((await find(long)).address, ADA);
});

test('a name that nobody registered, or that was cleared, is unknown', async () => {
  await assert.rejects(find('bob.eth'), problem('unknown', ''));
  await register('ada.eth', toBeHex(0, 20));
  await assert.rejects(find('ada.eth'), problem('unknown', ''));
});

test('a name that a gateway keeps is refused', async () => {
  await anvil.rpc('anvil_setCode', UNIVERSAL_RESOLVER, GATEWAY);
  await assert.rejects(find('ada.eth'), problem('gateway', ''));
});
