/** Making wallets: docs/service.md#wallets. */
import type { CreateWallet, ImportWallet } from '../../src/api/wallet-requests.ts';
import { loadChain } from '../networks/chains.ts';
import type { NetworkKind } from '../../src/chains/network.ts';
import { usableNetworks } from '../../src/chains/nodes/networks.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { requireScope } from '../auth/access-tokens.ts';
import { openerOf } from '../auth/passkey-answers.ts';
import type { Principal } from '../http/principal.ts';
import type { CheckedPasskey } from '../http/serve.ts';
import type { CreatedWallet } from '../custody/custody.ts';
import type { NewWallet } from '../custody/store-wallet.ts';
import { conflict } from '../custody/wallet-errors.ts';
import type { ServiceNetworks } from '../networks/service-networks.ts';
import type { Service } from '../service.ts';
import { identifierFor } from './identifiers.ts';
import { walletAnswer } from './stored-wallets.ts';

interface WalletCreation {
  body: Omit<CreateWallet, 'pincode'> & Partial<Pick<ImportWallet, 'pincode' | 'key'>>;
  idempotencyKey: string | undefined;
  /** Thumbprint of the device that proved a user's request. */
  device: string | undefined;
  passkey: CheckedPasskey | undefined;
}

/**
 * A white-label wallet belongs to its application and has a PIN of its own. A shared one belongs to its user and opens with the master PIN,
 * which the first one sets. A repeated identifier returns the existing wallet, unless the request says something else of it; a repeated
 * `Idempotency-Key` does the same for the same request.
 */
export async function makeWallet(
  { db, custody, networks, events }: Pick<Service, 'db' | 'custody' | 'networks' | 'events'>,
  principal: Principal,
  { body, idempotencyKey, device, passkey }: WalletCreation,
): Promise<CreatedWallet> {
  const holding = holdingOf(principal, body.walletType, device);
  const { pincode, alias = '', description = '', secretType, walletType, network } = body;
  requireNetwork(networks, secretType, network);
  const pin = openerOf(pincode, passkey);
  const isKeyed = body.identifier === undefined && idempotencyKey !== undefined;
  const kind = networks.kindOf(secretType, network);
  const imported = body.key === undefined ? undefined : await readKey(secretType, body.key, kind);
  const created = await custody
    .createWallet({
      key: imported?.key,
      ownerId: principal.accountId,
      applicationId: principal.applicationId,
      identifier: identifierFor(walletType, principal.accountId, { ...body, idempotencyKey }),
      walletType,
      secretType,
      network,
      kind,
      alias,
      description,
      pin,
      ...holding,
      storing: (work) =>
        events.with(db, (tx, notify) =>
          work(tx, (wallet) =>
            notify(wallet.id, 'wallet.created', () => ({
              wallet: walletAnswer({ ...wallet, has_own_pin: holding.pinOf === 'wallet' }),
            })),
          ),
        ),
    })
    .finally(() => imported?.key.fill(0));
  const { wallet } = created;
  if (imported && imported.address !== wallet.address)
    throw new ConnectError(
      'request.conflict',
      'The identifier, or the Idempotency-Key, is that of a wallet with another key.',
      { field: 'key' },
    );
  const isSame =
    wallet.secret_type === secretType &&
    wallet.alias === alias &&
    wallet.description === description &&
    wallet.network === (network ?? null);
  if (isKeyed && !isSame) throw conflict('The Idempotency-Key was used with another request.');
  requireSame(networks, wallet, body);
  return created;
}

/** Throws `request.invalid` at `key`. */
async function readKey(
  secretType: SecretType,
  text: string,
  kind: NetworkKind,
): Promise<{ key: Uint8Array; address: string }> {
  // Opening a keystore takes a core for seconds, by design.
  if (text.trim().startsWith('{'))
    throw invalid('key', 'must be the private key itself: open the keystore file with its password first');
  const chain = await loadChain(secretType);
  const key = await chain.importKey(text, undefined, kind);
  return { key, address: await chain.address(key, kind) };
}

/**
 * An address on another chain or network must not be mistaken for the requested one, nor a wallet with another name. Texts that the request
 * leaves out are not compared.
 */
function requireSame(
  { file }: ServiceNetworks,
  wallet: CreatedWallet['wallet'],
  { secretType, network, alias, description }: WalletCreation['body'],
): void {
  const first = usableNetworks(file, secretType)[0]?.id;
  const compared = [
    ['secretType', wallet.secret_type, secretType],
    ['network', wallet.network ?? first, network ?? first],
    ['alias', wallet.alias, alias ?? wallet.alias],
    ['description', wallet.description, description ?? wallet.description],
  ] as const;
  const other = compared.find(([, has, wish]) => has !== wish);
  if (!other) return;
  const [field, value] = other;
  throw new ConnectError(
    'request.conflict',
    `The identifier is that of a wallet whose ${field} is “${value}”. Request that one, or choose another identifier.`,
    { field },
  );
}

/** Who may make such a wallet, and which PIN opens it. */
function holdingOf(
  principal: Principal,
  walletType: CreateWallet['walletType'],
  device: string | undefined,
): Pick<NewWallet, 'pinOf' | 'device'> {
  if (walletType === 'WHITE_LABEL') {
    requireScope(principal, ['whitelabel']);
    if (!principal.isApplication)
      throw new ConnectError(
        'token.scope',
        "White-label wallets are made with the application's own token.",
        { scopes: ['whitelabel'] },
      );
    return { pinOf: 'wallet' };
  }
  if (principal.isApplication)
    throw invalid('walletType', "must be WHITE_LABEL: a user's wallet is made with a user's token");
  requireScope(principal, ['sign:wallets']);
  return { pinOf: 'account', device };
}

function requireNetwork(
  { file }: ServiceNetworks,
  secretType: SecretType,
  network: string | undefined,
): void {
  if (network === undefined || usableNetworks(file, secretType).some(({ id }) => id === network)) return;
  throw invalid('network', `is not the id of a network that the service has for ${secretType}`);
}
