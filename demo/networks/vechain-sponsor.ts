/**
 * A fee delegation service (https://github.com/vechain/VIPs/blob/master/vips/VIP-201.md). While it is willing, it pays for everybody.
 */
import { Address, HexUInt, Secp256k1, Transaction } from '@vechain/sdk-core';
import { parseEther } from 'ethers';
import { listen } from '../../service/listen.ts';

export interface LocalSponsor {
  url: string;
  address: string;
  /** Returns its signature, a refusal, somebody else's signature, or cuts the connection. */
  mood: 'willing' | 'unwilling' | 'confused' | 'down';
  /** Bodies of the requests, in order. */
  readonly requests: { origin: string; raw: string }[];
  close(): Promise<void>;
}

export async function startSponsor(
  mint: (address: string, vet: bigint, vtho: bigint) => Promise<void>,
): Promise<LocalSponsor> {
  const key = await Secp256k1.generatePrivateKey();
  const address = Address.ofPrivateKey(key).toString();
  await mint(address, 0n, parseEther('1000000'));
  const requests: LocalSponsor['requests'] = [];

  function answer(text: string): [status: number, body: object] {
    const { origin, raw } = JSON.parse(text) as { origin: string; raw: string };
    requests.push({ origin, raw });
    if (sponsor.mood === 'unwilling')
      return [403, { message: 'The origin is not allowed.', code: 'REJECTED_ORIGIN' }];
    const transaction = Transaction.decode(HexUInt.of(raw).bytes, false);
    if (!transaction.isDelegated) return [400, { message: 'The transaction names no gas payer.' }];
    const hash = transaction.getTransactionHash(Address.of(origin)).bytes;
    const signature = Secp256k1.sign(hash, key);
    if (sponsor.mood === 'confused') signature[64] = 27;
    return [200, { signature: `0x${Buffer.from(signature).toString('hex')}` }];
  }

  const server = await listen(
    (request, response) => {
      if (sponsor.mood === 'down') return void request.socket.destroy();
      const headers = {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Headers': 'content-type',
        'Content-Type': 'application/json',
      };
      if (request.method !== 'POST') return void response.writeHead(204, headers).end();
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const [status, body] = answer(Buffer.concat(parts).toString());
        response.writeHead(status, headers).end(JSON.stringify(body));
      });
    },
    { port: 0, setting: 'VECHAIN_SPONSOR_PORT' },
  );
  const sponsor: LocalSponsor = {
    url: `http://127.0.0.1:${server.port}/sponsor`,
    address,
    mood: 'willing',
    requests,
    close: server.close,
  };
  return sponsor;
}
