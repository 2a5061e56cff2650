/** The non-fungible tokens of a wallet, which are ERC-721 on Ethereum: docs/service.md#non-fungible-tokens. */
import { CARDS } from '../../src/chains/secret-type.ts';
import type { NonFungible } from '../../src/api/wallet.ts';
import { listNonFungibles } from '../../src/api/routes.ts';
import { checksum, readHexAddress } from '../../src/chains/contracts/evm-address.ts';
import { type NonFungibleContract, readNonFungibles } from '../../src/chains/evm/non-fungibles.ts';
import { IPFS_GATEWAY, nonFungible } from '../../src/chains/evm/token-metadata.ts';
import type { Network } from '../../src/chains/network.ts';
import { ConnectError, RequestInvalidError } from '../../src/base/errors.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';
import { Descriptions } from './descriptions.ts';
import { walletOf } from './stored-wallets.ts';
import { walletOn } from './wallet-network.ts';

/** Milliseconds for the descriptions of one list. */
const TIME = 10_000;
/** Lists that are read at a time, because each may ask the node often, and those that may wait for it. */
const CONCURRENT = 16;
const MAX_WAITING = 200;
/** Characters of pictures in `data:` addresses, in one list. */
const INLINE = 8_388_608;

/** The requested contracts, each once, else those that the network lists. Throws a `request.invalid` that names each bad one. */
function contractsOf(parameter: string | string[] | undefined, network: Network): NonFungibleContract[] {
  const listed = (network.nonFungibles ?? []).map((one) => ({ ...one, address: checksum(one.address) }));
  if (parameter === undefined) return listed;
  const texts = [parameter].flat();
  const issues = texts.flatMap((text, i) => {
    try {
      readHexAddress(text, 'ETHEREUM');
      return [];
    } catch (error) {
      const path = typeof parameter === 'string' ? 'contract-addresses' : `contract-addresses.${i}`;
      return [{ path, message: (error as Error).message }];
    }
  });
  if (issues.length) throw new RequestInvalidError(issues);
  const addresses = new Set(texts.map((text) => readHexAddress(text, 'ETHEREUM')));
  return [...addresses].map((address) => ({
    address,
    fromBlock: listed.find((one) => one.address === address)?.fromBlock,
  }));
}

/** Keeps a list to a size that clients can handle. */
function withinSize(tokens: NonFungible[]): NonFungible[] {
  let left = INLINE;
  return tokens.map((token) => {
    if (!token.imageUrl.startsWith('data:')) return token;
    left -= token.imageUrl.length;
    return left < 0 ? { ...token, imageUrl: '' } : token;
  });
}

export const nonFungibles: Area = (app, { db, networks, outbound }) => {
  const descriptions = new Descriptions(outbound, networks.file.ipfsGateway ?? IPFS_GATEWAY);

  const semaphore = new Semaphore(CONCURRENT, MAX_WAITING);

  serve(app, listNonFungibles, async ({ params, query, principal, request }) => {
    const wallet = await walletOf(db, principal, params.walletId);
    if (!CARDS[wallet.secret_type].nonFungibles)
      throw new ConnectError('chain.not-supported', 'Non-fungible tokens are listed for ETHEREUM only.', {
        secretType: wallet.secret_type,
      });
    const { network } = walletOn(networks, wallet, query.network);
    const { node } = await networks.reach(wallet.secret_type, network);
    const contracts = contractsOf(query['contract-addresses'], node.network);
    const { tokens, complete } = await semaphore.run(() => readNonFungibles(wallet.address, contracts, node));
    if (!complete) request.log.warn('the non-fungible tokens of a wallet were not all found');
    const collections = [...new Set(tokens.map(({ contract }) => contract.uri))];
    const read = await descriptions.read([...collections, ...tokens.map(({ uri }) => uri)], TIME);
    const described = tokens.map((token, i) =>
      nonFungible(token, read[collections.length + i]!, read[collections.indexOf(token.contract.uri)]!),
    );
    return withinSize(described);
  });
};
