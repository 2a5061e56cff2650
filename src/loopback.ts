/** Names and addresses of the user's own machine, as `URL.hostname` writes them. `0.0.0.0` and `[::]` lead there, too. */
const LOOPBACK =
  /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0)\])$/;

export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}
