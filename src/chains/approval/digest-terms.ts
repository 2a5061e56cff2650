/** What ERC-8213 calls the digests that people compare on a second device. The terms are the same in every language. */
export const DIGEST_TERMS = {
  typedData: 'EIP-712 Digest',
  domain: 'Domain Hash',
  message: 'Message Hash',
  calldata: 'Calldata Digest',
} as const;
