import { expect } from '@open-wc/testing';
import { compareSignIn, parseSignIn, readSignIn } from '../../../../src/chains/evm/sign-in.ts';
import type { SigningScene } from '../../../../src/chains/approval/signing.ts';
import { NETWORK } from '../fake-node.ts';

const ADDRESS = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';

// The messages of spruceid/siwe's test/parsing_positive.json and parsing_negative.json (Apache-2.0 or MIT), as changes of one.
const FULL = [
  'service.org wants you to sign in with your Ethereum account:',
  '0xe5A12547fe4E872D192E3eCecb76F2Ce1aeA4946',
  '',
  'I accept the ServiceOrg Terms of Service: https://service.org/tos',
  '',
  'URI: https://service.org/login',
  'Version: 1',
  'Chain ID: 1',
  'Nonce: 12341234',
  'Issued At: 2022-03-17T12:45:13.610Z',
  'Expiration Time: 2023-03-17T12:45:13.610Z',
  'Not Before: 2022-03-17T12:45:13.610Z',
  'Request ID: some_id',
  'Resources:',
  '- https://service.org/login',
];
const changed = (place: number, ...lines: string[]) => FULL.toSpliced(place, 1, ...lines).join('\n');
const swapped = (a: number, b: number) => FULL.with(a, FULL[b]!).with(b, FULL[a]!).join('\n');
const SHORT = FULL.slice(0, 10).with(1, ADDRESS);
const domain = (name: string) =>
  SHORT.with(0, `${name} wants you to sign in with your Ethereum account:`).join('\n');

