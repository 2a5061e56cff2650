import { expect } from '@open-wc/testing';
import * as fc from 'fast-check';
import {
  fetchable,
  inlineJson,
  IPFS_GATEWAY,
  NO_METADATA,
  readMetadata,
} from '../../../../src/chains/evm/token-metadata.ts';
import { ANY_CHARACTER } from '../../../any-character.ts';

const read = (json: unknown) => readMetadata(JSON.stringify(json), IPFS_GATEWAY);

describe('metadata of non-fungible tokens', () => {
  it('take the fields of the standard, and those that marketplaces added', () => {
    expect(
      read({
        name: 'Ticket',
        description: 'Row 1',
        image: 'ipfs://bafy/1.png',
        external_url: 'https://tickets.example/1',
        background_color: 'ABCDEF',
        image_preview_url: 'ar://abc',
        attributes: [],
      }),
    ).to.deep.equal({
      ...NO_METADATA,
      name: 'Ticket',
      description: 'Row 1',
      url: 'https://tickets.example/1',
      backgroundColor: '#abcdef',
      imageUrl: 'https://ipfs.io/ipfs/bafy/1.png',
      imagePreviewUrl: 'https://arweave.net/abc',
    });
    // Besides ERC-721's fields there are those of collections (ERC-7572).
    expect(read({ symbol: 'T', external_link: 'https://t.example' })).to.include({
      symbol: 'T',
      url: 'https://t.example/',
    });
  });

  it('omit fields of another type', () => {
    for (const value of [7, null, true, [], {}, ['a']])
      expect(
        read({ name: value, description: value, image: value, external_url: value, background_color: value }),
      ).to.deep.equal(NO_METADATA);
    for (const text of ['', 'null', '[]', '"a"', '7', '{', '<html></html>', '\u0000'])
      expect(readMetadata(text, IPFS_GATEWAY)).to.deep.equal(NO_METADATA);
    expect(readMetadata('{"__proto__":{"name":"x"}}', IPFS_GATEWAY)).to.deep.equal(NO_METADATA);
  });

  it('omit URLs that run code, and those into the reader’s own network', () => {
    const addresses = [
      'javascript:alert(1)',
      ' JaVaScRiPt:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'data:image/svg,<svg/>',
      'blob:https://a.example/1',
      'file:///etc/passwd',
      'https://user:word@a.example/',
      'https://localhost/x.png',
      'https://router/x.png',
      'https://nas.local/x.png',
      'http://127.0.0.1/x.png',
      'http://127.1/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://10.0.0.1/',
      'http://１２７.０.０.１/',
      '//a.example/x.png',
      '/x.png',
      `https://a.example/${'x'.repeat(3000)}`,
      `data:image/png;base64,${'A'.repeat(200_000)}`,
    ];
    for (const image of addresses)
      expect(read({ image, external_url: image }), image).to.deep.equal(NO_METADATA);
    expect(read({ external_url: 'data:image/png;base64,AA' }).url).to.equal('');
    for (const image of [
      'data:image/png;base64,AA==',
      'data:image/svg+xml;utf8,<svg/>',
      'http://a.example/x',
    ])
      expect(read({ image }).imageUrl).to.equal(image);
  });

  it('have no characters that mislead a reader, and are not longer than a reader needs', () => {
    const { name, description } = read({ name: 'a\u202eb\nc\u0000', description: 'a\u2066b\nc\ud800' });
    expect([name, description]).to.deep.equal(['abc', 'ab\nc']);
    expect(read({ name: '😀'.repeat(10_000) }).name).to.equal('😀'.repeat(256));
  });

  it('can be inline in the URI, in every form that contracts use', () => {
    const json = '{"name":"é 100%"}';
    for (const uri of [
      `data:application/json,${json}`,
      `data:application/json;utf8,${json}`,
      `data:application/json;charset=utf-8,${encodeURIComponent(json)}`,
      `data:application/json;base64,${btoa(String.fromCharCode(...new TextEncoder().encode(json)))}`,
      `data:,${json}`,
    ])
      expect(readMetadata(inlineJson(uri)!, IPFS_GATEWAY).name, uri).to.equal('é 100%');
    for (const uri of [
      'data:text/html,{}',
      'data:application/json;base64,*',
      'data:',
      'https://a.example',
      '',
    ])
      expect(inlineJson(uri), uri).to.equal(undefined);
    expect(inlineJson(`data:,${'x'.repeat(600_000)}`)).to.equal(undefined);
  });

  it('are read through the gateway, and nowhere else on it', () => {
    const gateway = 'http://127.0.0.1:8080/ipfs/';
    expect(fetchable('ipfs://ipfs/Qm/1', gateway)).to.equal(`${gateway}Qm/1`);
    // The operator chose this gateway.
    expect(readMetadata('{"image":"ipfs://Qm/1.png"}', gateway).imageUrl).to.equal(`${gateway}Qm/1.png`);
    for (const [uri, path] of [
      ['ipfs://Qm/Land #7.json', 'Qm/Land%20%237.json'],
      ['ipfs://Qm/Who?.png', 'Qm/Who%3F.png'],
      ['ipfs://Qm/100%.png', 'Qm/100%25.png'],
      ['ipfs://Qm/Land%20%237.json', 'Qm/Land%20%237.json'],
      ['QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG', 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'],
      [
        'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/1 #2.png',
        'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/1%20%232.png',
      ],
    ] as const)
      expect(fetchable(uri, gateway), uri).to.equal(gateway + path);
    for (const uri of [
      'ipfs://Qm/../../api',
      'ipfs://Qm/%2e%2e/%2e%2e/api',
      'ipfs://../api',
      'ipfs://',
      'ipfs:Qm',
    ])
      expect(fetchable(uri, gateway), uri).to.equal(undefined);
  });

  it('have the first picture that can be shown', () => {
    const shown = (json: object): string => readMetadata(JSON.stringify(json), IPFS_GATEWAY).imageUrl;
    const image_url = 'https://pictures.example/1.png';
    for (const image of [
      '',
      ' ',
      null,
      7,
      'ftp://a.example/1.png',
      'http://127.0.0.1/1.png',
      'not an address',
    ])
      expect(shown({ image, image_url }), String(image)).to.equal(image_url);
    expect(shown({ image: 'https://pictures.example/2.png', image_url })).to.equal(
      'https://pictures.example/2.png',
    );
  });

  it('never throw, whatever somebody wrote', () => {
    fc.assert(
      fc.property(fc.json(), fc.string({ unit: ANY_CHARACTER }), (json, text) => {
        readMetadata(json, IPFS_GATEWAY);
        readMetadata(text, IPFS_GATEWAY);
        inlineJson(`data:application/json;base64,${text}`);
        fetchable(text, IPFS_GATEWAY);
        read({ name: text, image: text, external_url: `https://${text}` });
      }),
    );
  });
});
