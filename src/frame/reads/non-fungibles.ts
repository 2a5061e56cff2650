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
  asked: readonly string[] | undefined,
): Promise<NonFungible[]> {
  if (!CARDS[chain.secretType].nonFungibles)
    throw new ConnectError('chain.not-supported', 'Non-fungible tokens are listed for ETHEREUM only.', {
      secretType: chain.secretType,
    });
  const issues = (asked ?? []).flatMap((contract, i) =>
    chain.isAddress(contract)
      ? []
      : [{ path: `contracts.${i}`, message: 'must be an address of this chain' }],
  );
  if (issues.length) throw new RequestInvalidError(issues);
  const listed = (node.network.nonFungibles ?? []).map((one) => ({ ...one, address: checksum(one.address) }));
  const contracts = asked
    ? [...new Set(asked.map(checksum))].map(
        (wanted) => listed.find((one) => one.address === wanted) ?? { address: wanted },
      )
    : listed;
  const gateway = networks.ipfsGateway ?? IPFS_GATEWAY;
  const described = (uri: string) => {
    const json = inlineJson(uri);
    return json === undefined ? NO_METADATA : readMetadata(json, gateway);
  };
  const { tokens } = await readNonFungibles(address, contracts, node);
  return tokens.map((token) => nonFungible(token, described(token.uri), described(token.contract.uri)));
}
