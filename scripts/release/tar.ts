/** A tar archive (POSIX ustar) whose bytes follow from its files alone: `tar` differs from machine to machine. */
import { gzipSync } from 'node:zlib';

export interface ArchiveFile {
  /** From the archive's root, with `/`. */
  path: string;
  body: Buffer;
  executable: boolean;
}

const BLOCK = 512;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;
const SUM_AT = 148;

/** Splits a long path where the format does. Throws if it cannot. */
function nameAndPrefix(path: string): [name: string, prefix: string] {
  if (Buffer.byteLength(path) <= NAME_BYTES) return [path, ''];
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)];
    if (Buffer.byteLength(name) <= NAME_BYTES && Buffer.byteLength(prefix) <= PREFIX_BYTES)
      return [name, prefix];
  }
  throw new Error(`${path} is too long for the archive.`);
}

function header({ path, body, executable }: ArchiveFile, seconds: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const [name, prefix] = nameAndPrefix(path);
  const octal = (value: number, digits: number, at: number): void =>
    void block.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1');
  block.write(name, 0);
  octal(executable ? 0o755 : 0o644, 7, 100);
  octal(0, 7, 108);
  octal(0, 7, 116);
  octal(body.length, 11, 124);
  octal(seconds, 11, 136);
  block.fill(' ', SUM_AT, SUM_AT + 8);
  block.write('0ustar\0' + '00', 156, 'latin1');
  block.write(prefix, 345);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    6,
    SUM_AT,
  );
  return block;
}

/** `seconds`: the time of every file, since 1970. All belong to root. */
export function tarball(files: readonly ArchiveFile[], seconds: number): Buffer {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const parts = sorted.flatMap((file) => [
    header(file, seconds),
    file.body,
    Buffer.alloc((BLOCK - (file.body.length % BLOCK)) % BLOCK),
  ]);
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]), { level: 9 });
}
