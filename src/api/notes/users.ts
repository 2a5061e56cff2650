import {
  AT,
  AT_MS,
  bytes,
  CLIENT,
  OPENING,
  OTHER_PIN,
  PASSKEY_ANSWER,
  PIN,
  PROVEN,
  RECOVERY_CODE,
  type RouteNotes,
  STORED_SECRET,
  WALLET,
} from './samples.ts';

const SITE = 'https://shop.example';
const THUMBPRINT = bytes(32);
const DEVICE = { thumbprint: THUMBPRINT, createdAt: AT_MS };
const SECRET_ID = '9e107d9d-372b-4a68-8b4d-0f8a1a7c2d55';

const TOKEN = {
  access_token: 'eyJ…',
  expires_in: 1800,
  refresh_expires_in: 3_456_000,
  refresh_token: 'eyJ…',
  token_type: 'bearer',
  'not-before-policy': 0,
  session_state: '8f6c2a1e-7d3b-4f60-9a55-0c1d2e3f4a5b',
  scope: 'view:wallets view:profile whitelabel',
};
const ISSUER = 'https://service.example/auth/realms/main';
const realm = { realm: 'main' };

export const USER_NOTES = {
  changePincode: {
    sdk: 'pincodes.change',
    errors: [...OPENING, 'wallet.encrypt.internal-error'],
    body: { pincode: PIN, next: OTHER_PIN, walletId: WALLET },
    answer: {},
  },
  recoverPincode: {
    sdk: 'pincodes.recover',
    errors: [
      'request.invalid',
      'request.conflict',
      'wallet.forbidden',
      'device.proof.invalid',
      'device.unknown',
      ...STORED_SECRET,
      'wallet.encrypt.internal-error',
    ],
    body: { recoveryCode: RECOVERY_CODE, next: OTHER_PIN, walletId: WALLET },
    answer: { recoveryCode: RECOVERY_CODE },
  },
  renewRecoveryCode: {
    sdk: 'pincodes.renewRecoveryCode',
    errors: OPENING,
    body: { pincode: PIN, walletId: WALLET },
    answer: { recoveryCode: RECOVERY_CODE },
  },
  createClientSecret: {
    sdk: 'clientSecrets.create',
    errors: ['request.conflict', 'request.not-found'],
    answer: { id: SECRET_ID, secret: 'cbs_…', createdAt: AT },
  },
  listClientSecrets: {
    sdk: 'clientSecrets.list',
    errors: ['request.invalid'],
    query: { limit: '100' },
    answer: [{ id: SECRET_ID, createdAt: AT, lastUsedAt: AT, revokedAt: null }],
  },
  revokeClientSecret: {
    sdk: 'clientSecrets.revoke',
    errors: ['request.invalid', 'request.not-found', 'request.conflict'],
    params: { id: SECRET_ID },
    answer: {},
  },
  readProfile: {
    sdk: 'profile.read',
    errors: ['token.scope'],
    answer: {
      userId: CLIENT,
      hasMasterPin: false,
      username: null,
      email: null,
      firstName: null,
      lastName: null,
    },
  },
  exchangeToken: {
    sdk: 'tokens.exchange',
    errors: ['request.invalid', 'token.invalid', 'token.expired', 'identity-provider.unreachable'],
    body: { clientId: CLIENT, identityProvider: 'google', idpToken: 'eyJ…' },
    answer: { ...TOKEN, scope: 'view:wallets sign:wallets view:profile email profile' },
  },
  issueToken: {
    sdk: null,
    errors: ['request.invalid', 'request.not-found'],
    params: realm,
    body: { grant_type: 'client_credentials', client_id: CLIENT, client_secret: 'cbs_…' },
    answer: TOKEN,
  },
  readJwks: {
    sdk: null,
    errors: ['request.invalid', 'request.not-found'],
    params: realm,
    answer: {
      keys: [{ kty: 'EC', crv: 'P-256', kid: '1', alg: 'ES256', use: 'sig', x: bytes(32), y: bytes(32) }],
    },
  },
  readDiscovery: {
    sdk: null,
    errors: ['request.invalid', 'request.not-found'],
    params: realm,
    answer: {
      issuer: ISSUER,
      token_endpoint: `${ISSUER}/protocol/openid-connect/token`,
      jwks_uri: `${ISSUER}/protocol/openid-connect/certs`,
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      scopes_supported: ['view:wallets', 'view:profile'],
    },
  },
  readAccount: {
    sdk: null,
    errors: ['device.proof.invalid'],
    answer: {
      userId: CLIENT,
      hasMasterPin: true,
      pinChangedAt: AT_MS,
      wrongPins: 0,
      retryAfter: null,
      hardLocked: false,
      enrolled: true,
      passkeyRequired: false,
    },
  },
  enrolDevice: {
    sdk: null,
    errors: OPENING,
    body: { pincode: PIN, recoveryCode: RECOVERY_CODE },
    answer: DEVICE,
  },
  listDevices: { sdk: null, errors: PROVEN, query: { limit: '100' }, answer: [DEVICE] },
  removeDevice: {
    sdk: null,
    errors: [...PROVEN, 'request.not-found', 'request.conflict'],
    params: { thumbprint: THUMBPRINT },
    answer: {},
  },
  readLinks: { sdk: null, errors: PROVEN, query: { origin: SITE }, answer: { walletIds: [WALLET] } },
  putLinks: {
    sdk: null,
    errors: [...PROVEN, 'wallet.forbidden'],
    body: { origin: SITE, walletIds: [WALLET] },
    answer: { walletIds: [WALLET] },
  },
  readPasskey: {
    sdk: null,
    errors: ['device.proof.invalid'],
    answer: {
      passkey: {
        credentialId: bytes(16),
        salt: bytes(32),
        transports: ['internal'],
        createdAt: AT_MS,
      },
    },
  },
  addPasskey: {
    sdk: null,
    errors: [
      ...PROVEN,
      'request.conflict',
      'passkey.invalid',
      'pincode.wrong',
      'pincode.locked',
      ...STORED_SECRET,
    ],
    body: {
      pincode: PIN,
      salt: bytes(32),
      passkey: {
        nonce: bytes(16),
        at: AT_MS,
        clientDataJSON: bytes(64),
        authenticatorData: bytes(200),
        transports: ['internal'],
        secret: bytes(32),
      },
    },
    answer: {
      passkey: {
        credentialId: bytes(16),
        salt: bytes(32),
        transports: ['internal'],
        createdAt: AT_MS,
      },
    },
  },
  removePasskey: {
    sdk: null,
    errors: [
      ...PROVEN,
      'request.conflict',
      'passkey.required',
      'passkey.invalid',
      'pincode.wrong',
      'pincode.locked',
      ...STORED_SECRET,
    ],
    body: { passkey: PASSKEY_ANSWER },
    answer: {},
  },
} satisfies RouteNotes;
