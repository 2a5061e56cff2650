/** Which addresses a URL from outside may lead to: the public internet, and what the operator allows in addition. */
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** An address and the length of its prefix. */
export type Range = [Address, number];

const v4 = (text: string): Range => ipaddr.IPv4.parseCIDR(text);
const v6 = (text: string): Range => ipaddr.IPv6.parseCIDR(text);

/** The space that is assigned to hosts (https://www.iana.org/assignments/ipv6-address-space). */
const GLOBAL_UNICAST = v6('2000::/3');

/** Special-purpose ranges (RFC 6890) that `ipaddr.js` calls unicast. */
const SPECIAL: readonly Range[] = [
  v4('192.31.196.0/24'),
  v4('192.52.193.0/24'),
  v4('192.175.48.0/24'),
  v4('198.18.0.0/15'),
  v6('2001::/23'),
  v6('2620:4f:8000::/48'),
  v6('3fff::/20'),
];

function isIn(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some(
    ([start, bits]) =>
      start.kind() === address.kind() && (address as ipaddr.IPv4).match(start as ipaddr.IPv4, bits),
  );
}

/** `127.0.0.0/8`, or a single address. Throws for anything else. */
export function readRange(text: string): Range {
  const wrong = (): Error => new Error(`${text} is neither an address nor a range such as 10.1.0.0/16`);
  const [start = '', ...rest] = text.split('/');
  if (!ipaddr.isValid(start)) throw wrong();
  const address = ipaddr.parse(start);
  if (rest.length === 0) return [address, address.kind() === 'ipv4' ? 32 : 128];
  try {
    return ipaddr.parseCIDR(text);
  } catch {
    throw wrong();
  }
}

/** `text` is an address from DNS. Every form of IPv4 in IPv6 is refused: nobody needs them here. */
export function isAllowed(text: string, allowed: readonly Range[] = []): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (isIn(address, allowed)) return true;
  if (address.range() !== 'unicast' || isIn(address, SPECIAL)) return false;
  return address.kind() === 'ipv4' || isIn(address, [GLOBAL_UNICAST]);
}

/** Whoever has one address of IPv6 has 2^64. */
export function networkAddress(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.');
}
