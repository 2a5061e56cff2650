/** Ready-made token calls, without the ABI coder. (ERC-20, ERC-721, ERC-165) */

export const DECIMALS = '0x313ce567';
export const SYMBOL = '0x95d89b41';
export const TOTAL_SUPPLY = '0x18160ddd';
export const NAME = '0x06fdde03';

/** Addresses are `0x` and 40 hex digits. */
export function balanceOf(owner: string): string {
  return `0x70a08231${word(owner)}`;
}

export function allowance(owner: string, spender: string): string {
  return `0xdd62ed3e${word(owner)}${word(spender)}`;
}

/** `interfaceId`: `0x` and 8 hex digits. */
export function supportsInterface(interfaceId: string): string {
  return `0x01ffc9a7${interfaceId.slice(2).padEnd(64, '0')}`;
}

/** `ownerOf(uint256)` (ERC-721, and collections from before it). */
export function ownerOf(id: bigint): string {
  return `0x6352211e${id.toString(16).padStart(64, '0')}`;
}

/** The interface of collections (ERC-721), and one that nobody has: a contract that claims both does not implement ERC-165. */
export const ITEM_INTERFACES = ['0x80ac58cd', '0xffffffff'] as const;

function word(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0');
}