describe('sign-in messages (EIP-4361)', () => {
  it('reads every field', () => {
    expect(parseSignIn(FULL.join('\n'))).to.deep.equal({
      scheme: undefined,
      domain: 'service.org',
      address: '0xe5A12547fe4E872D192E3eCecb76F2Ce1aeA4946',
      statement: 'I accept the ServiceOrg Terms of Service: https://service.org/tos',
      uri: 'https://service.org/login',
      chainId: '1',
      nonce: '12341234',
      issuedAt: '2022-03-17T12:45:13.610Z',
      expirationTime: '2023-03-17T12:45:13.610Z',
      notBefore: '2022-03-17T12:45:13.610Z',
      requestId: 'some_id',
      resources: ['https://service.org/login'],
    });
  });

  for (const [what, text, found] of [
    [
      'no optional field',
      SHORT.join('\n'),
      { statement: 'I accept the ServiceOrg Terms of Service: https://service.org/tos', resources: [] },
    ],
    ['no statement: two empty lines', SHORT.toSpliced(3, 1).join('\n'), { statement: undefined }],
    [
      'several resources',
      [
        ...SHORT,
        'Resources:',
        '- ipfs://Qme7ss3ARVgxv6rXqVPiikMJ8u2NLgmgszg13pYrDKEoiu',
        '- https://example.com/my-web2-claim.json',
      ].join('\n'),
      {
        resources: [
          'ipfs://Qme7ss3ARVgxv6rXqVPiikMJ8u2NLgmgszg13pYrDKEoiu',
          'https://example.com/my-web2-claim.json',
        ],
      },
    ],
    ['a list of no resources', [...SHORT, 'Resources:'].join('\n'), { resources: [] }],
    [
      'a time without fraction',
      SHORT.with(9, 'Issued At: 2021-09-30T16:25:24Z').join('\n'),
      { issuedAt: '2021-09-30T16:25:24Z' },
    ],
    [
      'a time with an offset',
      SHORT.with(9, 'Issued At: 2021-09-30T16:25:24+02:00').join('\n'),
      { issuedAt: '2021-09-30T16:25:24+02:00' },
    ],
    ['an address of IPv4', domain('127.0.0.1'), { domain: '127.0.0.1' }],
    ['an address of IPv6', domain('[::1]:8080'), { domain: '[::1]:8080' }],
    ['a port', domain('127.0.0.1:8080'), { domain: '127.0.0.1:8080' }],
    ['a user name', domain('test@127.0.0.1'), { domain: 'test@127.0.0.1' }],
    ['a user name and a port', domain('test@127.0.0.1:8080'), { domain: 'test@127.0.0.1:8080' }],
    ['a scheme', domain('https://service.org'), { scheme: 'https', domain: 'service.org' }],
  ] as const)
    it(`reads ${what}`, () => expect(parseSignIn(text)).to.deep.include(found));

  for (const [what, text] of [
    ['missing mandatory field', FULL.toSpliced(5, 1).join('\n')],
    ['extra line breaks', changed(2, '', '')],
    ['missing domain', changed(0, ' wants you to sign in with your Ethereum account:')],
    ['missing address', changed(1, '')],
    ['missing uri', changed(5, '')],
    ['missing version', changed(6, '')],
    ['missing chainId', changed(7, '')],
    ['missing nonce', changed(8, '')],
    ['missing issuedAt', changed(9, '')],
    ['out of order uri', swapped(5, 6)],
    ['out of order version', swapped(6, 7)],
    ['out of order chainId', swapped(7, 8)],
    ['out of order nonce', swapped(8, 9)],
    ['out of order issuedAt', swapped(9, 10)],
    ['out of order expirationTime', swapped(10, 11)],
    ['out of order notBefore', swapped(11, 12)],
    ['out of order requestId', [...FULL.toSpliced(12, 1), FULL[12]].join('\n')],
    ['out of order resources', [...FULL.slice(0, 11), ...FULL.slice(13), ...FULL.slice(11, 13)].join('\n')],
    ['domain not an authority', changed(0, 'not_rfc4501 wants you to sign in with your Ethereum account:')],
    ['address not EIP-55', changed(1, '0xe5a12547fe4e872d192e3ececb76f2ce1aea4946')],
    [
      'statement has line break',
      changed(3, 'I accept the ServiceOrg Terms of Service: ', 'https://service.org/tos'),
    ],
    ['uri is non-RFC 3986', changed(5, 'URI: _not_a_rfc3986_valid_uri_')],
    ['version not 1', changed(6, 'Version: 2')],
    ['not a valid chainId', changed(7, 'Chain ID: ?')],
    ['nonce with less then 8 chars', changed(8, 'Nonce: 1234567')],
    ['a nonce with other characters', changed(8, 'Nonce: 1234-5678')],
    ['non-ISO 8601 issuedAt', changed(9, 'Issued At: Wed Oct 05 2011 16:48:00 GMT+0200 (CEST)')],
    ['a day that no month has', changed(9, 'Issued At: 2022-02-30T12:45:13Z')],
    ['non-ISO 8601 expirationTime', changed(10, 'Expiration Time: Wed Oct 05 2011 16:48:00 GMT+0200 (CEST)')],
    ['non-ISO 8601 notBefore', changed(11, 'Not Before: Wed Oct 05 2011 16:48:00 GMT+0200 (CEST)')],
    [
      'resources not separated by line break',
      changed(14, '- https://service.org/login - https://service.org/login/2'),
    ],
    [
      'first resource is not RFC 3986',
      changed(14, '- _not_a_rfc3986_valid_uri_', '- https://service.org/login'),
    ],
    [
      'second resource not RFC 3986',
      changed(14, '- https://service.org/login', '- _not_a_rfc3986_valid_uri_'),
    ],
    ['a statement beyond ASCII', changed(3, 'I accept\u202e everything')],
    ['an empty statement line too few', FULL.toSpliced(2, 1).join('\n')],
    ['lines after the end', `${SHORT.join('\n')}\nand all my tokens`],
    ['an empty line at the end', `${FULL.join('\n')}\n`],
    ['words before it', `Hello\n${FULL.join('\n')}`],
    ['line ends of another kind', FULL.join('\r\n')],
    ['a half-encoded address', changed(5, 'URI: https://service.org/%zz')],
  ] as const)
    it(`reads none: ${what}`, () => expect(parseSignIn(text)).to.equal(undefined));
});

