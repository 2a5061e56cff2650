/** Detecting picture formats, by handwritten file headers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRaster } from '../../service/wallets/raster.ts';
import { pngHead } from './non-fungibles-setup.ts';

const riff = (chunk: string, hex: string): Buffer =>
  Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${chunk}\0\0\0\0`, 'latin1'), Buffer.from(hex, 'hex')]);
/** A comment, a Huffman table, and a frame header: 16 lines of 32 pixels. */
const JPEG = Buffer.from('ffd8fffe00040000ffc40004ffc0ffffc2000b080010002001011100', 'hex');

test('the format and size of a picture are read from its bytes', () => {
  const known: [Buffer, string, number, number][] = [
    [pngHead(300, 200), 'image/png', 300, 200],
    [Buffer.from('GIF89a\x2c\x01\xc8\x00', 'latin1'), 'image/gif', 300, 200],
    [JPEG, 'image/jpeg', 32, 16],
    [riff('VP8 ', '0000009d012a2c01c800'), 'image/webp', 300, 200],
    [riff('VP8L', '2f2bc13100'), 'image/webp', 300, 200],
    [riff('VP8X', '000000002b0100c70000'), 'image/webp', 300, 200],
  ];
  for (const [bytes, type, width, height] of known) {
    assert.deepEqual(readRaster(bytes), { type, width, height }, type);
    assert.equal(readRaster(bytes.subarray(0, bytes.length - 6)), undefined, `${type}, truncated`);
  }
});

test('nothing else is a picture', () => {
  for (const text of [
    '',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<?xml version="1.0"?>',
    'BM',
    'RIFF\0\0\0\0WAVE',
  ])
    assert.equal(readRaster(Buffer.from(text, 'latin1')), undefined, text);
  assert.equal(readRaster(Buffer.from('ffd8ffda0002ffff', 'hex')), undefined, 'no frame');
});
