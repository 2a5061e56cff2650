/**
 * Non-fungible tokens of a browser wallet, read from the node. The frame queries only nodes, so a token has metadata only if its contract
 * returns it inline.
 */
import { CARDS } from '../../chains/secret-type.ts';
import type { NonFungible } from '../../api/wallet.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Node } from '../../chains/terms.ts';
import { checksum } from '../../chains/contracts/evm-address.ts';
import { readNonFungibles } from '../../chains/evm/non-fungibles.ts';
import {
  inlineJson,
  IPFS_GATEWAY,
  NO_METADATA,
  nonFungible,
  readMetadata,
} from '../../chains/evm/token-metadata.ts';
import { ConnectError, RequestInvalidError } from '../../base/errors.ts';
import type { NodeReader } from '../frame.ts';

export async function listNonFungibles(
  { networks }: NodeReader,
  chain: Chain,
  node: Node,
  address: string,
  addresses: readonly string[] | undefined,
): Promise<NonFungible[]> {
  if (!CARDS[chain.secretType].nonFungibles)
    throw new ConnectError('chain.not-supported', 'Non-fungible tokens are listed for ETHEREUM only.', {
      secretType: chain.secretType,
    });
  const issues = (addresses ?? []).flatMap((contract, i) =>
    chain.isAddress(contract)
      ? []
      : [{ path: `contracts.${i}`, message: 'must be an address of this chain' }],
  );
  if (issues.length) throw new RequestInvalidError(issues);
  const listedContracts = (node.network.nonFungibles ?? []).map((one) => ({
    ...one,
    address: checksum(one.address),
  }));
  const contracts = addresses
    ? [...new Set(addresses.map(checksum))].map(
        (own) => listedContracts.find((one) => one.address === own) ?? { address: own },
      )
    : listedContracts;
  const gateway = networks.ipfsGateway ?? IPFS_GATEWAY;
  const metadataAt = (uri: string) => {
    const json = inlineJson(uri);
    return json === undefined ? NO_METADATA : readMetadata(json, gateway);
  };
  const { tokens } = await readNonFungibles(address, contracts, node);
  return tokens.map((token) => nonFungible(token, metadataAt(token.uri), metadataAt(token.contract.uri)));
}