describe('a sign-in compared with the site that asks', () => {
  const NOW = Date.parse('2022-06-01T12:00:00Z');
  const signer = { address: ADDRESS.toLowerCase(), chainId: 1 };
  const scene: SigningScene = { origin: 'https://service.org', now: NOW };
  const compare = (lines: string[], around: Partial<SigningScene> = {}, by = signer) =>
    compareSignIn(parseSignIn(lines.join('\n'))!, { ...scene, ...around }, by);
  const withDomain = (name: string, uri = 'https://service.org/login') =>
    SHORT.with(0, `${name} wants you to sign in with your Ethereum account:`).with(5, `URI: ${uri}`);

  it('fits', () => {
    expect(compare(SHORT)).to.deep.equal([]);
    expect(compare(FULL.with(1, ADDRESS))).to.deep.equal([]);
    for (const name of ['https://service.org', 'SERVICE.org', 'service.org:443', 'https://service.org:443'])
      expect(compare(withDomain(name)), name).to.deep.equal([]);
  });

  for (const [what, name, origin, uri] of [
    ['another domain', 'shop.example', 'https://service.org', undefined],
    ['a sub-domain', 'login.service.org', 'https://service.org', undefined],
    ['the domain above', 'service.org', 'https://login.service.org', 'https://login.service.org/'],
    ['another port', 'service.org:8443', 'https://service.org', undefined],
    [
      'no port where the site has one',
      'service.org',
      'https://service.org:8443',
      'https://service.org:8443/',
    ],
    ['the site as a user name', 'service.org@evil.example', 'https://evil.example', 'https://evil.example/'],
    ['a user name', 'ada@service.org', 'https://service.org', undefined],
    ['a dot at the end', 'service.org.', 'https://service.org', undefined],
    ['no port on a machine of one’s own', 'localhost', 'http://localhost:5173', 'http://localhost:5173/'],
  ] as const)
    it(`is for another site: ${what}`, () => {
      const lines = withDomain(name, uri);
      expect(compare(lines, { origin })).to.deep.equal([{ what: 'domain', named: name, actual: origin }]);
    });

  it('says it when only the scheme is another', () => {
    for (const [name, named, origin] of [
      ['http://service.org', 'http://service.org', 'https://service.org'],
      ['service.org', 'https://service.org', 'http://service.org'],
      ['service.org:8080', 'https://service.org:8080', 'http://service.org:8080'],
    ] as const)
      expect(compare(withDomain(name, `${origin}/`), { origin })).to.deep.equal([
        { what: 'scheme', named, actual: origin },
      ]);
  });

  it('may leave the scheme out on a machine of one’s own', () => {
    for (const [name, origin] of [
      ['localhost:5173', 'http://localhost:5173'],
      ['127.0.0.1', 'http://127.0.0.1'],
      ['shop.localhost:80', 'http://shop.localhost'],
    ] as const)
      expect(compare(withDomain(name, `${origin}/`), { origin }), origin).to.deep.equal([]);
  });

  it('names a page of another site', () => {
    for (const uri of [
      'https://evil.example/login',
      'http://service.org/login',
      'https://service.org.evil.example/',
      'did:key:z6Mk',
    ])
      expect(compare(SHORT.with(5, `URI: ${uri}`)), uri).to.deep.equal([
        { what: 'uri', named: uri, actual: 'https://service.org' },
      ]);
  });

  it('names another wallet, and another network', () => {
    const other = '0xe5A12547fe4E872D192E3eCecb76F2Ce1aeA4946';
    expect(compare(SHORT.with(1, other))).to.deep.equal([
      { what: 'address', named: other, actual: signer.address },
    ]);
    expect(compare(SHORT.with(7, 'Chain ID: 10'))).to.deep.equal([
      { what: 'network', named: '10', actual: '1' },
    ]);
  });

  it('is over, or does not count yet, but for a minute by which clocks may differ', () => {
    const until = (time: string) => compare([...SHORT, `Expiration Time: ${time}`]);
    const from = (time: string) => compare([...SHORT, `Not Before: ${time}`]);
    const at = new Date(NOW).toISOString();
    expect(until('2022-06-01T11:59:01Z')).to.deep.equal([]);
    expect(until('2022-06-01T11:59:00Z')).to.deep.equal([
      { what: 'expired', named: '2022-06-01T11:59:00Z', actual: at },
    ]);
    expect(until('2022-06-01T13:58:00+02:00')[0]!.what).to.equal('expired');
    expect(from('2022-06-01T12:01:00Z')).to.deep.equal([]);
    expect(from('2022-06-01T12:01:01Z')).to.deep.equal([
      { what: 'not-yet', named: '2022-06-01T12:01:01Z', actual: at },
    ]);
  });
});

