/** Checks what a node client needs of its network, for callers whose networks were not parsed by a schema. */
import { type Issue, RequestInvalidError } from '../../base/errors.ts';
import type { Network } from '../network.ts';
import { CARDS, type SecretType } from '../secret-type.ts';
import { isCustom } from './networks.ts';

/** The network as it is. Throws `request.invalid` that names every field that cannot be right: `network.nodes.0`. */
export function checkNetwork(network: Network, secretType: SecretType): Network {
  const issues: Issue[] = [];
  const check = (field: string, valid: boolean, message: string): void => {
    if (!valid) issues.push({ path: `network${field && `.${field}`}`, message });
  };
  if (typeof network !== 'object' || network === null)
    throw new RequestInvalidError([{ path: 'network', message: 'must be an object' }]);
  const fields: Readonly<Partial<Record<keyof Network, unknown>>> = network;
  const { chainId, genesis, kind, nodes, tokens } = fields;
  check('secretType', fields.secretType === secretType, `must be ${secretType}, as the chain’s`);
  for (const field of ['id', 'name'] as const)
    check(field, typeof fields[field] === 'string' && fields[field] !== '', 'is required: a text');
  check(
    'kind',
    ['mainnet', 'testnet', 'local'].includes(kind as string),
    'must be mainnet, testnet or local',
  );
  check(
    'chainId',
    chainId === undefined || (Number.isSafeInteger(chainId) && (chainId as number) > 0),
    'must be a whole number from 1, for example 1',
  );
  check('genesis', genesis === undefined || typeof genesis === 'string', 'must be a text');
  const signed = CARDS[secretType].signs;
  // For a node that the site chose, this is read from the node.
  if (signed && !isCustom(network)) check(signed, fields[signed] !== undefined, 'is required: it is signed');
  if (Array.isArray(nodes) && nodes.length > 0)
    for (const [i, url] of nodes.entries())
      check(
        `nodes.${i}`,
        isHttp(url),
        'must be a full http or https URL, for example https://node.example/rpc',
      );
  else check('nodes', false, 'must be a list of one URL or more');
  check('tokens', Array.isArray(tokens), 'must be a list; [] where no token is trusted');
  if (issues.length > 0) throw new RequestInvalidError(issues);
  return network;
}

/** `fetch` refuses URLs with a user name. */
function isHttp(text: unknown): boolean {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && !username && !password;
}
