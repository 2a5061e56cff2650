/**
 * GoChain's own node on a private chain with one signer, which is also the faucet. Its rules are mainnet's since Darvaza: a gas price of
 * at least 2000 gwei, and Petersburg's instructions.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encryptKeystoreJsonSync, hexlify, parseEther, Wallet } from 'ethers';
import { startLocalEvm } from '../evm.ts';
import { GAS_PRICE, GOCHAIN_ID, type LocalGochain, NETWORK } from '../gochain.ts';
import { freePort, startWatched, untilItAnswers } from '../watched.ts';
import { goNode } from './go-nodes.ts';

interface GochainNodeOptions {
  port: number;
  onBuild?: (what: string) => void;
}

/** With 1, the node sometimes seals two blocks at once and its mempool loses pending transactions (3 of 45; with 2, none). */
const BLOCK_SECONDS = 2;

export async function startGochainNode({ port, onBuild }: GochainNodeOptions): Promise<LocalGochain> {
  const node = await startNode(await goNode('gochain', onBuild));
  return startLocalEvm({
    coin: 'GO',
    network: NETWORK,
    // `startLocalEvm` stops it, and uses it like anvil: it holds the key of account 0.
    anvil: node,
    gasPrice: GAS_PRICE,
    port,
    setting: 'GOCHAIN_PORT',
  });
}

async function startNode(path: string): Promise<{ url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'gochain-'));
  const { address, privateKey } = Wallet.createRandom();
  const password = hexlify(crypto.getRandomValues(new Uint8Array(16)));
  const at = (name: string): string => join(folder, name);
  mkdirSync(at('keystore'));
  // The key is created with the chain: a slow key derivation would protect nothing.
  const scrypt = { N: 2, r: 8, p: 1 };
  writeFileSync(
    at('keystore/signer'),
    encryptKeystoreJsonSync({ address, privateKey }, password, { scrypt }),
  );
  writeFileSync(at('password'), password);
  writeFileSync(at('genesis.json'), JSON.stringify(genesisOf(address)));
  const own = await freePort();
  const url = `http://127.0.0.1:${own}`;
  const data = ['--datadir', folder, '--verbosity', '1'];
  const made = startWatched([path, ...data, 'init', at('genesis.json')]);
  await made.ended;
  const program = startWatched([
    path,
    ...data,
    '--networkid',
    String(GOCHAIN_ID),
    '--nodiscover',
    '--maxpeers',
    '0',
    '--ipcdisable',
    '--port',
    '0',
    '--mine',
    '--miner.etherbase',
    address,
    '--unlock',
    address,
    '--password',
    at('password'),
    '--rpc',
    '--rpcport',
    String(own),
    '--rpcapi',
    'eth,net,web3',
    // Otherwise the price floor does not apply to transactions from RPC.
    '--txpool.nolocals',
  ]);
  const close = async (): Promise<void> => {
    await program.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilItAnswers('gochain', program, async () => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
      const headers = { 'Content-Type': 'application/json' };
      const { result } = (await (await fetch(url, { method: 'POST', headers, body })).json()) as {
        result: string;
      };
      if (Number(result) === 0) throw new Error('no block yet');
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
}

function genesisOf(signer: string) {
  return {
    config: {
      chainId: GOCHAIN_ID,
      ...Object.fromEntries(
        [
          'homestead',
          'eip150',
          'eip155',
          'eip158',
          'byzantium',
          'constantinople',
          'petersburg',
          'darvaza',
        ].map((fork) => [`${fork}Block`, 0]),
      ),
      darvazaDefaultGas: Number(GAS_PRICE),
      clique: { period: BLOCK_SECONDS, epoch: 3000 },
    },
    signers: [signer],
    voters: [signer],
    signer: `0x${'00'.repeat(65)}`,
    difficulty: '0x1',
    gasLimit: '0x8239290',
    alloc: { [signer.slice(2)]: { balance: `0x${parseEther('1000000000').toString(16)}` } },
  };
}
