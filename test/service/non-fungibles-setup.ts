/** Contracts and metadata of every kind, for the tests of non-fungible tokens. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Contract, ContractFactory, type InterfaceAbi, type JsonRpcSigner } from 'ethers';

const ENUMERABLE = '780e9d63';

/** OpenZeppelin's preset, whose first token has id 0. */
export async function deploy(owner: JsonRpcSigner, baseUri: string, enumerable = true): Promise<Contract> {
  const path = createRequire(import.meta.url).resolve(
    '@openzeppelin/contracts/build/contracts/ERC721PresetMinterPauserAutoId.json',
  );
  const { abi, bytecode } = JSON.parse(readFileSync(path, 'utf8')) as { abi: InterfaceAbi; bytecode: string };
  // Without the interface id, it does not claim to be enumerable.
  const code = enumerable ? bytecode : bytecode.replaceAll(ENUMERABLE, 'ffffffff');
  const made = await new ContractFactory(abi, code, owner).deploy('Demo Ticket', 'TICKET', baseUri);
  await made.waitForDeployment();
  return new Contract(await made.getAddress(), abi, owner);
}

/** A string as a contract returns it. */
export function encoded(text: string): string {
  const word = (value: number): string => value.toString(16).padStart(64, '0');
  const bytes = Buffer.from(text);
  const padding = '00'.repeat((32 - (bytes.length % 32)) % 32);
  return `0x${word(32)}${word(bytes.length)}${bytes.toString('hex')}${padding}`;
}

/** The signature and first chunk of a PNG, without its picture. */
export function pngHead(width: number, height: number): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d4948445200000000000000000806000000', 'hex');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

/** The metadata server's responses, by path. */
export function answerDescription(path: string): {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
} {
  const inside = 'http://127.0.0.1:1/x.png';
  switch (path) {
    case '/meta/0':
      return {
        body: JSON.stringify({
          name: 'Ticket 0',
          description: 'Row 1,\nseat 2',
          image: 'ipfs://bafkqaaa/0.png',
          external_url: 'https://tickets.example/0',
          background_color: 'FF8800',
          image_preview_url: 'https://tickets.example/0-512.png',
          image_thumbnail_url: 'https://tickets.example/0-128.png',
        }),
      };
    case '/meta/1':
      return { headers: { 'content-type': 'text/html' }, body: '<script>alert(1)</script>' };
    case '/meta/2':
      return { body: `{"name":"${'x'.repeat(1_000_000)}"}` };
    case '/meta/3':
      return { status: 302, headers: { location: '/meta/3' } };
    case '/meta/4':
      return {
        body: JSON.stringify({ name: 7, description: ['a'], image: { a: 1 }, background_color: 'red' }),
      };
    case '/meta/5':
      return {
        body: JSON.stringify({ name: 'a\u202eb\u0000', image: 'javascript:alert(1)', external_url: inside }),
      };
    case '/meta/6':
      return { status: 302, headers: { location: '/moved' } };
    case '/moved':
      return { body: JSON.stringify({ name: 'Moved', image: inside }) };
    case '/meta/7':
      return { status: 302, headers: { location: 'http://10.0.0.1/x' } };
    case '/ipfs/bafkqaaa/8':
      return { body: JSON.stringify({ name: 'By the gateway' }) };
    case '/ipfs/bafkpic/ok':
      return { headers: { 'content-type': 'text/html' }, body: pngHead(512, 512) };
    case '/ipfs/bafkpic/wide':
      return { headers: { 'content-type': 'image/png' }, body: pngHead(4097, 1) };
    case '/ipfs/bafkpic/heavy':
      return { body: Buffer.concat([pngHead(1, 1), Buffer.alloc(4_194_304)]) };
    case '/ipfs/bafkpic/svg':
      return { headers: { 'content-type': 'image/png' }, body: '<svg xmlns="http://www.w3.org/2000/svg"/>' };
    case '/ipfs/bafkpic/inside':
      return { status: 302, headers: { location: 'http://10.0.0.1/x.png' } };
    default:
      return { status: 404 };
  }
}