describe('a sign-in in a dialect (CAIP-122)', () => {
  const scene: SigningScene = { origin: 'https://service.org', now: Date.parse('2022-06-01T12:00:00Z') };
  const signer = { address: ADDRESS, chainId: 1 };
  const of = (chain: string, domain = 'service.org') =>
    SHORT.with(0, `${domain} wants you to sign in with your ${chain} account:`);
  const CHAINS = ['Polygon', 'Base', 'Arbitrum One', 'eip155', 'eip155:1', 'EVM', 'BNB Smart Chain (BSC)'];
  const read = (lines: string[]) => readSignIn(lines.join('\n'), scene, signer);

  it('is read whatever it calls the chain', async () => {
    for (const chain of CHAINS) {
      const { message, mismatches } = (await read(of(chain)))!;
      expect(message, chain).to.include({ domain: 'service.org', chainId: '1' });
      expect(mismatches, chain).to.deep.equal([]);
    }
  });

  it('is a danger for another site', async () => {
    for (const chain of CHAINS)
      for (const lines of [of(chain, 'bank.example'), [of(chain, 'bank.example')[0]!, ADDRESS]])
        expect((await read(lines))!.mismatches, chain).to.deep.equal([
          { what: 'domain', named: 'bank.example', actual: scene.origin },
        ]);
  });

  it('may have its chain id below, and chain ids before address and number', async () => {
    const moved = (lines: string[]) => [...lines.toSpliced(7, 1), lines[7]!];
    const dialect = of('EVM').with(1, `eip155:1:${ADDRESS.toLowerCase()}`).with(7, 'Chain ID: eip155:1');
    for (const lines of [moved(of('EVM')), dialect, moved(dialect)])
      expect((await read(lines))!.mismatches).to.deep.equal([]);
    // EIP-4361 has neither.
    expect((await read(moved(SHORT)))!.message).to.equal(undefined);
  });

  it('is compared in all it says, and the network has our own name for it', async () => {
    const { mismatches } = (await read(of('Mainnet').with(7, 'Chain ID: 137')))!;
    expect(mismatches).to.deep.equal([{ what: 'network', named: '137', actual: '1', network: 'Polygon' }]);
    const lines = of('EVM').with(7, 'Chain ID: 987654321');
    const listed = [{ ...NETWORK, name: 'Harbour', chainId: 987_654_321 }];
    const named = await readSignIn(lines.join('\n'), { ...scene, networks: listed }, signer);
    expect(named!.mismatches).to.deep.equal([
      { what: 'network', named: '987654321', actual: '1', network: 'Harbour' },
    ]);
  });

  it('is only text where no more than the domain can be read, and that is right', async () => {
    expect(await read([of('EVM')[0]!, 'hello'])).to.equal(undefined);
    // What calls itself EIP-4361 and is none stays a danger.
    expect(await read([SHORT[0]!, 'hello'])).to.deep.equal({ mismatches: [] });
  });
});
