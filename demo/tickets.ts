/**
 * Metadata and pictures of the demo's NFTs: `/ipfs/demotickets/{id}` and `/ipfs/demotickets/{id}.png` on the demo's own server, which
 * stands in for an IPFS gateway. Only the service reads them.
 */
import { crc32, deflateSync } from 'node:zlib';
import { json, type Part } from './requests.ts';

/** `ipfsGateway` in `networks.json`. A numeric address: `localhost` may also resolve to ::1, which the service refuses. */
export const demoGateway = (port: string): string => `http://127.0.0.1:${port}/ipfs/`;

/** The base of the contract's token URIs. */
export const TICKETS = 'ipfs://demotickets/';

const PATH = /^\/ipfs\/demotickets\/(\d{1,78})(\.png)?$/;
const SIDE = 240;

const SEATS = ['Stalls', 'Circle', 'Gallery', 'Box'];

export const tickets: Part = async (path, request, response) => {
  const [, id, picture] = PATH.exec(path) ?? [];
  if (id === undefined || request.method !== 'GET') return false;
  if (picture) response.writeHead(200, { 'Content-Type': 'image/png' }).end(drawn(BigInt(id)));
  else
    json(response, 200, {
      name: `${SEATS[Number(BigInt(id) % BigInt(SEATS.length))]}, seat ${id}`,
      description: 'Admits one to the demo.',
      image: `${TICKETS}${id}.png`,
    });
  return true;
};

/** Muted, clearly distinct colours. */
const GROUNDS = [
  [35, 81, 176],
  [12, 107, 67],
  [122, 74, 0],
  [108, 52, 131],
  [15, 98, 120],
];
const PAPER = [246, 243, 235];

/** A ticket on a plain background: paper with two notches, a perforation, and a bar for each bit of the number. */
function drawn(id: bigint): Buffer {
  const ground = GROUNDS[Number(id % BigInt(GROUNDS.length))]!;
  const rows = Array.from({ length: SIDE }, (_, y) => {
    const pixels = Array.from({ length: SIDE }, (__, x) => (isPaper(x, y, id) ? PAPER : ground)).flat();
    return Buffer.from([0, ...pixels]);
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(SIDE, 0);
  head.writeUInt32BE(SIDE, 4);
  // Eight bits per channel; red, green and blue.
  head.set([8, 2], 8);
  const chunks = [
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

function isPaper(x: number, y: number, id: bigint): boolean {
  const isInside = x >= 30 && x < 210 && y >= 70 && y < 170;
  const isNotch = [30, 210].some((side) => (x - side) ** 2 + (y - 120) ** 2 < 14 ** 2);
  const isTear = x >= 150 && x < 153 && y % 10 < 5;
  const bar = Math.floor((x - 50) / 10);
  const isBar =
    bar >= 0 && bar < 8 && (x - 50) % 10 < 6 && y >= 95 && y < 145 && ((id + 1n) >> BigInt(bar)) % 2n === 1n;
  return isInside && !isNotch && !isTear && !isBar;
}

/** https://www.w3.org/TR/png-3/#5Chunk-layout */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
