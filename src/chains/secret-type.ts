/** The chains a wallet can be of, by the name the API uses for them (spec section 1). */
export const SECRET_TYPES = [
  'AETERNITY',
  'BITCOIN',
  'ETHEREUM',
  'GOCHAIN',
  'LITECOIN',
  'TRON',
  'VECHAIN',
] as const;
export type SecretType = (typeof SECRET_TYPES)[number];

/** Names as people read them. */
export const CHAIN_NAMES: Record<SecretType, string> = {
  AETERNITY: 'Aeternity',
  BITCOIN: 'Bitcoin',
  ETHEREUM: 'Ethereum',
  GOCHAIN: 'GoChain',
  LITECOIN: 'Litecoin',
  TRON: 'Tron',
  VECHAIN: 'VeChain',
};
