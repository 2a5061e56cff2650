/**
 * Names and addresses of the user's own machine, as `URL.hostname` writes them. `0.0.0.0` and `[::]` lead there, too, and so do IPv4
 * addresses in IPv6 form (RFC 4291, 6052). A name in the DNS may as well: that cannot be told from here.
 */
const LOOPBACK =
  /^(?:(?:.+\.)?localhost|localhost\.localdomain|localhost6|ip6-(?:localhost|loopback)|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[(?:::(?:ffff:)?(?:0:)?|64:ff9b::)(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0)\])\.?$/;

export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}
